"""grading: a number in plain spelling -> its exact value.

Decimals and fractions are exact; roots and π are good to 50 digits. Sums and products of plain numbers are no
number: `2 + 3` is a way to an answer, and which of its numbers counts is not for a rule to say.
"""

from __future__ import annotations

import decimal
import re
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from diagrammar.grading.mathtext import GROUP

LONGEST = 200  # characters
MOST_DIGITS = 400  # of a power: 10^400 is a number, 10^(10^10) no answer
_CONTEXT = decimal.Context(prec=60)
PI = Fraction("3.14159265358979323846264338327950288419716939937510582")
_NUMBER = re.compile(
    rf"(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+(?![0-9])|[0-9]{{1,3}}(?:{GROUP}[0-9]{{3}})+(?![0-9])|[0-9]+)(?:\.[0-9]*)?"
    r"(?:[eE][-+]?[0-9]{1,4}(?![0-9]))?|\.[0-9]+(?:[eE][-+]?[0-9]{1,4}(?![0-9]))?"
)
_MIXED_TAIL = re.compile(r"(?: ?\\frac\{ ?([0-9]+) ?\}\{ ?([0-9]+) ?\}| +([0-9]+) ?/ ?([0-9]+)(?![0-9.,]))")
_EXPONENT = re.compile(r"\s*\^\s*(?:\{\s*([-+]?[0-9]+)\s*\}|\(\s*([-+]?[0-9]+)\s*\)|([-+]?[0-9]+))")
_TIMES_TEN = re.compile(r"\s*[xX]\s*(?=10\s*\^)")


class NotANumber(ValueError):
    """The text is not one number; the message says what it is."""


@dataclass(frozen=True)
class Part:
    """A value and how it was written: `closed` with a power, root or π; `irrational` is not exact."""

    value: Fraction
    closed: bool = False
    irrational: bool = False


def read_number(text: str) -> tuple[Fraction, str]:
    """The number that the text begins with, and what follows it. Raises NotANumber."""
    if len(text) > LONGEST:
        raise NotANumber("a long text")
    reader = _Reader(text)
    value = reader.sum().value
    return value, text[reader.at :]


class _Reader:
    """A place in a text; each method reads one part and moves on."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def sum(self) -> Part:
        """Terms, added. Plain numbers are not added up."""
        whole = self._signed()
        while (sign := self._next("+-")) is not None:
            term = self._signed()
            if not (whole.irrational or term.irrational):
                raise NotANumber("a sum of numbers")
            whole = Part(
                whole.value + (term.value if sign == "+" else -term.value), closed=True, irrational=True
            )
        return whole

    def _signed(self) -> Part:
        sign = self._next("+-")
        term = self._product()
        return Part(-term.value, term.closed, term.irrational) if sign == "-" else term

    def _product(self) -> Part:
        whole = self._power()
        divided = False
        while True:
            if (times_ten := _TIMES_TEN.match(self.text, self.at)) is not None:
                self.at = times_ten.end()
                whole = _times(whole, self._power())
            elif self._peek() == "*" and self._begins_number(1):
                self._next("*")
                whole = _times(whole, self._power())
            elif self._peek() == "/" and self._begins_number(1):
                self._next("/")
                if divided:
                    raise NotANumber("a chain of divisions")
                whole, divided = _over(whole, self._power()), True
            elif self._peek() in ("π", "√"):
                if divided:  # 1/2π may be (1/2)π or 1/(2π)
                    raise NotANumber("a division whose end is not clear")
                whole = _times(whole, self._power())
            else:
                return whole

    def _power(self) -> Part:
        base = self._atom()
        if (exponent := _EXPONENT.match(self.text, self.at)) is None:
            return base
        self.at = exponent.end()
        return _raised(base, next(digits for digits in exponent.groups() if digits))

    def _atom(self) -> Part:
        self.depth += 1
        if self.depth > LONGEST // 4:
            raise NotANumber("nested too deeply")
        if (opening := self._next("({")) is not None:
            inside = self.sum()
            self._close(")" if opening == "(" else "}")
            return inside
        if self._next("π") is not None:
            return Part(PI, closed=True, irrational=True)
        if self._next("√") is not None:
            return self._root()
        self._skip_space()
        if self.text.startswith("\\frac", self.at):
            self.at += len("\\frac")
            return _over(self._braced(), self._braced())
        return self._literal()

    def _literal(self) -> Part:
        if (found := _NUMBER.match(self.text, self.at)) is None:
            raise NotANumber(
                "no number" if self.at == 0 else f"unclear after {self.text[: self.at].strip()!r}"
            )
        self.at = found.end()
        digits = found[0].replace(",", "").replace(GROUP, "")
        if abs(int(digits.lower().partition("e")[2] or 0)) > MOST_DIGITS:
            raise NotANumber("a power beyond measure")
        value = Fraction(digits)
        if digits.isdigit() and (tail := _MIXED_TAIL.match(self.text, self.at)) is not None:
            above, below = (int(number) for number in tail.groups() if number)
            if 0 < above < below:  # 2 1/2; and 2 3/2 is not clear
                self.at = tail.end()
                return Part(value + Fraction(above, below))
            raise NotANumber("two numbers in a row")
        return Part(value)

    def _root(self) -> Part:
        degree = 2
        if self._next("[") is not None:
            if (index := self._next("23456789")) is None:
                raise NotANumber("a root of unknown degree")
            degree = int(index)
            self._close("]")
        self._skip_space()
        inside = self._atom()
        return _rooted(inside, degree)

    def _braced(self) -> Part:
        if self._next("{") is None:
            raise NotANumber("a fraction without braces")
        inside = self.sum()
        self._close("}")
        return inside

    def _close(self, bracket: str) -> None:
        if self._next(bracket) is None:
            raise NotANumber("brackets around more than a number")

    def _skip_space(self) -> None:
        while self.text[self.at : self.at + 1] == " ":
            self.at += 1

    def _peek(self) -> str:
        return self.text[self.at :].lstrip(" ")[:1]

    def _begins_number(self, skip: int) -> bool:
        """Whether a number follows the sign: `5 / s` goes on with a unit."""
        return (
            re.match(r"[-+]? *(?:[0-9.({√π]|\\frac)", self.text[self.at :].lstrip(" ")[skip:].lstrip(" "))
            is not None
        )

    def _next(self, wanted: str) -> str | None:
        """One of the wanted characters, spaces before it passed over; None, and no move, for another."""
        sign = self._peek()
        if not sign or sign not in wanted:
            return None
        self._skip_space()
        self.at += 1
        return sign


def _times(left: Part, right: Part) -> Part:
    if not (left.closed or right.closed):
        raise NotANumber("a product of numbers")
    return Part(left.value * right.value, closed=True, irrational=left.irrational or right.irrational)


def _over(above: Part, below: Part) -> Part:
    if below.value == 0:
        raise NotANumber("a division by zero")
    return Part(above.value / below.value, above.closed or below.closed, above.irrational or below.irrational)


def _raised(base: Part, digits: str) -> Part:
    exponent = int(digits) if len(digits) < 5 else MOST_DIGITS + 1
    size = max(base.value.numerator.bit_length(), base.value.denominator.bit_length(), 1)
    if (
        abs(exponent) > MOST_DIGITS
        or abs(exponent) * size > MOST_DIGITS * 8
        or (base.value == 0 and exponent <= 0)
    ):
        raise NotANumber("a power beyond measure")
    return Part(base.value**exponent, closed=True, irrational=base.irrational)


def _rooted(inside: Part, degree: int) -> Part:
    value = inside.value
    if value < 0:
        raise NotANumber("a root of a negative number")
    if degree == 2 and not inside.irrational:
        above, below = isqrt(value.numerator), isqrt(value.denominator)
        if Fraction(above * above, below * below) == value:
            return Part(Fraction(above, below), closed=True)
    if value == 0:
        return Part(value, closed=True)
    number = _CONTEXT.divide(decimal.Decimal(value.numerator), decimal.Decimal(value.denominator))
    root = (
        _CONTEXT.sqrt(number)
        if degree == 2
        else _CONTEXT.power(number, _CONTEXT.divide(1, decimal.Decimal(degree)))
    )
    return Part(Fraction(root), closed=True, irrational=True)
