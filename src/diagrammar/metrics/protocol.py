"""metrics: what a metric is. A file of this folder that defines a `Metric` is one; see docs/metrics.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Generic, Literal, TypeVar

from diagrammar import catalog
from diagrammar.records.diagrams import FailureKind
from diagrammar.records.scores import Case, NotComputed

S = TypeVar("S")

Reads = Literal["objects", "code", "picture"]
# paper: as the paper defines it; strict: our variant of one of its numbers; beside: what the paper has not.
Protocol = Literal["paper", "strict", "beside"]

# Nobody's mistake but the machine's or the reader's: such a side says nothing about a model.
MACHINE_FAILURES: frozenset[FailureKind] = frozenset(
    {"isolation_required", "driver_limit", "conversion_failed"}
)


@dataclass(frozen=True)
class Failed:
    """The statistics of a candidate that draws nothing: it scores the metric's failure value."""

    reason: str


def _always() -> None:
    return None


@dataclass(frozen=True)
class Metric(Generic[S]):
    """A metric: statistics per case first, the score of many cases second, so that resampling is free.

    `version` goes up whenever the same case may give another value; `settings` names whatever else decides
    it. `on_example` is the score of `example.EXAMPLE`, worked out by hand; None where no hand can, as for a
    network. `missing` says what this machine lacks to compute it. `variants` are metrics of their own that
    share the file: parts of an edit, the strict rules.
    """

    name: str
    version: int
    reads: Reads
    compare: Callable[[Case], S | NotComputed]  # both sides are compiled
    score: Callable[[S], float] | None  # of one case; None where only a set of cases has a score
    on_example: float | None
    settings: Callable[[], dict[str, str]] = dict
    failure_value: float | None = 0.0  # None: a failed candidate has no value, and is counted beside it
    perfect: float = 1.0
    protocol: Protocol = "paper"
    needs_source: bool = False
    missing: Callable[[], NotComputed | None] = _always
    score_set: Callable[[Sequence[S]], float | NotComputed] | None = None  # the mean of the scores if None
    variants: tuple[Metric[Any], ...] = ()

    @property
    def lower_is_better(self) -> bool:
        return self.perfect == 0.0

    def measure(self, case: Case) -> S | Failed | NotComputed:
        """The case's statistics; Failed where the candidate draws nothing; NotComputed without a truth.

        Source: Diagram-MMU, appendix D.2, failure handling.
        """
        lacking = self.missing()
        if lacking is not None:
            return lacking
        if self.needs_source and case.source is None:
            return NotComputed(reason="no source is given, so what was to be edited is unknown")
        given = {"truth": case.truth, "source": case.source if self.needs_source else None}
        for name, side in {**given, "candidate": case.candidate}.items():
            if side and side.failure is not None and side.failure.kind in MACHINE_FAILURES:
                return NotComputed(reason=f"the {name} could not be compiled here: {side.failure.message}")
        for name, side in given.items():
            if side is None:
                continue
            if side.scene is None:
                why = side.failure.message if side.failure else "it has not been read"
                return NotComputed(reason=f"the {name} does not compile: {why}")
            if self.reads == "objects" and not side.scene.marked:
                return NotComputed(
                    reason=f"the {name} compiles only without marks, so its objects are unknown"
                )
        if case.candidate.scene is None:
            return Failed(case.candidate.failure.message if case.candidate.failure else "no code")
        if self.reads == "picture" and not (case.truth.png and case.candidate.png):
            return NotComputed(reason="the pictures have not been drawn")
        return self.compare(case)

    def pool(self, statistics: Sequence[S | Failed]) -> float | NotComputed:
        """The score of many cases, by default the mean.

        A failed candidate counts with the failure value, so that the denominator is fixed; where there is no
        such value it is left out, and who shows the score shows `count_failed` beside it.
        """
        if not statistics:
            return NotComputed(reason="no cases")
        if self.score_set is not None:
            return self.score_set([s for s in statistics if not isinstance(s, Failed)])
        assert self.score is not None and self.failure_value is not None
        values = [self.failure_value if isinstance(s, Failed) else self.score(s) for s in statistics]
        return math.fsum(values) / len(values)

    @cached_property
    def signature(self) -> str:
        """What decides the value, in one line: `f1_bbox|v:1|iou:0.3|...`."""
        return self.signed()

    def signed(self, **other: str) -> str:
        """The signature where some of the settings were others, such as the reader."""
        settings = {"v": str(self.version), **self.settings()}
        settings |= {key: value for key, value in other.items() if key in settings}
        return "|".join([self.name, *(f"{key}:{value}" for key, value in settings.items())])


def count_failed(statistics: Sequence[object]) -> int:
    """How many candidates drew nothing."""
    return sum(isinstance(s, Failed) for s in statistics)


@cache
def load_metrics() -> Mapping[str, Metric[Any]]:
    """Every metric of this folder and its variants by name."""
    files = catalog.load_all("diagrammar.metrics", Metric).values()
    return {metric.name: metric for found in files for metric in (found, *found.variants)}
