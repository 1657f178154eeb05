"""bench, step 4: Output -> Evaluated: every answer drawn and scored. Next: sets, report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from diagrammar.bench.draw import Drawings, draw_all, text_id
from diagrammar.bench.features import Features
from diagrammar.bench.make import open_tasks, tasks_folder
from diagrammar.bench.run import STAGE as RUN
from diagrammar.bench.run import bench_of
from diagrammar.bench.score import score_case
from diagrammar.metrics.choose import choose_metrics
from diagrammar.metrics.protocol import Metric
from diagrammar.parallel import WorkerLost, map_items
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.outputs import Output
from diagrammar.records.runs import Drawn, Evaluated
from diagrammar.records.scores import Case, PairScore, Side, Sides
from diagrammar.records.tasks import Task
from diagrammar.store import Stage, open_stage

STAGE = "scores"
# The paper's numbers of each level, the floor that its colours are read against, and FID's twin for few pictures.
WANTED = ("objects", "code", "pictures", "f1_color_chance", "kid")


@dataclass(frozen=True)
class Run:
    """A run and what it is scored with; everything that scoring finds out stays in the two folders."""

    folder: Path
    outputs: Stage[Output]
    tasks: Stage[Task]
    truths: Drawings
    answers: Drawings
    scores: Stage[Evaluated]
    task_by_id: dict[str, Task]
    metrics: Mapping[str, Metric[Any]]  # of a single answer
    of_sets: Mapping[str, Metric[Any]]  # that only many answers have
    seen_truths: Features
    seen_answers: Features
    lacking: dict[str, str]  # metrics that this machine cannot compute, and why


@dataclass(frozen=True)
class Pair:
    """An answer beside its truth, on its way to be scored."""

    run: int  # which of the runs it belongs to
    output_id: str
    truth: str  # ids of Drawn
    candidate: str | None
    why_not: str = ""  # where there is no candidate


@dataclass(frozen=True)
class Loaded:
    """A pair with its sides: what a worker needs."""

    pair: Pair
    case: Case


def open_runs(folders: Sequence[Path]) -> list[Run]:
    """The runs in these folders, with the benchmark each was made on. Raises BadInput for another folder."""
    benches: dict[Path, tuple[Stage[Task], Drawings, Features]] = {}
    metrics, of_sets, lacking = metrics_of_runs()
    runs = []
    for folder in folders:
        outputs = open_stage(folder, Output, stage=RUN)
        bench = tasks_folder(bench_of(folder).resolve())
        if bench not in benches:
            drawings = Drawings(bench)
            benches[bench] = open_tasks(bench), drawings, Features(drawings)
        tasks, truths, seen_truths = benches[bench]
        answers = Drawings(folder)
        made_with = scored_with(answers, metrics)
        key = hashlib.sha256(repr(made_with).encode()).hexdigest()[:10]
        scores = Stage(folder / f"{STAGE}-{key}", Evaluated, stage=STAGE, made_with=made_with)
        run = Run(
            folder, outputs, tasks, truths, answers, scores, {task.id: task for task in tasks},
            metrics=metrics, of_sets=of_sets, lacking=lacking,
            seen_truths=seen_truths, seen_answers=Features(answers),
        )  # fmt: skip
        runs.append(run)
    return runs


def metrics_of_runs() -> tuple[dict[str, Metric[Any]], dict[str, Metric[Any]], dict[str, str]]:
    """The metrics of each answer, those that only many have, and what cannot be had here with the reason."""
    chosen = choose_metrics(WANTED)
    lacking = {name: found.reason for name, metric in chosen.items() if (found := metric.missing())}
    there = {name: metric for name, metric in chosen.items() if name not in lacking}
    single = {name: metric for name, metric in there.items() if metric.score is not None}
    return single, {name: metric for name, metric in there.items() if name not in single}, lacking


def scored_with(answers: Drawings, metrics: Mapping[str, Metric[Any]]) -> dict[str, str | int | float]:
    """What a score depends on beside the two programs."""
    signatures = {f"metric_{name}": metric.signature for name, metric in metrics.items()}
    drawn = {f"drawn_{key}": value for key, value in answers.stage.manifest.made_with.items()}
    return {**signatures, **drawn}


def draw_missing(
    runs: Sequence[Run], *, workers: int | None = None, seen: Callable[[Drawn], None] = lambda _: None
) -> None:
    """Draws each truth and each answer that is not drawn yet: the only step that starts TeX."""
    draw_all(_missing(runs), workers=workers, seen=seen)


def missing_texts(runs: Sequence[Run]) -> int:
    """How many programs `draw_missing` would compile."""
    return len({text for texts in _missing(runs).values() for text in texts})


def _missing(runs: Sequence[Run]) -> dict[Drawings, list[str]]:
    wanted: dict[Drawings, list[str]] = {}
    for run in runs:
        truths, answers = wanted.setdefault(run.truths, []), wanted.setdefault(run.answers, [])
        for output in run.outputs:
            truths.append(truth_text(run.task_by_id[output.task_id]))
            if _answered(output):
                answers.append(output.text)
    return {
        drawings: [text for text in dict.fromkeys(texts) if text_id(text) not in drawings.by_id]
        for drawings, texts in wanted.items()
    }


def score_missing(
    runs: Sequence[Run], *, workers: int | None = None, seen: Callable[[Evaluated], None] = lambda _: None
) -> None:
    """Scores each answer that is not scored yet; its sides have to be drawn."""
    outputs_by_run = [{output.id: output for output in run.outputs} for run in runs]
    pairs = [
        _pair(number, run, output)
        for number, run in enumerate(runs)
        for output in outputs_by_run[number].values()
        if output.id not in run.scores.done
    ]
    metrics = tuple(runs[0].metrics) if runs else ()
    for attempt in (1, 2):
        lost: list[Pair] = []
        score_one = partial(_score, metrics=metrics)
        for loaded, scored in map_items(score_one, _load(pairs, runs), workers=workers):
            pair = loaded.pair
            if isinstance(scored, WorkerLost):
                if attempt == 1:
                    lost.append(pair)  # perhaps it was not this answer's fault
                    continue
                scored = _not_scored(loaded.case, metrics, f"scoring it failed twice: {scored.reason}")
            run = runs[pair.run]
            evaluated = _evaluated(pair, outputs_by_run[pair.run][pair.output_id], run, scored)
            run.scores.append(evaluated)
            seen(evaluated)
        pairs = lost
    for run in runs:
        run.scores.close()
        run.answers.stage.close()


def truth_text(task: Task) -> str:
    """The program that is right."""
    assert task.truth_code is not None
    return task.truth_code


def _answered(output: Output) -> bool:
    # A reply without code is drawn, too: the reason it draws nothing is then stored like any other.
    return output.status in ("ok", "no_code")


def _pair(number: int, run: Run, output: Output) -> Pair:
    candidate = text_id(output.text) if _answered(output) else None
    why = "" if candidate else output.error or f"no answer ({output.status})"
    return Pair(number, output.id, text_id(truth_text(run.task_by_id[output.task_id])), candidate, why)


def _load(pairs: Sequence[Pair], runs: Sequence[Run]) -> Iterator[Loaded]:
    looks = any(metric.reads == "picture" for run in runs for metric in run.metrics.values())
    for pair in pairs:
        run = runs[pair.run]
        truth = run.truths.side(pair.truth, with_picture=looks)
        if pair.candidate is None:
            yield Loaded(pair, _without_candidate(Case(truth, truth), pair.why_not))
        else:
            yield Loaded(pair, Case(truth, run.answers.side(pair.candidate, with_picture=looks)))


def _without_candidate(case: Case, why: str) -> Case:
    """The case of an inference that failed: it counts with the failure value. Source: appendix D.2."""
    return Case(case.truth, Side(code="", failure=TexFailure(kind="no_code", message=why)))


def _score(loaded: Loaded, *, metrics: Sequence[str]) -> PairScore:
    return score_case(loaded.case, metrics=choose_metrics(metrics))


def _not_scored(case: Case, metrics: Sequence[str], reason: str) -> PairScore:
    """The scores of a case that the machine could not score: none, which says nothing about the model."""
    compiled = Sides(truth=case.truth.scene is not None, candidate=case.candidate.scene is not None)
    return PairScore(compiled=compiled, not_computed=dict.fromkeys(metrics, reason), **dict.fromkeys(metrics))


def _evaluated(pair: Pair, output: Output, run: Run, score: PairScore) -> Evaluated:
    task = run.task_by_id[output.task_id]
    return Evaluated(
        id=output.id, task_id=output.task_id, attempt=output.attempt, kind=task.kind, domain=task.domain,
        dimension=task.dimension, model=output.model, setting=output.setting, status=output.status,
        truth=pair.truth, candidate=pair.candidate, score=score,
    )  # fmt: skip
