"""bench: what a setting is: how a task is put to a model and how its answer is read.

A file of `settings/` that defines a `Setting` is one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from diagrammar import catalog
from diagrammar.bench.code import code_in
from diagrammar.errors import BadInput
from diagrammar.models import Model
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.outputs import OutputStatus, Prompt, Reply
from diagrammar.records.tasks import TaskKind


@dataclass(frozen=True)
class Question:
    """What a setting may know of a task: what is asked, and nothing of the truth."""

    text: str
    image_png: bytes
    preamble: str = ""  # empty where it is not given away


@dataclass(frozen=True)
class Solved:
    """A model's last reply and what was read from it."""

    reply: Reply
    status: OutputStatus
    code: str | None = None
    answer: str | None = None
    error: str = ""
    tool_calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """One way of asking. `solve(model, question, sample_id)` holds the whole conversation."""

    name: str
    title: str
    task_kind: TaskKind
    prompt: Callable[[Question], Prompt]
    solve: Callable[[Model, Question, str], Awaitable[Solved]]

    @property
    def signature(self) -> str:
        """The name and what its words are: changes when the prompt does."""
        prompt = self.prompt(Question(text="{question}", image_png=b"", preamble="{preamble}"))
        words = hashlib.sha256(f"{prompt.system}\0{prompt.user}".encode()).hexdigest()
        return f"{self.name}|{self.task_kind}|prompt:{words[:12]}"


def find_setting(name: str) -> Setting:
    """The setting of that name, as S1. Raises BadInput, with the names there are, for another."""
    settings = {
        setting.name: setting for setting in catalog.load_all(f"{__package__}.settings", Setting).values()
    }
    if name.upper() not in settings:
        known = ", ".join(f"{setting.name} ({setting.title})" for setting in settings.values())
        raise BadInput(f"no setting {name!r}; there are: {known}")
    return settings[name.upper()]


async def ask_for_code(model: Model, prompt: Prompt, sample_id: str) -> Solved:
    """One question, one reply, and the program in it."""
    reply = await model.reply(prompt, sample_id=sample_id)
    if reply.status != "ok":
        return Solved(reply=reply, status=reply.status, error=reply.error)
    code = code_in(reply.text)
    if isinstance(code, TexFailure):
        return Solved(reply=reply, status="no_code", error=code.message)
    return Solved(reply=reply, status="ok", code=code, error=reply.error)
