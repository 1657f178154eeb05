"""bench, step 5: Evaluated -> the numbers of a report: means per model and domain, with what they are means of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from diagrammar.records.diagrams import DOMAINS, Domain
from diagrammar.records.runs import Evaluated

LABELS = {
    "f1_avg": "F1 avg",
    "f1_type": "type",
    "f1_text": "text",
    "f1_color": "colour",
    "f1_bbox": "box",
    "crystalbleu": "CrystalBLEU",
}
DOMAIN_LABELS: dict[Domain, str] = {
    "charts": "Charts",
    "planar_geometry": "Plane geometry",
    "3d_shapes": "3D shapes",
    "graph": "Graphs",
    "chemistry": "Chemistry",
    "circuit": "Circuits",
}
METRICS = tuple(LABELS)


@dataclass(frozen=True)
class Mean:
    """The mean of a metric over answers. Answers that failed are in it; those not computed cannot be."""

    value: float | None  # 0..1; None where nothing could be computed
    n: int  # answers in the mean
    failed: int  # of these, the ones that draw nothing: they count with the failure value
    not_computed: int

    @property
    def shown(self) -> str:
        """Times 100, one decimal."""
        return "–" if self.value is None else f"{100 * self.value:.1f}"


@dataclass(frozen=True)
class ModelSummary:
    """One run in numbers."""

    name: str
    setting: str
    n: int
    means: dict[str, Mean]  # by metric
    by_domain: dict[Domain, dict[str, Mean]]
    outcomes: dict[str, int]  # drawn, or why not, most frequent first

    @property
    def drawn(self) -> int:
        """Answers that compile."""
        return self.outcomes.get("drawn", 0)


def summarise(name: str, answers: Sequence[Evaluated]) -> ModelSummary:
    """A run's numbers."""
    domains = [domain for domain in DOMAINS if any(answer.domain == domain for answer in answers)]
    outcomes = Counter(outcome(answer) for answer in answers)
    return ModelSummary(
        name=name,
        setting=answers[0].setting if answers else "",
        n=len(answers),
        means={metric: mean(answers, metric) for metric in METRICS},
        by_domain={
            domain: {metric: mean([a for a in answers if a.domain == domain], metric) for metric in METRICS}
            for domain in domains
        },
        outcomes=dict(outcomes.most_common()),
    )


def mean(answers: Sequence[Evaluated], metric: str) -> Mean:
    """The mean of one metric over these answers."""
    computed = [answer for answer in answers if getattr(answer.score, metric) is not None]
    return Mean(
        value=fsum(getattr(answer.score, metric) for answer in computed) / len(computed)
        if computed
        else None,
        n=len(computed),
        failed=sum(not answer.score.compiled.candidate for answer in computed),
        not_computed=len(answers) - len(computed),
    )


def outcome(answer: Evaluated) -> str:
    """`drawn`, or in one word why nothing is drawn."""
    if answer.candidate is None:
        return answer.status
    failure = answer.score.failures.candidate
    return "drawn" if failure is None else failure.kind
