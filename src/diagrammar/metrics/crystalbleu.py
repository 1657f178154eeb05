"""metrics: CrystalBLEU, how much TeX code two programs share beyond what unrelated programs share.

Source: Eghbali and Pradel, "CrystalBLEU", 2022; Diagram-MMU, appendix C.2, code-based metrics. Differs from
the authors' package where that is undefined or noise; docs/metrics.md lists it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import NamedTuple

from diagrammar.metrics.protocol import Metric
from diagrammar.metrics.tokens import ORDERS, Ngram, ngrams, tex_tokens
from diagrammar.metrics.trivial import SHA256, trivial_ngrams
from diagrammar.records.scores import Case


class OrderOverlap(NamedTuple):
    """N-grams of one order, trivially shared ones left out."""

    matched: int
    candidate: int
    truth: int


@dataclass(frozen=True)
class CodeOverlap:
    """What two programs share, per order from 1 to 4, and their lengths in tokens with nothing left out."""

    orders: tuple[OrderOverlap, ...]
    candidate_tokens: int
    truth_tokens: int

    @property
    def bleu(self) -> float:
        """BLEU-4 in 0..1: the geometric mean of the orders' precisions times the brevity penalty, unsmoothed.

        An order of which neither side has an n-gram left is left out of the mean. Two empty programs give
        1, an empty one against another 0.
        """
        if not self.candidate_tokens or not self.truth_tokens:
            return float(self.candidate_tokens == self.truth_tokens)
        orders = [order for order in self.orders if order.candidate or order.truth]
        if any(not order.matched for order in orders):
            return 0.0
        logs = [math.log(order.matched / order.candidate) for order in orders]
        mean = math.exp(math.fsum(logs) / len(logs)) if logs else 1.0
        return mean * math.exp(min(0.0, 1 - self.truth_tokens / self.candidate_tokens))


class Profile(NamedTuple):
    """A program to CrystalBLEU: its n-grams that are not trivially shared, its length in tokens."""

    ngrams_by_order: tuple[Counter[Ngram], ...]
    tokens: int


def profile(tokens: Sequence[str], *, trivial: Container[Ngram]) -> Profile:
    """The profile of a program's tokens."""
    counts = (Counter(ngram for ngram in ngrams(tokens, order) if ngram not in trivial) for order in ORDERS)
    return Profile(tuple(counts), len(tokens))


def code_overlap(truth: Profile, candidate: Profile) -> CodeOverlap:
    """What the two programs share beyond the trivially shared n-grams."""
    by_order = zip(truth.ngrams_by_order, candidate.ngrams_by_order, strict=True)
    return CodeOverlap(
        orders=tuple(
            OrderOverlap((ours & theirs).total(), theirs.total(), ours.total()) for ours, theirs in by_order
        ),
        candidate_tokens=candidate.tokens,
        truth_tokens=truth.tokens,
    )


@lru_cache(maxsize=256)  # one truth stands against the candidates of many models
def _profile(code: str) -> Profile:
    return profile(tex_tokens(code), trivial=trivial_ngrams())


def _compare(case: Case) -> CodeOverlap:
    return code_overlap(_profile(case.truth.code), _profile(case.candidate.code))


METRIC = Metric(
    name="crystalbleu",
    version=1,
    reads="code",
    compare=_compare,
    score=lambda overlap: overlap.bleu,
    settings=lambda: {
        "tokens": f"TexLexer-pygments-{version('pygments')}",
        "orders": "1-4",
        "trivial": f"sha256-{SHA256[:12]}",
    },
    on_example=math.exp(1 - 16 / 14) * (4 / 7 * 4 / 9 * 5 / 11 * 5 / 11) ** (1 / 4),
)
