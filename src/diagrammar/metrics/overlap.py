"""metrics: how much two multisets share, and the F1 of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Overlap:
    """How many of the truth's and of the candidate's items are matched; colours match in part."""

    matched: float
    candidate: int
    truth: int

    @property
    def precision(self) -> float:
        return self.matched / self.candidate if self.candidate else 0.0

    @property
    def recall(self) -> float:
        return self.matched / self.truth if self.truth else 0.0

    @property
    def f1(self) -> float:
        """2PR / (P + R); 1 where both sides are empty, 0 where one is or nothing matches.

        Source: Diagram-MMU, appendix C.2, eq. 2 and edge cases. Written as 2M / (sum of counts): the same
        number, and exactly 1 for a full match.
        """
        if not self.candidate and not self.truth:
            return 1.0
        return 2 * self.matched / (self.candidate + self.truth)
