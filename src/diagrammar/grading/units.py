"""grading: a unit as text -> what it measures and how large it is.

Symbols are read by case (mA is not MA), names without it. What is no known unit is kept by name, so that the same
word on both sides still counts as the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from diagrammar.grading.numbers import PI

# symbol -> (base, size in it)
_SYMBOLS: dict[str, tuple[str, Fraction]] = {
    **{symbol: (symbol, Fraction(1)) for symbol in "ΩVAWFHCJNTKSmgL"},
    **{symbol: (symbol, Fraction(1)) for symbol in ("Hz", "Pa", "mol", "eV", "cal", "°C", "°F", "u", "dB", "M")},
    "s": ("s", Fraction(1)), "min": ("s", Fraction(60)), "h": ("s", Fraction(3600)), "hr": ("s", Fraction(3600)),
    "l": ("L", Fraction(1)), "Da": ("u", Fraction(1)), "amu": ("u", Fraction(1)), "°": ("°", Fraction(1)),
    "rad": ("°", 180 / PI), "%": ("%", Fraction(1)), "rpm": ("rpm", Fraction(1)),
}  # fmt: skip
_NAMES: dict[str, str] = {
    "ohm": "Ω", "volt": "V", "amp": "A", "ampere": "A", "watt": "W", "farad": "F", "henry": "H", "henrie": "H",
    "coulomb": "C", "joule": "J", "newton": "N", "tesla": "T", "kelvin": "K", "siemen": "S", "siemens": "S",
    "meter": "m", "metre": "m", "gram": "g", "gramme": "g", "liter": "L", "litre": "L", "hertz": "Hz", "pascal": "Pa",
    "mole": "mol", "mol": "mol", "second": "s", "sec": "s", "minute": "min", "min": "min", "hour": "h", "hr": "h",
    "deg": "°", "degree": "°", "radian": "rad", "rad": "rad", "percent": "%", "pct": "%", "dalton": "Da", "amu": "amu",
    "celsius": "°C", "fahrenheit": "°F", "degc": "°C", "degf": "°F", "electronvolt": "eV", "calorie": "cal",
}  # fmt: skip
# Small letters for these are a slip, not another unit.
_SLIPS = {"v": "V", "a": "A", "w": "W", "hz": "Hz", "ω": "Ω", "pa": "Pa", "ma": "mA", "mv": "mV", "kv": "kV"}
_PREFIXES = {
    "p": -12,
    "n": -9,
    "u": -6,
    "μ": -6,
    "m": -3,
    "c": -2,
    "d": -1,
    "k": 3,
    "K": 3,
    "M": 6,
    "G": 9,
    "T": 12,
}
_PREFIX_NAMES = {
    "pico": -12, "nano": -9, "micro": -6, "milli": -3, "centi": -2, "deci": -1, "kilo": 3, "mega": 6,
    "meg": 6, "giga": 9,
}  # fmt: skip
_TAKES_PREFIX = frozenset({*"ΩVAWFHCJNTSmgLlsM", "Hz", "Pa", "mol", "eV", "cal"})
_NO_UNIT = frozenset({"unit", "units"})
_ATOM = re.compile(r"(?P<name>[A-Za-zΩωμ°%]+)\s*(?:\^?\s*[{(]?(?P<power>-?[1-9])[)}]?)?")
_SQUARE = re.compile(
    r"^(?:(?P<square>square|sq\.?)|(?P<cubic>cubic|cu\.?)) +(?P<unit>.+)$|^(?P<base>.+?) +(?P<word>squared|cubed)$"
)


@dataclass(frozen=True)
class Unit:
    """A unit: `dimension` as sorted bases with powers, its size in them.

    `known` is False for a word that is no unit we know, `plain` True for no unit at all ("12 units" has none).
    """

    dimension: tuple[tuple[str, int], ...] = ()
    size: Fraction = Fraction(1)
    known: bool = True
    prefixed: bool = False
    name: str = ""

    @property
    def plain(self) -> bool:
        return not self.dimension and self.known

    @property
    def simple(self) -> bool:
        """One known unit, as it is: ampere, not gram per mole."""
        return self.known and len(self.dimension) == 1 and self.dimension[0][1] == 1


NO_UNIT = Unit()


def read_unit(text: str) -> Unit | None:
    """The unit that the text is; None where it is more or something else than a unit."""
    name = text.strip().rstrip(".").strip()
    if (bracketed := re.fullmatch(r"[(\[]\s*([^()\[\]]+?)\s*[)\]]", name)) is not None:
        name = bracketed[1]
    if not name:
        return NO_UNIT
    name = re.sub(
        r"(?i)^(?:°|deg(?:ree)?s?)\s*(C|F|celsius|fahrenheit)$", lambda m: f"°{m[1][0].upper()}", name
    )
    if (powered := _SQUARE.match(name)) is not None:
        inner = read_unit(powered["unit"] or powered["base"])
        return inner and _powered(inner, 2 if powered["square"] or powered["word"] == "squared" else 3)
    if (known := _read_known(name)) is not None:
        return known
    if re.fullmatch(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,2}", name):
        return Unit(known=False, name=name.casefold())
    return None


def _read_known(name: str) -> Unit | None:
    """A product or quotient of known units, as kΩ, g/mol, m s^{-1}, cm²."""
    name = re.sub(r"\s+per\s+", "/", name)
    dividend, *divisors = name.split("/")
    if len(divisors) > 1:
        return None
    whole = _read_factors(dividend)
    if divisors and whole is not None:
        below = _read_factors(divisors[0])
        return below and _product(whole, _powered(below, -1))
    return whole


def _read_factors(text: str) -> Unit | None:
    whole = NO_UNIT
    place = 0
    text = text.strip()
    if spelled := _read_spelled(text):
        return spelled
    while place < len(text):
        atom = _ATOM.match(text, place)
        found = atom and _read_atom(atom["name"])
        if not atom or not found:
            return None
        whole = _product(whole, _powered(found, int(atom["power"] or 1)))
        place = atom.end()
        while text[place : place + 1] in ("*", " ", "-"):
            place += 1
    return whole


def _read_spelled(text: str) -> Unit | None:
    """`kilo ohms`, `k Ω`: a prefix and a unit, apart. Not m, which is a metre."""
    first, _, rest = text.partition(" ")
    apart = first.casefold() in _PREFIX_NAMES or first in ("k", "K", "M", "G", "μ")
    return _read_atom(first + rest) if apart and rest.isalpha() else None


def _read_atom(name: str) -> Unit | None:
    if name.casefold() in _NO_UNIT:
        return NO_UNIT
    if name in _SYMBOLS:
        return _simple(name)
    if name[1:] in _TAKES_PREFIX and name[0] in _PREFIXES:
        return _prefixed(name[1:], _PREFIXES[name[0]])
    word = name.casefold()
    for form in (word, word.removesuffix("s")):
        if form in _NAMES:
            return _simple(_NAMES[form])
        for prefix, power in _PREFIX_NAMES.items():
            # kilohm and megohm drop a vowel
            rest = form.removeprefix(prefix)
            if rest != form and rest in _NAMES:
                return _prefixed(_NAMES[rest], power)
        if form in ("kilohm", "megohm", "kohm", "mohm"):
            if form == "mohm":  # mOhm or Mohm: the case of the first letter tells
                return _prefixed("Ω", 6 if name[0] == "M" else -3)
            return _prefixed("Ω", 6 if form == "megohm" else 3)
    if word in _SLIPS:
        return _read_atom(_SLIPS[word])
    return None


def _simple(symbol: str) -> Unit:
    base, size = _SYMBOLS[symbol]
    return Unit(((base, 1),), size, name=symbol)


def _prefixed(symbol: str, power: int) -> Unit:
    base, size = _SYMBOLS[symbol]
    # Centimetres and kilograms are what lengths and masses are told in; a kΩ or an mA may be lost on the way.
    return Unit(((base, 1),), size * Fraction(10) ** power, prefixed=base not in ("m", "g"), name=symbol)


def _powered(unit: Unit, power: int) -> Unit:
    if not unit.known:
        return Unit(known=False, name=f"{unit.name}^{power}")
    dimension = tuple((base, exponent * power) for base, exponent in unit.dimension)
    return Unit(dimension, unit.size**power, prefixed=unit.prefixed, name=unit.name)


def _product(left: Unit, right: Unit) -> Unit:
    powers: dict[str, int] = dict(left.dimension)
    for base, power in right.dimension:
        powers[base] = powers.get(base, 0) + power
    dimension = tuple(sorted((base, power) for base, power in powers.items() if power))
    return Unit(
        dimension,
        left.size * right.size,
        prefixed=left.prefixed or right.prefixed,
        name=left.name or right.name,
    )
