"""metrics: two programs' n-grams -> what they share, and the BLEU of it. Also the two parts of an edit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from diagrammar.metrics.tokens import ORDERS, Ngram, ngrams


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

        An order of which neither side has an n-gram left is left out of the mean. Two empty sides give 1, an
        empty one against another 0. A side is empty that has no token and no n-gram: an edit that only moves
        or drops code has no new token, and yet new runs of tokens.
        """
        orders = [order for order in self.orders if order.candidate or order.truth]
        candidate_empty = not self.candidate_tokens and not any(order.candidate for order in orders)
        truth_empty = not self.truth_tokens and not any(order.truth for order in orders)
        if candidate_empty or truth_empty:
            return float(candidate_empty and truth_empty)
        if any(not order.matched for order in orders):
            return 0.0
        logs = [math.log(order.matched / order.candidate) for order in orders]
        mean = math.exp(math.fsum(logs) / len(logs)) if logs else 1.0
        return mean * _brevity(self.candidate_tokens, self.truth_tokens)


def _brevity(candidate_tokens: int, truth_tokens: int) -> float:
    if candidate_tokens >= truth_tokens:
        return 1.0
    # its limit where the candidate has none of the tokens
    return math.exp(1 - truth_tokens / candidate_tokens) if candidate_tokens else 0.0


class Profile(NamedTuple):
    """A program, or a part of one, to CrystalBLEU."""

    ngrams_by_order: tuple[Counter[Ngram], ...]  # those that are not trivially shared
    tokens: Counter[str]  # all of them: how long it is


def profile(tokens: Sequence[str], *, trivial: AbstractSet[Ngram]) -> Profile:
    """The profile of a program's tokens."""
    counts = tuple(Counter(ngrams(tokens, order)) for order in ORDERS)
    for counted in counts:
        for ngram in counted.keys() & trivial:
            del counted[ngram]
    return Profile(counts, Counter(tokens))


def edited(program: Profile, source: Profile) -> Profile:
    """What the program has beyond the source: multiset subtraction, order by order.

    Source: Diagram-MMU, appendix C.2, code-based metrics.
    """
    by_order = zip(program.ngrams_by_order, source.ngrams_by_order, strict=True)
    return Profile(tuple(ours - theirs for ours, theirs in by_order), program.tokens - source.tokens)


def preserved(program: Profile, source: Profile) -> Profile:
    """What the program has in common with the source: multiset intersection, order by order.

    Source: Diagram-MMU, appendix C.2, code-based metrics.
    """
    by_order = zip(program.ngrams_by_order, source.ngrams_by_order, strict=True)
    return Profile(tuple(ours & theirs for ours, theirs in by_order), program.tokens & source.tokens)


def code_overlap(truth: Profile, candidate: Profile) -> CodeOverlap:
    """What the two programs share beyond the trivially shared n-grams."""
    by_order = zip(truth.ngrams_by_order, candidate.ngrams_by_order, strict=True)
    return CodeOverlap(
        orders=tuple(
            OrderOverlap((ours & theirs).total(), theirs.total(), ours.total()) for ours, theirs in by_order
        ),
        candidate_tokens=candidate.tokens.total(),
        truth_tokens=truth.tokens.total(),
    )
