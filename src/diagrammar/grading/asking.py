"""grading, step 3: questions to a judge -> its replies, each stored before the next step hears of it.

A folder of replies serves any number of judges and wordings: a reply is kept under the hash of who was asked what.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from diagrammar.grading.judge import JudgeWords, read_words
from diagrammar.models import Model, Sampling
from diagrammar.models.flight import ask_each
from diagrammar.records.grades import Judged
from diagrammar.records.outputs import Prompt, Reply
from diagrammar.store import Stage

STAGE = "judge"
# The paper does not say at which temperature its judge was asked; 0 is the one that can be repeated.
JUDGE_SAMPLING = Sampling(temperature=0.0, max_tokens=4096)


@dataclass(frozen=True)
class Judge:
    """A judge model and how it is asked. `sampling` is that with which the model was opened."""

    model: Model
    words: JudgeWords = field(default_factory=read_words)
    sampling: Sampling = JUDGE_SAMPLING

    @property
    def signature(self) -> str:
        """Who judges by which words: what a grade depends on beside the rules."""
        return f"judge:{self._asked_as}|prompt:{self.words.digest}"

    def key(self, prompt: Prompt) -> str:
        """The hash under which the reply to this prompt is stored."""
        return hashlib.sha256("\0".join([self._asked_as, prompt.system, prompt.user]).encode()).hexdigest()

    @property
    def _asked_as(self) -> str:
        if self.model.name.startswith("reference/"):
            return self.model.name
        sampling = self.sampling
        temperature = "not sent" if sampling.temperature is None else f"{sampling.temperature:g}"
        effort = f",effort={sampling.reasoning_effort}" if sampling.reasoning_effort else ""
        return f"{self.model.name},t={temperature},max={sampling.max_tokens}{effort}"


@dataclass(frozen=True)
class Asked:
    """What came of one question: the stored reply, or why there is none."""

    reply: Judged | None
    failure: str = ""


def ask_judge(
    prompts: Mapping[str, Prompt],
    *,
    judge: Judge,
    replies: Path | None = None,
    seen: Callable[[str, Asked], None] = lambda *_: None,
) -> dict[str, Asked]:
    """By case id, what the judge said. Equal prompts are asked once, and those whose reply `replies` holds not at all.

    A reply is on the disk before `seen` hears of it: killed and started again, only what was in flight is asked
    again. A failed call is not stored, so that the next start tries it again. Raises ModelUnreachable where the judge
    cannot be had; what is stored stays.
    """
    cases_by_key: dict[str, list[str]] = {}
    for case_id, prompt in prompts.items():
        cases_by_key.setdefault(judge.key(prompt), []).append(case_id)
    asked: dict[str, Asked] = {}

    def keep(key: str, found: Asked) -> None:
        for case_id in cases_by_key[key]:
            asked[case_id] = found
            seen(case_id, found)

    with ExitStack() as closing:
        stage = None
        if replies is not None:
            stage = closing.enter_context(Stage(replies, Judged, stage=STAGE, made_with={}))
            for stored in stage:
                if stored.id in cases_by_key:
                    keep(stored.id, Asked(stored))
        waiting = {key: ids[0] for key, ids in cases_by_key.items() if ids[0] not in asked}

        def store(key: str, reply: Reply) -> None:
            found = _as_asked(key, waiting[key], reply, judge)
            if stage is not None and found.reply is not None:
                stage.append(found.reply)
            keep(key, found)

        questions = {key: prompts[case_id] for key, case_id in waiting.items()}
        asyncio.run(_ask_all(questions, waiting, judge=judge, store=store))
        if stage is not None:
            stage.close()
    return asked


def _as_asked(key: str, case_id: str, reply: Reply, judge: Judge) -> Asked:
    if reply.status != "ok":
        return Asked(None, f"the judge gave no reply: {reply.status}, {reply.error}".rstrip(", "))
    return Asked(
        Judged(
            id=key, case_id=case_id, model=judge.model.name, text=reply.text, seconds=reply.seconds,
            input_tokens=reply.usage.input_tokens, output_tokens=reply.usage.output_tokens,
        )
    )  # fmt: skip


async def _ask_all(
    prompts: Mapping[str, Prompt],
    case_ids: Mapping[str, str],
    *,
    judge: Judge,
    store: Callable[[str, Reply], None],
) -> None:
    """Asks `max_connections` questions at a time and stores the replies as they come."""

    async def ask(key: str) -> tuple[str, Reply]:
        return key, await judge.model.reply(prompts[key], sample_id=case_ids[key])

    try:
        await ask_each(
            prompts, ask, at_a_time=judge.sampling.max_connections, keep=lambda answer: store(*answer)
        )
    finally:
        await judge.model.close()
