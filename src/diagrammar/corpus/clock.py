"""How long each step took, over all sittings."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from diagrammar.store import write_atomically

EVERY_S = 5.0


class Clock:
    """Seconds by step, kept in a file: a kill costs the last five seconds of the count."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds: dict[str, float] = {}
        if path.exists():
            self.seconds = {str(name): float(value) for name, value in json.loads(path.read_bytes()).items()}
        self._step = ""
        self._since = self._written = time.monotonic()

    @contextmanager
    def running(self, step: str) -> Iterator[None]:
        """Counts what is done inside for the step."""
        self._step, self._since = step, time.monotonic()
        try:
            yield
        finally:
            self._take()
            self._write()

    def tick(self) -> None:
        """Writes down what was counted, at most every five seconds."""
        if time.monotonic() - self._written > EVERY_S:
            self._take()
            self._write()

    def _take(self) -> None:
        now = time.monotonic()
        self.seconds[self._step] = self.seconds.get(self._step, 0.0) + now - self._since
        self._since = now

    def _write(self) -> None:
        self._written = time.monotonic()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path, json.dumps(self.seconds).encode())
