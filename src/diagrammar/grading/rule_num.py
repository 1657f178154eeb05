"""grading, step 2 for NUM: a number with a unit, within 1 % of the truth.

Source: Diagram-MMU, appendix C.3, OI-NUM: absolute difference at most 1e-6, or at most 1 % of the truth. Differs:
computed in fractions, so that the edge is where it is written; quantities are compared in the truth's own unit;
another quantity (2 A, 2 V) is wrong whatever the number. The strict variant allows the absolute
difference for a truth of 0 only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from diagrammar.grading.mathtext import plain_math
from diagrammar.grading.numbers import LONGEST, PI, NotANumber, read_number
from diagrammar.grading.rule_term import normalise_term
from diagrammar.grading.ruling import Protocol, Ruling, correct, incorrect, is_fallback, unsure
from diagrammar.grading.units import Unit, read_unit

ABSOLUTE = Fraction(1, 10**6)
RELATIVE = Fraction(1, 100)
_APPROXIMATELY = re.compile(r"^\s*(?:[≈≃≅∼=~]|\\(?:approx|simeq|sim|cong|thickapprox)(?![A-Za-z]))\s*")
_NO_NUMBER = frozenset(
    {"nan", "inf", "+inf", "-inf", "infinity", "-infinity", "+infinity", "true", "false", ""}
)
# Units between which a factor is not the whole story.
_TEMPERATURES = frozenset({"K", "°C", "°F"})


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, as stated: 1 kΩ is 1, not 1000."""

    value: Fraction
    unit: Unit


def read_quantity(text: str) -> Quantity:
    """The quantity that the whole text is. Raises NotANumber, which says what it is instead."""
    if len(text) > 4 * LONGEST:
        raise NotANumber("a long text")
    plain = _APPROXIMATELY.sub("", plain_math(_APPROXIMATELY.sub("", text)))
    value, rest = read_number(plain)
    rest = rest.strip()
    unit = read_unit(rest)
    if unit is None:
        raise NotANumber(f"a number and more: {rest[:40]!r}")
    return Quantity(value, unit)


def rule_num(truth: str, answer: str, *, protocol: Protocol = "paper") -> Ruling:
    """The verdict on a numeric answer. A text that is not one number, with or without a unit, is for the judge."""
    if not answer.strip():
        return unsure(0.0, "there is no answer")
    if answer.strip().casefold() in _NO_NUMBER:
        return unsure(0.1, f"{answer.strip()} is no number")
    if is_fallback(truth) or is_fallback(answer):
        return _rule_fallback(truth, answer)
    try:
        found = read_quantity(answer)
    except NotANumber as reason:
        if normalise_term(truth) == normalise_term(answer):
            return correct(0.95, "the same text")
        return unsure(0.3, f"the answer is not one number: {reason}")
    try:
        wanted = read_quantity(truth)
    except NotANumber as reason:
        if normalise_term(truth) == normalise_term(answer):
            return correct(0.95, "the same text")
        return unsure(0.3, f"the truth is not one number: {reason}")
    return _compare(wanted, found, protocol)


def within(truth: Fraction, value: Fraction, *, protocol: Protocol = "paper") -> bool:
    """Whether a value counts as the truth's, both in the same unit."""
    difference = abs(value - truth)
    if difference <= RELATIVE * abs(truth):
        return True
    return difference <= ABSOLUTE and (protocol == "paper" or truth == 0)


def _rule_fallback(truth: str, answer: str) -> Ruling:
    if is_fallback(truth) and is_fallback(answer):
        return correct(1.0, "NOT_PRESENT on both sides")
    if is_fallback(answer):
        return incorrect(0.9, "NOT_PRESENT, though the diagram tells")
    try:
        read_quantity(answer)
    except NotANumber:
        return unsure(0.4, "the truth is NOT_PRESENT; the answer may say so in other words")
    return incorrect(0.95, "a number, though the truth is NOT_PRESENT")


def _compare(truth: Quantity, answer: Quantity, protocol: Protocol) -> Ruling:
    if _same_kind(truth.unit, answer.unit):
        value = answer.value * answer.unit.size / truth.unit.size
        sure = 0.98 if truth.unit.plain else 0.95
        if within(truth.value, value, protocol=protocol):
            return correct(sure, f"{_shown(value)} is within the tolerance of {_shown(truth.value)}")
        return incorrect(sure, f"{_shown(value)} is too far from {_shown(truth.value)}")
    if truth.unit.plain or answer.unit.plain:
        return _compare_one_unit(truth, answer, protocol)
    if truth.unit.simple and answer.unit.simple:
        if {truth.unit.name, answer.unit.name} <= _TEMPERATURES:
            return unsure(0.5, "two scales of temperature")
        return incorrect(0.9, f"another quantity: {answer.unit.name}, not {truth.unit.name}")
    return unsure(0.5, f"units that may or may not be the same: {truth.unit.name} and {answer.unit.name}")


def _same_kind(truth: Unit, answer: Unit) -> bool:
    if not (truth.known and answer.known):
        return (truth.known, truth.name) == (answer.known, answer.name)
    return truth.dimension == answer.dimension


def _compare_one_unit(truth: Quantity, answer: Quantity, protocol: Protocol) -> Ruling:
    """One side has a unit, the other just a number."""
    unit = answer.unit if truth.unit.plain else truth.unit
    near = within(truth.value, answer.value, protocol=protocol)
    if unit.known and unit.dimension == (("%", 1),):
        return _compare_percent(truth, answer, protocol, near=near)
    if not unit.known:
        # The truth says "5 faces" and the answer 5; the other way round the word may be anything.
        if near and answer.unit.plain:
            return correct(0.88, "the same number, without the truth's word")
        return unsure(0.6, f"a number with a word that is no unit we know: {unit.name}")
    if near:
        if unit.prefixed:
            return unsure(0.7, f"the same number, but {unit.name} with a prefix on one side only")
        return correct(0.88, f"the same number, {unit.name} on one side only")
    if _other_scale(truth.value, answer.value, unit):
        return unsure(0.6, f"the numbers differ by a factor that {unit.name} may explain")
    return incorrect(0.9, f"{_shown(answer.value)} is too far from {_shown(truth.value)}")


def _compare_percent(truth: Quantity, answer: Quantity, protocol: Protocol, *, near: bool) -> Ruling:
    value = answer.value / 100 if truth.unit.plain else answer.value * 100
    if within(truth.value, value, protocol=protocol):
        return correct(0.9, "the same share, once as percent")
    if near:
        if truth.unit.plain and abs(truth.value) <= 1:
            return unsure(0.5, "a percent sign behind a share")
        return correct(0.88, "the same number, a percent sign on one side only")
    return incorrect(0.9, f"{_shown(answer.value)} is too far from {_shown(truth.value)}")


def _other_scale(truth: Fraction, answer: Fraction, unit: Unit) -> bool:
    """Whether a prefix, or degrees against radians, would make the numbers equal."""
    factors = [Fraction(10) ** power for power in (-12, -9, -6, -3, -2, -1, 1, 2, 3, 6, 9, 12)]
    if unit.dimension == (("°", 1),):
        factors += [PI / 180, 180 / PI]
    return any(within(truth, answer * factor, protocol="strict") for factor in factors) and truth != 0


def _shown(value: Fraction) -> str:
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return f"about 10^{len(str(abs(value.numerator))) - len(str(value.denominator))}"
