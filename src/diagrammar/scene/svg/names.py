"""Names of glyphs -> the characters they show, by Adobe's rules and the lists that TeX installs."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from diagrammar.tex.installed import find_file

LISTS = ("texglyphlist.txt", "glyphlist.txt")  # the first that knows a name decides
CODES = re.compile(r"uni((?:[0-9A-F]{4})+)|u([0-9A-F]{4,6})")
# TeX's extension font draws one character in several sizes and out of parts.
SIZES = re.compile(r"(?:text|display|big|Big|bigg|Bigg|wide|wider|widest|tp|bt|mid|ex)+$")
EXTENSION = {
    "parenleft": "(", "parenright": ")", "bracketleft": "[", "bracketright": "]", "braceleft": "{", "braceright": "}",
    "floorleft": "⌊", "floorright": "⌋", "ceilingleft": "⌈", "ceilingright": "⌉", "angbracketleft": "〈",
    "angbracketright": "〉", "slash": "/", "backslash": "\\", "vextendsingle": "|", "vextenddouble": "‖",
    "radical": "√", "summation": "∑", "product": "∏", "coproduct": "∐", "integral": "∫", "contintegral": "∮",
    "union": "⋃", "intersection": "⋂", "unionmulti": "⋃", "unionsq": "⊔", "logicaland": "⋀", "logicalor": "⋁",
    "circleplus": "⊕", "circlemultiply": "⊗", "circledot": "⊙", "hat": "^", "tilde": "~",
}  # fmt: skip


@lru_cache(maxsize=4096)
def characters(name: str) -> str:
    """What a glyph of that name shows; empty where no list knows the name."""
    if not name or name.startswith("."):
        return ""
    if found := _listed(name):
        return found
    base = name.split(".", 1)[0]  # a.sc, one.oldstyle
    parts = [_component(part) for part in base.split("_")]
    return "".join(parts) if all(parts) else ""


def _component(name: str) -> str:
    if codes := CODES.fullmatch(name):
        digits = codes[1] or codes[2]
        size = 4 if codes[1] else len(digits)
        return "".join(chr(int(digits[i : i + size], 16)) for i in range(0, len(digits), size))
    return _listed(name) or EXTENSION.get(SIZES.sub("", name), "")


def _listed(name: str) -> str:
    return next((found for file in LISTS if (found := _list(file).get(name, ""))), "")


@cache
def _list(file: str) -> dict[str, str]:
    path = find_file(file)
    if path is None:
        return {}
    table: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        name, separator, codes = line.partition(";")
        if separator and not line.startswith("#"):
            code = codes.split(",")[0]  # some give alternatives
            table[name.strip()] = "".join(chr(int(part, 16)) for part in code.split())
    return table
