"""Controlled damages of a program's text. Each gives the damaged code, or None where there is nothing of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

Damage = Callable[[str, Random], str | None]

COLORS = (
    "red",
    "blue",
    "green",
    "orange",
    "gray",
    "black",
    "yellow",
    "cyan",
    "magenta",
    "purple",
    "brown",
    "teal",
)
# The first of these that a program has
_KINDS = (
    (
        re.compile(r"\b(?:circle|ellipse|rectangle|diamond)\b(?=[,\]])"),
        ("circle", "ellipse", "rectangle", "diamond"),
    ),
    (re.compile(r"(?<=to\[)[RCL](?=[,=\]])"), ("R", "C", "L")),
    (re.compile(r"\\(?:draw|fill)\b"), ("\\draw", "\\fill")),
    (
        re.compile(r"\\tkzDraw(?:Segment|Line|Circle)\b"),
        ("\\tkzDrawSegment", "\\tkzDrawLine", "\\tkzDrawCircle"),
    ),
    (re.compile(r"(?<=[A-Z(0-9])[-=~](?=[A-Z()\[])"), ("-", "=", "~")),
    (
        re.compile(r"only marks|smooth|ybar|xbar|const plot"),
        ("only marks", "smooth", "ybar", "xbar", "const plot"),
    ),
)
# What is written: in braces that follow no \begin or \end and hold no keys, between dollars, an atom after a bond.
_LABEL = re.compile(
    r"(?<!\\begin\{)(?<!\\end\{)(?<=\{)[^{}\\=,;\n]*[A-Za-z0-9][^{}\\=,;\n]*(?=\})"
    r"|(?<=\$)[^$\n]+(?=\$)|(?<=[-=~(*0-9])(?:[BCFHINOPS]|Br|Cl)(?=[-=~()_}])"
)
_STATEMENT = re.compile(r"(?<=\n)[ \t]*(?!\\begin|\\end|[ \t\n])[^\n]*[;}\])][ \t]*\n")
_PICTURE_END = re.compile(r"\\end\{(?:tikzpicture|circuitikz|document)\}")
_PICTURE_BEGIN = re.compile(r"\\begin\{(?:tikzpicture|circuitikz)\}")
_NUMBER = re.compile(r"(?<=[(,=\[:])-?\d+(?:\.\d+)?(?=[,)\]:]|cm|mm|pt)")


def drop(code: str, rng: Random) -> str | None:
    """One statement less."""
    return _replace_one(_STATEMENT, _body(code), rng, lambda _: "", code)


def shift(code: str, rng: Random) -> str | None:
    """One number is another: a coordinate, a length, an angle."""
    return _replace_one(
        _NUMBER, _body(code), rng, lambda old: f"{float(old) + rng.choice((2, 3.5, -4)):g}", code
    )


def recolor(code: str, rng: Random) -> str | None:
    """One named colour is another, or, where none is named, something black is red."""
    named = re.compile(rf"\b(?:{'|'.join(COLORS)})\b")
    body = _body(code)
    changed = _replace_one(named, body, rng, lambda old: rng.choice([c for c in COLORS if c != old]), code)
    if changed is not None:
        return changed
    plain = re.compile(r"\\(?:draw|node|fill|Vertex|Edge|addplot|tkzDrawSegments?|tkzDrawPoints)\b(?!\[)")
    return _replace_one(plain, body, rng, lambda old: f"{old}[red]", code)


def relabel(code: str, rng: Random) -> str | None:
    """One label says something else."""
    return _replace_one(_LABEL, _body(code), rng, lambda _: "other", code)


def swap(code: str, rng: Random) -> str | None:
    """Two labels in each other's place."""
    body = _body(code)
    found = list(_LABEL.finditer(body))
    pairs = [(a, b) for n, a in enumerate(found) for b in found[n + 1 :] if a[0] != b[0]]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    swapped = (
        body[: first.start()]
        + second[0]
        + body[first.end() : second.start()]
        + first[0]
        + body[second.end() :]
    )
    return code[: len(code) - len(body)] + swapped


def change_type(code: str, rng: Random) -> str | None:
    """One node has another shape, or one component, line or bond is another."""
    body = _body(code)
    for pattern, others in _KINDS:
        changed = _replace_one(
            pattern, body, rng, lambda old, o=others: rng.choice([k for k in o if k != old]), code
        )
        if changed is not None:
            return changed
    return None


def add(code: str, _: Random) -> str | None:
    """One node more, in the first picture or, where there is none, in one of its own."""
    found = _PICTURE_END.search(code)
    if not found:
        return None
    node = r"\node[draw=red] at (9,9) {spurious};"
    more = rf"\tikz {node}" if "document" in found[0] else node
    return code[: found.start()] + more + "\n" + code[found.start() :]


def scale(code: str, _: Random) -> str | None:
    """The picture twice as large, letters not."""
    found = _PICTURE_BEGIN.search(code)
    if not found:
        return None
    rest = code[found.end() :]
    options = f"[scale=2,{rest[1:]}" if rest.startswith("[") else f"[scale=2]{rest}"
    return code[: found.end()] + options


def drop_text(code: str, _: Random) -> str | None:
    """No label says anything."""
    body = _body(code)
    silent = _LABEL.sub("", body)
    return None if silent == body else code[: len(code) - len(body)] + silent


CODE_DAMAGES: Mapping[str, Damage] = {
    "drop": drop,
    "shift": shift,
    "recolour": recolor,
    "relabel": relabel,
    "swap": swap,
    "type": change_type,
    "add": add,
    "scale": scale,
    "no text": drop_text,
}


def _body(code: str) -> str:
    """From \\begin{document} on: a damaged preamble draws nothing else."""
    return code[max(0, code.find(r"\begin{document}")) :]


def _replace_one(
    pattern: re.Pattern[str], part: str, rng: Random, new: Callable[[str], str], code: str | None = None
) -> str | None:
    found = list(pattern.finditer(part))
    if not found:
        return None
    one = rng.choice(found)
    head = "" if code is None else code[: len(code) - len(part)]
    return head + part[: one.start()] + new(one[0]) + part[one.end() :]
