"""Results on disk as they come, one JSON object a line, so that a kill costs what was in flight and no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Kept:
    """The lines of one file by id. Opened again, it goes on; a torn last line is dropped."""

    def __init__(self, path: Path, *, fresh: bool) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.by_id: dict[str, dict[str, Any]] = {}
        if fresh:
            path.unlink(missing_ok=True)
        whole = []
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue
            self.by_id[record["id"]] = record
            whole.append(line)
        path.write_text("".join(f"{line}\n" for line in whole), encoding="utf-8")

    def add(self, record: dict[str, Any]) -> None:
        self.by_id[record["id"]] = record
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
