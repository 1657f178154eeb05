"""metrics: what a metric is. A file of this folder that defines a `Metric` is one; see docs/metrics.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Generic, Literal, TypeVar

from diagrammar import catalog
from diagrammar.records.diagrams import FailureKind
from diagrammar.records.scores import Case, NotComputed

S = TypeVar("S")

# Nobody's mistake but the machine's: such a side says nothing about a model.
MACHINE_FAILURES: frozenset[FailureKind] = frozenset({"isolation_required"})


@dataclass(frozen=True)
class Failed:
    """The statistics of a candidate that draws nothing: it scores the metric's failure value."""

    reason: str


@dataclass(frozen=True)
class Metric(Generic[S]):
    """A metric: statistics per case first, the score of many cases second, so that resampling is free.

    `version` goes up whenever the same case may give another value; `settings` names whatever else decides
    it. `on_example` is the score of `example.EXAMPLE`, worked out by hand.
    """

    name: str
    version: int
    reads: Literal["objects", "code"]
    compare: Callable[[Case], S]  # both sides are compiled
    score: Callable[[S], float]  # of one case
    on_example: float
    settings: Callable[[], dict[str, str]] = dict
    failure_value: float = 0.0

    def measure(self, case: Case) -> S | Failed | NotComputed:
        """The case's statistics; Failed where the candidate draws nothing; NotComputed without a truth.

        Source: Diagram-MMU, appendix D.2, failure handling.
        """
        for name, side in (("truth", case.truth), ("candidate", case.candidate)):
            if side.failure is not None and side.failure.kind in MACHINE_FAILURES:
                return NotComputed(reason=f"the {name} could not be compiled here: {side.failure.message}")
        if case.truth.scene is None:
            why = case.truth.failure.message if case.truth.failure else "it has not been read"
            return NotComputed(reason=f"the truth does not compile: {why}")
        if self.reads == "objects" and not case.truth.scene.marked:
            return NotComputed(reason="the truth compiles only without marks, so its objects are unknown")
        if case.candidate.scene is None:
            return Failed(case.candidate.failure.message if case.candidate.failure else "no code")
        return self.compare(case)

    def pool(self, statistics: Sequence[S | Failed]) -> float | NotComputed:
        """The mean over cases. A failed candidate counts with the failure value: the denominator is fixed."""
        if not statistics:
            return NotComputed(reason="no cases")
        values = [self.failure_value if isinstance(s, Failed) else self.score(s) for s in statistics]
        return math.fsum(values) / len(values)

    @cached_property
    def signature(self) -> str:
        """What decides the value, in one line: `f1_bbox|v:1|iou:0.3|...`."""
        settings = {"v": str(self.version), **self.settings()}
        return "|".join([self.name, *(f"{key}:{value}" for key, value in settings.items())])


@cache
def load_metrics() -> Mapping[str, Metric[object]]:
    """Every metric of this folder by name."""
    return catalog.load_all("diagrammar.metrics", Metric)
