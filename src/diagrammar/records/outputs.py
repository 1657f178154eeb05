"""What goes to a model and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from diagrammar.records.scenes import Frozen

OutputStatus = Literal["ok", "empty", "no_code", "timeout", "model_error"]


class Usage(Frozen):
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class Prompt:
    """What a model sees. Nothing of the truth is reachable from here."""

    system: str
    user: str
    image_png: bytes | None = None


class Reply(Frozen):
    text: str
    status: OutputStatus = "ok"
    error: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    attempts: int = 1


class Output(Frozen):
    """A model's answer to one task, as stored by `run`."""

    id: str  # f"{task_id}:{attempt}"
    task_id: str
    setting: str
    model: str
    attempt: int = 0
    text: str
    code: str | None = None
    answer: str | None = None
    tool_calls: tuple[str, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    status: OutputStatus = "ok"
    error: str = ""
