"""grading: grades and annotators' labels -> agreement, in the rows of the paper's Table C.2.

Source: Diagram-MMU, appendix C.4. Cohen's kappa between the automatic verdict and the majority of the annotators,
Fleiss' kappa among these, and the share of equal labels. Differs: a tie among annotators has no majority; it is counted
and left out of the first and the last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from diagrammar.grading.kappa import cohen_kappa, fleiss_kappa, majority
from diagrammar.records.grades import LABELS, Grade
from diagrammar.records.scores import NotComputed

# From here on a kappa says little: with one label on nearly all cases, chance explains nearly all agreement.
SKEWED = 0.95
SUBSETS: dict[str, Callable[[Grade], bool]] = {
    "All": lambda grade: True,  # noqa: ARG005
    "Stage 2 (Rule)": lambda grade: grade.stage == "rule",
    "Stage 3 (LLM)": lambda grade: grade.stage == "judge",
    "OI-NUM": lambda grade: grade.answer_type == "NUM",
    "OI-TERM": lambda grade: grade.answer_type == "TERM",
    "OI-LIST": lambda grade: grade.answer_type == "LIST",
}


@dataclass(frozen=True)
class Agreement:
    """A row of the table. `n` counts the cases that every annotator labelled, `ties` those without a majority."""

    subset: str
    n: int
    ties: int
    kappa_jh: float | NotComputed
    kappa_hh: float | NotComputed
    acc_pct: float | NotComputed
    skew: float | None  # the share of the commonest label on both sides, from SKEWED on

    @property
    def note(self) -> str:
        """What a reader of the kappas has to know."""
        if self.skew is None:
            return ""
        return (
            f"{100 * self.skew:.1f} % of the labels are the same; kappa is deflated, the accuracy says more"
        )


def agreement_table(grades: Sequence[Grade], labels: Sequence[Mapping[str, str]]) -> list[Agreement]:
    """A row per subset; `labels` holds each annotator's label by case id. What someone left out is passed over."""
    complete = [
        (grade, [annotator[grade.id] for annotator in labels])
        for grade in grades
        if grade.verdict in LABELS and labels and all(grade.id in annotator for annotator in labels)
    ]
    return [
        _row(name, [(grade, given) for grade, given in complete if belongs(grade)])
        for name, belongs in SUBSETS.items()
    ]


def _row(subset: str, cases: Sequence[tuple[Grade, list[str]]]) -> Agreement:
    decided = [(grade.verdict, most) for grade, given in cases if (most := majority(given)) is not None]
    verdicts, people = [verdict for verdict, _ in decided], [most for _, most in decided]
    given = [labels for _, labels in cases]
    kappa_hh: float | NotComputed = NotComputed(reason="one annotator only")
    if not given or len(given[0]) > 1:
        kappa_hh = fleiss_kappa(given)
    agreed = sum(verdict == most for verdict, most in decided)
    accuracy = 100 * agreed / len(decided) if decided else NotComputed(reason="no case")
    return Agreement(
        subset,
        len(cases),
        len(cases) - len(decided),
        cohen_kappa(verdicts, people),
        kappa_hh,
        accuracy,
        _skew([*verdicts, *people]),
    )


def _skew(labels: Sequence[str]) -> float | None:
    if not labels:
        return None
    share = max(Counter(labels).values()) / len(labels)
    return share if share >= SKEWED else None
