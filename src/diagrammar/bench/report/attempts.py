"""bench, step 5: several answers to each task -> pass@k and the best of k, per model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diagrammar.bench.report.compared import scores_by_task
from diagrammar.bench.report.numbers import Scored
from diagrammar.records.scores import NotComputed
from diagrammar.statistics.attempts import mean_best_of_k, mean_pass_at_k

AT_LEAST = (0.5, 0.75, 0.9)  # of f1_avg
BEST_OF = ("all", "f1_avg")


@dataclass(frozen=True)
class Attempts:
    """What k answers of a model would reach, the mean over tasks."""

    model: int
    k: int
    drawn: float | NotComputed
    passes: tuple[float | NotComputed, ...]  # by AT_LEAST
    best: dict[str, float | NotComputed]  # by number


def attempts_of(model: int, scored: Sequence[Scored]) -> list[Attempts]:
    """A row for 1, 2, 4, 8, ... answers and for as many as each task has; none where that is one."""
    answers = _by_task(scored)
    fewest = min(map(len, answers), default=0)
    if fewest < 2:
        return []
    drawn = [[0.0 if one.failed else 1.0 for one in task] for task in answers]
    scores = {name: list(scores_by_task(scored, name).values()) for name in BEST_OF}
    return [
        Attempts(
            model=model,
            k=k,
            drawn=mean_pass_at_k(drawn, k, at_least=1.0),
            passes=tuple(mean_pass_at_k(scores["f1_avg"], k, at_least=bar) for bar in AT_LEAST),
            best={name: mean_best_of_k(of_number, k) for name, of_number in scores.items()},
        )
        for k in _doubling(fewest)
    ]


def _by_task(scored: Sequence[Scored]) -> list[list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for one in scored:
        found.setdefault(one.task, []).append(one)
    return list(found.values())


def _doubling(most: int) -> Iterator[int]:
    k = 1
    while k < most:
        yield k
        k *= 2
    yield most


def as_facts(rows: Sequence[Attempts]) -> list[dict[str, object]]:
    """The same for a machine; what is not computed is null."""
    return [
        {
            "k": row.k,
            "pass_drawn": _value(row.drawn),
            "pass_f1_avg": {
                f"{bar:g}": _value(found) for bar, found in zip(AT_LEAST, row.passes, strict=True)
            },
            "best": {name: _value(found) for name, found in row.best.items()},
        }
        for row in rows
    ]


def _value(found: float | NotComputed) -> float | None:
    return None if isinstance(found, NotComputed) else found
