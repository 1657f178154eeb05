"""bench, step 5: Scored answers of several models -> which of two is better, number by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diagrammar.bench.report.numbers import NUMBERS, Number, Scored
from diagrammar.statistics.bootstrap import Interval
from diagrammar.statistics.compare import Comparison, ScoresByTask, compare_all

COMPARED = tuple(number for number in NUMBERS if not number.of_set)


@dataclass(frozen=True)
class Versus:
    """Two models by one number, the better one first."""

    first: int  # positions among the report's models
    second: int
    found: Comparison

    @property
    def interval(self) -> Interval | None:
        return self.found.interval if isinstance(self.found.interval, Interval) else None

    @property
    def p(self) -> float:
        """Of this comparison as one of all of this number."""
        return self.found.p if self.found.p_holm is None else self.found.p_holm

    @property
    def left_out(self) -> int:
        """Tasks for which only one of the two has a score."""
        return self.found.only_first + self.found.only_second


def compare_models(models: Sequence[Sequence[Scored]]) -> dict[str, list[Versus]]:
    """By number, each two models that have common tasks; the largest difference first."""
    return {number.name: found for number in COMPARED if (found := _by_number(models, number))}


def _by_number(models: Sequence[Sequence[Scored]], number: Number) -> list[Versus]:
    scores = [scores_by_task(scored, number.name) for scored in models]
    pairs = compare_all(scores, lower_is_better=number.lower_is_better)
    found = [
        Versus(first, second, pair) for (first, second), pair in pairs.items() if isinstance(pair, Comparison)
    ]
    return sorted(found, key=lambda versus: (-abs(versus.found.difference), versus.first, versus.second))


def scores_by_task(scored: Sequence[Scored], name: str) -> ScoresByTask:
    """The computed scores of each task's answers; none where none is computed."""
    found: dict[str, list[float]] = {}
    for one in scored:
        scores = found.setdefault(one.task, [])
        value = one.values.get(name)
        if isinstance(value, float):
            scores.append(value)
    return found


def as_facts(
    comparisons: Mapping[str, Sequence[Versus]], names: Sequence[str], first: int
) -> dict[str, list[dict[str, object]]]:
    """The comparisons that this model stands first in, for a machine."""
    return {
        number: rows
        for number, found in comparisons.items()
        if (rows := [_facts(versus, names) for versus in found if versus.first == first])
    }


def _facts(versus: Versus, names: Sequence[str]) -> dict[str, object]:
    found, interval = versus.found, versus.interval
    return {
        "better_than": names[versus.second],
        "difference": found.difference,
        "interval": [interval.low, interval.high] if interval else None,
        "p": found.p, "p_holm": versus.p,
        "wins": found.wins, "ties": found.ties, "losses": found.losses,
        "tasks": found.n, "only_first": found.only_first, "only_second": found.only_second,
    }  # fmt: skip
