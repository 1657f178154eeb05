"""grading: how far raters agree beyond chance. Exact: counts in, fractions inside.

Source: Cohen 1960; Fleiss 1971. The same numbers as scikit-learn's cohen_kappa_score and statsmodels' fleiss_kappa,
except that raters who all use one label get no number instead of NaN.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction

from diagrammar.records.scores import NotComputed

ONE_LABEL = NotComputed(reason="one label only")
NO_CASE = NotComputed(reason="no case")


def cohen_kappa(left: Sequence[Hashable], right: Sequence[Hashable]) -> float | NotComputed:
    """Agreement of two raters on the same cases, at most 1; 0 is chance. Raises ValueError for unequal lengths."""
    pairs = list(zip(left, right, strict=True))
    if not pairs:
        return NO_CASE
    agreed = Fraction(sum(one == other for one, other in pairs), len(pairs))
    of_left, of_right = Counter(left), Counter(right)
    by_chance = Fraction(sum(of_left[label] * of_right[label] for label in of_left), len(pairs) ** 2)
    return _beyond_chance(agreed, by_chance)


def fleiss_kappa(cases: Sequence[Sequence[Hashable]]) -> float | NotComputed:
    """Agreement of several raters, `cases` holding each case's labels.

    Raises ValueError unless all cases have as many labels, two or more.
    """
    if not cases:
        return NO_CASE
    raters = len(cases[0])
    if raters < 2 or any(len(labels) != raters for labels in cases):
        raise ValueError("every case needs a label of each of the same two or more raters")
    counts = [Counter(labels) for labels in cases]
    pairs = raters * (raters - 1)
    agreed = Fraction(sum(n * (n - 1) for case in counts for n in case.values()), pairs * len(cases))
    totals: Counter[Hashable] = sum(counts, Counter())
    by_chance = Fraction(sum(n * n for n in totals.values()), (raters * len(cases)) ** 2)
    return _beyond_chance(agreed, by_chance)


def majority(labels: Sequence[str]) -> str | None:
    """The label that more raters gave than any other; None for a tie or no label."""
    ranked = Counter(labels).most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _beyond_chance(agreed: Fraction, by_chance: Fraction) -> float | NotComputed:
    if by_chance == 1:
        return ONE_LABEL
    return float((agreed - by_chance) / (1 - by_chance))
