"""bench, step 2: Task -> Output, a model's answer as stored. Next: evaluate."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ValidationError

from diagrammar.bench.make import bench_digest
from diagrammar.bench.setting import Question, Setting
from diagrammar.errors import BadInput, StoreCorrupt
from diagrammar.models import Model, Sampling
from diagrammar.models.flight import ask_each
from diagrammar.records.outputs import Output
from diagrammar.records.tasks import Task
from diagrammar.store import Stage

STAGE = "run"
_ABOUT = "about.json"


@dataclass(frozen=True)
class Asking:
    """How a run asks, beside the model: the same for all of its outputs."""

    setting: Setting
    sampling: Sampling = field(default_factory=Sampling)
    preamble: bool = False  # the model is given the truth's preamble
    attempts: int = 1  # answers per task


@dataclass(frozen=True)
class Job:
    """One question to ask."""

    task: Task
    attempt: int

    @property
    def id(self) -> str:
        return f"{self.task.id}:{self.attempt}"


class About(BaseModel):
    """What a run folder says of itself that may change between two starts."""

    bench: str  # relative to the run's folder
    date: str  # of the last start
    version: str
    base_url: str = ""


def truth_of(tasks: Sequence[Task]) -> Callable[[str], str]:
    """Output id -> the truth's code: for reference models only."""
    code_by_task = {task.id: task.truth_code or "" for task in tasks}
    return lambda output_id: code_by_task[output_id.rpartition(":")[0]]


def choose_tasks(tasks: Sequence[Task], setting: Setting, *, limit: int | None) -> list[Task]:
    """The tasks that the setting solves, the domains in turn, at most `limit`."""
    by_domain: dict[str, list[Task]] = {}
    for task in tasks:
        if task.kind == setting.task_kind:
            by_domain.setdefault(task.domain, []).append(task)
    longest = max(map(len, by_domain.values()), default=0)
    in_turn = [column[row] for row in range(longest) for column in by_domain.values() if row < len(column)]
    return in_turn[:limit]


def run(
    tasks: Stage[Task],
    chosen: Sequence[Task],
    *,
    model: Model,
    asking: Asking,
    out: Path,
    about: About,
    seen: Callable[[Output], None] = lambda _: None,
) -> Counter[str]:
    """How often each status stands in the finished run; asks what `out` does not hold yet.

    An answer is on the disk before `seen` hears of it: a run that is killed and started again asks only what
    was in flight. Raises ModelUnreachable where the model cannot be had; that costs no answer.
    """
    with Stage(out, Output, stage=STAGE, made_with=_made_with(tasks, model, asking)) as outputs:
        write_about(out, about)
        jobs = [Job(task, attempt) for attempt in range(asking.attempts) for task in chosen]
        waiting = [job for job in jobs if job.id not in outputs.done]

        def keep(output: Output) -> None:
            outputs.append(output)
            seen(output)

        asyncio.run(_ask_all(waiting, tasks, model=model, asking=asking, keep=keep))
        statuses = Counter[str](output.status for output in outputs)
        outputs.close(**{f"status_{status}": count for status, count in sorted(statuses.items())})
    return statuses


async def _ask_all(
    jobs: Sequence[Job],
    tasks: Stage[Task],
    *,
    model: Model,
    asking: Asking,
    keep: Callable[[Output], None],
) -> None:
    """Asks `max_connections` questions at a time and keeps the answers as they come."""
    ask = partial(_answer, tasks=tasks, model=model, asking=asking)
    try:
        await ask_each(jobs, ask, at_a_time=asking.sampling.max_connections, keep=keep)
    finally:
        await model.close()


async def _answer(job: Job, *, tasks: Stage[Task], model: Model, asking: Asking) -> Output:
    question = Question(
        text=job.task.question,
        image_png=tasks.get(job.task.image),
        preamble=job.task.preamble if asking.preamble else "",
    )
    solved = await asking.setting.solve(model, question, job.id)
    return Output(
        id=job.id,
        task_id=job.task.id,
        setting=asking.setting.name,
        model=model.name,
        attempt=job.attempt,
        text=solved.reply.text,
        code=solved.code,
        answer=solved.answer,
        tool_calls=solved.tool_calls,
        usage=solved.reply.usage,
        seconds=solved.reply.seconds,
        status=solved.status,
        error=solved.error,
    )


def _made_with(tasks: Stage[Task], model: Model, asking: Asking) -> dict[str, str | int | float]:
    """What one run may not mix. Addresses, time limits and numbers of connections may change between starts."""
    made: dict[str, str | int | float] = {
        "bench": bench_digest(tasks),
        "model": model.name,
        "setting": asking.setting.signature,
        "preamble": int(asking.preamble),
    }
    if model.name.startswith("reference/"):
        return made
    sampling = asking.sampling
    return {
        **made,
        "temperature": "not sent" if sampling.temperature is None else sampling.temperature,
        "max_tokens": sampling.max_tokens,
        "reasoning_effort": sampling.reasoning_effort or "not sent",
    }


def write_about(run_folder: Path, about: About) -> None:
    """Writes the run's about.json, whole or not at all."""
    unfinished = run_folder / f".writing-{_ABOUT}"
    unfinished.write_text(about.model_dump_json(indent=1) + "\n", encoding="utf-8")
    unfinished.replace(run_folder / _ABOUT)


def read_about(run_folder: Path) -> About:
    """The run's about.json. Raises BadInput where there is none, StoreCorrupt for a broken one."""
    path = run_folder / _ABOUT
    try:
        return About.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadInput(f"{run_folder}: not a run's folder (it has no {_ABOUT})") from error
    except ValidationError as error:
        raise StoreCorrupt(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error


def bench_of(run_folder: Path) -> Path:
    """The benchmark folder that the run's tasks are in."""
    return Path(os.path.normpath(run_folder / read_about(run_folder).bench))
