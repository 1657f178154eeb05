"""bench, step 5: Scored -> the numbers of a report: means per model, domain and dimension, with their intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from diagrammar.bench.features import OfSet
from diagrammar.bench.report.numbers import SINGLE, Scored
from diagrammar.records.diagrams import DOMAINS, Domain
from diagrammar.records.runs import Evaluated
from diagrammar.records.scores import NotComputed
from diagrammar.statistics.bootstrap import Interval, mean_intervals
from diagrammar.statistics.composites import compose

DOMAIN_LABELS: dict[Domain, str] = {
    "charts": "Charts",
    "planar_geometry": "Plane geometry",
    "3d_shapes": "3D shapes",
    "graph": "Graphs",
    "chemistry": "Chemistry",
    "circuit": "Circuits",
}


@dataclass(frozen=True)
class Mean:
    """A number over answers. Answers that failed are in it; those not computed cannot be."""

    value: float | None  # None where nothing could be computed
    n: int  # answers in it
    failed: int  # of these, the ones that draw nothing; for FID and KID: left out
    not_computed: int
    tasks: int = 0  # how many different tasks the answers in it are of
    interval: Interval | None = None
    reason: str = ""  # why nothing, or not everything, could be computed


Means = Mapping[str, Mean]


@dataclass(frozen=True)
class ModelSummary:
    """One run in numbers."""

    name: str
    setting: str
    n: int
    tasks: int
    means: Means  # by number
    by_domain: Mapping[Domain, Means]
    by_dimension: Mapping[str, Means]  # of edits: by what they change
    outcomes: Mapping[str, int]  # drawn, or why not, most frequent first
    edits: bool = False

    @property
    def drawn(self) -> int:
        """Answers that compile."""
        return self.outcomes.get("drawn", 0)


def summarise(
    name: str, scored: Sequence[Scored], *, sets: Mapping[str, OfSet] | None = None
) -> ModelSummary:
    """A run's numbers. `sets` are of all its answers: of a domain's few pictures FID says little."""
    answers = [one.answer for one in scored]
    domains = [domain for domain in DOMAINS if any(answer.domain == domain for answer in answers)]
    dimensions = sorted({answer.dimension for answer in answers if answer.dimension})
    return ModelSummary(
        name=name,
        setting=answers[0].setting if answers else "",
        n=len(answers),
        tasks=len({one.task for one in scored}),
        means=_with_sets(means(scored), sets or {}),
        by_domain={d: means([one for one in scored if one.answer.domain == d]) for d in domains},
        by_dimension={d: means([one for one in scored if one.answer.dimension == d]) for d in dimensions},
        outcomes=dict(Counter(map(outcome, answers)).most_common()),
        edits=any(answer.kind == "d2c_edit" for answer in answers),
    )


def means(scored: Sequence[Scored]) -> dict[str, Mean]:
    """The mean of every number that single answers have; the answers of a task are drawn together."""
    names = [number.name for number in SINGLE if any(number.name in one.values for one in scored)]
    place = {task: at for at, task in enumerate(sorted({one.task for one in scored}))}
    sums, counts = np.zeros((len(place), len(names))), np.zeros((len(place), len(names)))
    for one in scored:
        for column, name in enumerate(names):
            value = one.values.get(name)
            if isinstance(value, float):
                sums[place[one.task], column] += value
                counts[place[one.task], column] += 1
    intervals = mean_intervals(sums, counts)
    return {name: _mean(scored, name, found) for name, found in zip(names, intervals, strict=True)}


def _mean(scored: Sequence[Scored], name: str, interval: Interval | NotComputed) -> Mean:
    values = [one.values.get(name) for one in scored]
    computed = [value for value in values if isinstance(value, float)]
    reasons = Counter(value.reason for value in values if isinstance(value, NotComputed))
    return Mean(
        value=fsum(computed) / len(computed) if computed else None,
        n=len(computed),
        failed=sum(one.failed for one, value in zip(scored, values, strict=True) if isinstance(value, float)),
        not_computed=len(values) - len(computed),
        tasks=len({one.task for one, value in zip(scored, values, strict=True) if isinstance(value, float)}),
        interval=interval if isinstance(interval, Interval) else None,
        reason=reasons.most_common(1)[0][0] if reasons else "",
    )


def _with_sets(single: Means, sets: Mapping[str, OfSet]) -> Means:
    """The means, the numbers of the set and what is made of both."""
    found = {**single, **{name: _of_set(one) for name, one in sets.items()}}
    known = {
        name: NotComputed(reason=mean.reason) if mean.value is None else mean.value
        for name, mean in found.items()
    }
    fl = compose("fl", known)
    computed = not isinstance(fl, NotComputed)
    lpips = found["lpips"] if computed else Mean(None, 0, 0, 0)
    found["fl"] = Mean(
        value=None if isinstance(fl, NotComputed) else fl,
        n=lpips.n,
        failed=lpips.failed,
        not_computed=lpips.not_computed,
        tasks=lpips.tasks,
        reason=fl.reason if isinstance(fl, NotComputed) else "",
    )
    return found


def _of_set(one: OfSet) -> Mean:
    """A number of a set has no interval: FID of a resample, in which pictures stand twice, is larger by itself."""
    computed = not isinstance(one.value, NotComputed)
    return Mean(
        value=None if isinstance(one.value, NotComputed) else one.value,
        n=one.n if computed else 0,
        failed=one.failed,
        not_computed=one.not_computed,
        tasks=one.tasks,
        reason=one.value.reason if isinstance(one.value, NotComputed) else "",
    )


def outcome(answer: Evaluated) -> str:
    """`drawn`, or in one word why nothing is drawn."""
    if answer.candidate is None:
        return answer.status
    failure = answer.score.failures.candidate
    return "drawn" if failure is None else failure.kind
