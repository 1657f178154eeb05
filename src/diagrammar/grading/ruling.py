"""grading: what a rule says of an answer, and how sure it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

# Source: Diagram-MMU, appendix C.3, stage 2. From here on a rule's verdict stands; below, a judge is asked.
SURE = 0.85
Protocol = Literal["paper", "strict"]
_FALLBACK = re.compile(r"[\"'`]?not[ _-]?present[\"'`]?\.?", re.IGNORECASE)
_DENIAL = re.compile(
    r"\b(?:no|not|none|nothing|never|neither|nor|without|absent|missing|unknown|unclear|cannot|n/a|na|null|empty|"
    r"un\w+able|invisible|undefined|indeterminate)\b|n't\b|∅|^-*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ruling:
    """A verdict, how sure the rule is (0 to 1) and why. Below SURE the verdict is a leaning and no more."""

    correct: bool
    confidence: float
    reason: str

    @property
    def sure(self) -> bool:
        return self.confidence >= SURE


def correct(confidence: float, reason: str) -> Ruling:
    return Ruling(True, confidence, reason)


def incorrect(confidence: float, reason: str) -> Ruling:
    return Ruling(False, confidence, reason)


def unsure(confidence: float, reason: str) -> Ruling:
    """A case for the judge."""
    assert confidence < SURE
    return Ruling(False, confidence, reason)


def is_fallback(text: str) -> bool:
    """Whether the text is NOT_PRESENT, the answer agreed on where a diagram does not tell."""
    return _FALLBACK.fullmatch(text.strip()) is not None


def may_deny(text: str) -> bool:
    """Whether the text may be another way to say that there is nothing."""
    return _DENIAL.search(text.strip()) is not None
