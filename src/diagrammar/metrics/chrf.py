"""metrics: chrF, how many runs of up to six characters two programs share.

Beside the paper. Source: Popovic, "chrF: character n-gram F-score for automatic MT evaluation", 2015, with the
settings usual since: orders 1 to 6, recall weighing twice as much as precision, white space left out. Differs:
comments are left out, too, and two empty programs give 1.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from diagrammar.metrics.code_overlap import OrderOverlap
from diagrammar.metrics.protocol import Metric
from diagrammar.metrics.tikz_tokens import without_comments

ORDERS = range(1, 7)
BETA = 2


@dataclass(frozen=True)
class CharacterOverlap:
    """The runs of characters that two programs share, per order from 1 to 6."""

    orders: tuple[OrderOverlap, ...]

    @property
    def chrf(self) -> float:
        """The F-score in 0..1 of the mean precision and the mean recall over the orders that both sides have."""
        if not any(order.candidate or order.truth for order in self.orders):
            return 1.0
        both = [order for order in self.orders if order.candidate and order.truth]
        if not any(order.matched for order in both):
            return 0.0
        precision = sum(order.matched / order.candidate for order in both) / len(both)
        recall = sum(order.matched / order.truth for order in both) / len(both)
        return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


def character_overlap(truth: str, candidate: str) -> CharacterOverlap:
    """What the two texts share, white space left out."""
    by_order = zip(_runs(truth), _runs(candidate), strict=True)
    return CharacterOverlap(
        tuple(
            OrderOverlap((ours & theirs).total(), theirs.total(), ours.total()) for ours, theirs in by_order
        )
    )


@lru_cache(maxsize=256)  # one truth stands against the candidates of many models
def _runs(text: str) -> tuple[Counter[str], ...]:
    dense = "".join(text.split())
    return tuple(
        Counter(dense[start : start + order] for start in range(len(dense) - order + 1)) for order in ORDERS
    )


# By hand: of 68 and 59 characters
_PRECISION = (47 / 59 + 42 / 58 + 38 / 57 + 35 / 56 + 32 / 55 + 29 / 54) / 6
_RECALL = (47 / 68 + 42 / 67 + 38 / 66 + 35 / 65 + 32 / 64 + 29 / 63) / 6

METRIC = Metric(
    name="chrf",
    version=1,
    reads="code",
    compare=lambda case: character_overlap(
        without_comments(case.truth.code), without_comments(case.candidate.code)
    ),
    score=lambda overlap: overlap.chrf,
    settings=lambda: {"orders": "1-6", "beta": str(BETA), "space": "no", "comments": "no"},
    on_example=5 * _PRECISION * _RECALL / (4 * _PRECISION + _RECALL),
    protocol="beside",
)
