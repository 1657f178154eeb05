"""models: what a model is to the rest of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from diagrammar.records.outputs import Prompt, Reply


class Model(Protocol):
    """Answers prompts. A failed inference is a Reply with a status, never an exception.

    Raises ModelUnreachable where no answer is to be had at all: nothing listens, the key or the name is
    wrong.
    """

    name: str

    async def reply(self, prompt: Prompt, *, sample_id: str) -> Reply:
        """The answer to `prompt`. `sample_id` tells one asking from another; a real model never sees it."""
        ...

    async def close(self) -> None:
        """Gives connections back. Belongs at the end of the event loop that `reply` ran in."""
        ...


@dataclass(frozen=True)
class Sampling:
    """How a model is asked. Source of the defaults: Diagram-MMU, appendix D.1 and D.2."""

    temperature: float | None = 1.0  # None: not sent; some reasoning models refuse the parameter
    max_tokens: int = 16_384
    timeout_s: float = 300.0  # of one call
    retry_delays_s: tuple[float, ...] = (2.0, 4.0, 8.0)
    max_connections: int = 8
    reasoning_effort: str | None = None
