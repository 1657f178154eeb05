"""metrics: TeX edit distance, what it costs to make one program's text out of the other's. Lower is better.

Beside the paper. It is the extended edit distance over tokens: to delete is cheap, whole blocks may move, what is used
twice or never costs. Source: Stanchev, Wang and Ney, "EED: Extended Edit Distance Measure for Machine Translation",
2019. Differs: the tokens are TikZ's; equal tokens cost nothing; sums are exact, see docs/metrics.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diagrammar.metrics.protocol import Metric
from diagrammar.metrics.tikz_tokens import VERSION, tikz_tokens
from diagrammar.records.scores import Case, NotComputed

# In tenths, so that all sums are whole numbers: in floats, rounding would decide between equally good places.
INSERT, SUBSTITUTE, DELETE, JUMP, COVERAGE = 10, 10, 2, 20, 3
BLANK = " "
# Time grows with the product of the lengths: about 3 s here. Two programs of 5,000 tokens stay below.
MAX_CELLS = 4 * 10**8


@dataclass(frozen=True)
class EditCost:
    """The cost in tenths of making the truth from the candidate, and the truth's length in characters."""

    edits: int
    coverage: int
    truth_characters: int
    equal: bool

    @property
    def distance(self) -> float:
        """The cost for each character of the truth, in 0..1; 0 only for equal tokens."""
        if self.equal:
            return 0.0
        cost = self.edits + self.coverage
        return min(1.0, cost / (10 * self.truth_characters + self.coverage))


def edit_cost(truth: str, candidate: str) -> EditCost:
    """The cheapest way through the grid of the two texts. A jump is open after each blank of the truth.

    The grid's first row lets the way begin anywhere in the candidate, for the price of
    one insertion.
    """
    ours, theirs = (np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32) for text in (truth, candidate))
    # Costs less what deletions alone would cost up to here: a run of deletions is then a running minimum.
    deletions = DELETE * np.arange(len(theirs) + 1, dtype=np.int32)
    row = INSERT - deletions
    row[0] = 0
    below = np.empty_like(row)
    visits = np.zeros(len(theirs) + 1, dtype=np.int64)
    step_by_character = {
        int(character): np.where(theirs == character, 0, SUBSTITUTE).astype(np.int32) - DELETE
        for character in np.unique(ours)
    }
    for character in ours.tolist():
        step = step_by_character[character]
        np.add(row, INSERT, out=below)
        np.minimum(below[1:], row[:-1] + step, out=below[1:])
        np.minimum.accumulate(below, out=below)
        costs = below + deletions
        best = int(costs.argmin())
        visits[best] += 1
        if character == ord(BLANK):
            np.minimum(below, costs[best] + JUMP - deletions, out=below)
        row, below = below, row
    return EditCost(
        edits=int(row[-1] + deletions[-1]),
        coverage=COVERAGE * _uncovered(visits),
        truth_characters=len(ours),
        equal=truth == candidate,
    )


def _uncovered(visits: NDArray[np.int64]) -> int:
    """How often a place of the candidate is passed once more than once, and how many places never are."""
    return int(np.where(visits > 0, visits - 1, 1).sum())


def _text(code: str) -> str:
    """The tokens with a blank before, between and after; nothing where there are none."""
    tokens = tikz_tokens(code)
    return BLANK + BLANK.join(tokens) + BLANK if tokens else ""


def _compare(case: Case) -> EditCost | NotComputed:
    truth, candidate = _text(case.truth.code), _text(case.candidate.code)
    if truth == candidate:
        return EditCost(edits=0, coverage=0, truth_characters=len(truth), equal=True)
    if len(truth) * len(candidate) > MAX_CELLS:
        return NotComputed(
            reason=f"programs of {len(truth):,} and {len(candidate):,} characters are too long for it"
        )
    return edit_cost(truth, candidate)


METRIC = Metric(
    name="ted",
    version=1,
    reads="code",
    compare=_compare,
    score=lambda cost: cost.distance,
    settings=lambda: {"tokens": f"tikz-{VERSION}", "costs": "1-1-0.2", "jump": "2", "coverage": "0.3"},
    on_example=None,  # too many steps for a hand; tests/metrics/code_goldens.jsonl holds another program's values
    failure_value=1.0,
    perfect=0.0,
    protocol="beside",
)
