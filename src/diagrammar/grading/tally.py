"""grading: many grades -> their counts, accuracy and the share of replies that could be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from diagrammar.records.grades import Grade

# The steps that find the form which was asked for.
AS_ASKED = frozenset({"json", "fence", "braces", "regex"})


@dataclass(frozen=True)
class Tally:
    """Counts of grades. `escalated` were never put to a judge, `not_judged` were, without a verdict."""

    graded: int = 0
    correct: int = 0
    incorrect: int = 0
    unattempted: int = 0
    unreadable: int = 0
    escalated: int = 0
    not_judged: int = 0
    replies: int = 0  # cases that came as a whole reply
    read: int = 0  # of these, those in which an answer was found
    as_asked: int = 0  # of these, those in the form that was asked for

    @property
    def undecided(self) -> int:
        return self.escalated + self.not_judged

    @property
    def accuracy(self) -> tuple[float, float] | None:
        """The least and the most that the share of correct answers may be; None without a case."""
        if not self.graded:
            return None
        return self.correct / self.graded, (self.correct + self.undecided) / self.graded

    def line(self, *, bad_lines: int = 0) -> str:
        """All of it on one line."""
        counts = (
            f"{self.correct:,} correct, {self.incorrect:,} incorrect, {self.unattempted:,} unattempted, "
            f"{self.unreadable:,} unreadable, {self.escalated:,} escalated, {self.not_judged:,} not judged"
        )
        bad = f"; {bad_lines:,} bad lines" if bad_lines else ""
        return f"graded {self.graded:,} ({counts}{bad}); {self._accuracy_line()}; {self._extraction_line()}"

    def _accuracy_line(self) -> str:
        if (bounds := self.accuracy) is None:
            return "accuracy not computed: no case"
        least, most = (f"{100 * bound:.1f}" for bound in bounds)
        return (
            f"accuracy {least} %"
            if least == most
            else f"accuracy {least} to {most} %, as the undecided turn out"
        )

    def _extraction_line(self) -> str:
        if not self.replies:
            return "extraction rate not computed: the cases hold answers, not replies"
        read, asked = (100 * count / self.replies for count in (self.read, self.as_asked))
        return f"extraction rate {read:.1f} % ({asked:.1f} % in the form asked for)"


def tally(grades: Iterable[Grade]) -> Tally:
    """The counts of these grades."""
    verdicts: Counter[str] = Counter()
    replies = read = as_asked = 0
    for grade in grades:
        not_judged = grade.verdict == "escalated" and grade.stage == "judge"
        verdicts["not_judged" if not_judged else grade.verdict] += 1
        if grade.extraction != "given":
            replies += 1
            read += grade.extraction is not None
            as_asked += grade.extraction in AS_ASKED
    names = ("correct", "incorrect", "unattempted", "unreadable", "escalated", "not_judged")
    counts = {name: verdicts[name] for name in names}
    return Tally(graded=verdicts.total(), replies=replies, read=read, as_asked=as_asked, **counts)
