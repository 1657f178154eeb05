"""models: a worse program out of a good one, by leaving statements out.

A statement is what one would delete with one stroke: a TikZ path up to its semicolon, one component of a
circuit, one point of a plot, one drawing command of tkz-euclide, one branch of a chemfig molecule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

_PATH = re.compile(
    r"\\(?:draw|path|node|fill|filldraw|shade|shadedraw|pattern|coordinate|pic|addplot3?\+?|graph|edge|vertex)(?![A-Za-z])"
)
_COMMAND = re.compile(r"\\(?:tkz(?:Draw|Label|Mark|Fill)\w*|chemfig|Vertex|Edge)(?![A-Za-z])\*?")
_COMPONENT = re.compile(r"\bto\s*\[")
_CHEMFIG = re.compile(r"\\chemfig\s*(?:\[[^\]]*\]\s*)*\{")
_BRANCH = re.compile(r"\(\s*[-=~<>]")
_COORDINATES = re.compile(r"\bcoordinates\s*\{")
_DATA_POINT = re.compile(r"\([^()]*\)(?:\s*\+-\s*\([^()]*\))?(?:\s*\[[^\]]*\])?")
_TARGET = re.compile(r"\s*\+{0,2}\s*\([^()]*\)")
_NAMED = re.compile(
    r"(?:node|coordinate)\s*(?:\[[^\]]*\])?\s*\(\s*([^()]+?)\s*\)|name(?:\s+path)?\s*=\s*\{?([^,\]}]+)"
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Span(NamedTuple):
    start: int
    end: int


def drop_statements(code: str, *, rate: float, rng: Random) -> str:
    """`code` without a share `rate` of its statements, drawn by `rng`; on average exactly that share.

    Statements that name what others use stay as long as there are others to drop, so that the rest still
    compiles.
    """
    spans = list(statements(code))
    wanted = int(rate * len(spans) + rng.random())
    free = [span for span in spans if not _needed(code, span)] or spans
    dropped = rng.sample(free, min(wanted, len(free)))
    for span in sorted(dropped, reverse=True):
        code = _without(code, span)
    return code


def statements(code: str) -> Iterator[Span]:
    """Where the statements of the document's body are, in order; none within another."""
    body = code.find("\\begin{document}")
    reached = max(body, 0)
    blanked = _without_comments(code)
    for span in sorted(_whole(blanked), key=lambda span: (span.start, -span.end)):
        if span.start < reached:
            continue
        parts = [part for part in _parts(blanked, span) if part.end <= span.end]
        yield from parts if len(parts) > 1 else [span]
        reached = span.end


def _whole(code: str) -> Iterator[Span]:
    for found in _PATH.finditer(code):
        end = _statement_end(code, found.end())
        if end is not None:
            yield Span(found.start(), end)
    for found in _COMMAND.finditer(code):
        end = _arguments_end(code, found.end())
        if end > found.end():
            yield Span(found.start(), end)


def _parts(code: str, whole: Span) -> Iterator[Span]:
    """Components of a circuit's path, points of a plot, branches of a molecule: the outermost ones."""
    for found in _COMPONENT.finditer(code, whole.start, whole.end):
        closing = _group_end(code, found.end() - 1)
        target = _TARGET.match(code, closing) if closing else None
        if target:
            yield Span(found.start(), target.end())
    points = _COORDINATES.search(code, whole.start, whole.end)
    if points:
        inside = points.end(), _group_end(code, points.end() - 1) or whole.end
        yield from (Span(*found.span()) for found in _DATA_POINT.finditer(code, *inside))
    molecule = _CHEMFIG.match(code, whole.start)
    reached = molecule.end() if molecule else whole.end
    while branch := _BRANCH.search(code, reached, whole.end):
        end = _group_end(code, branch.start())
        if end is None:
            return
        yield Span(branch.start(), end)
        reached = end


def _statement_end(code: str, start: int) -> int | None:
    """After the next semicolon outside groups; None where the group around ends before."""
    position = start
    while position < len(code):
        char = code[position]
        if char == ";":
            return position + 1
        if char == "\\":
            position += 2
        elif char in "{[":
            end = _group_end(code, position)
            if end is None:
                return None
            position = end
        elif char == "}":
            return None
        else:
            position += 1
    return None


def _arguments_end(code: str, start: int) -> int:
    position = start
    while position < len(code) and code[position] in _CLOSING:
        end = _group_end(code, position)
        if end is None:
            return start
        position = end
    return position


def _group_end(code: str, start: int) -> int | None:
    """After the bracket that closes the one at `start`."""
    expected: list[str] = []
    position = start
    while position < len(code):
        char = code[position]
        if char == "\\":
            position += 1
        elif char in _CLOSING:
            expected.append(_CLOSING[char])
        elif expected and char == expected[-1]:
            expected.pop()
            if not expected:
                return position + 1
        elif char == "}":
            return None
        position += 1
    return None


def _needed(code: str, span: Span) -> bool:
    """Whether what follows speaks of something that this statement names."""
    rest = code[span.end :]
    names = {(a or b).strip() for a, b in _NAMED.findall(code[span.start : span.end])}
    return any(name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", rest) for name in names)


def _without(code: str, span: Span) -> str:
    before, after = code[: span.start], code[span.end :]
    statement_before = before[max(before.rfind(";"), before.rfind("\\begin")) + 1 :]
    if "\\foreach" in statement_before and code[span.end - 1] == ";":
        return f"{before}\\path;{after}"  # a loop without a body would take the next statement for it
    if not before.rpartition("\n")[2].strip() and not after.partition("\n")[0].strip():
        return before.rpartition("\n")[0] + after  # it had its lines to itself
    return before + after


def _without_comments(code: str) -> str:
    """The same length, with comments blanked."""
    return re.sub(r"(?<!\\)%[^\n]*", lambda comment: " " * len(comment[0]), code)
