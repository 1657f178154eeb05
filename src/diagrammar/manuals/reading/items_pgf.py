"""The definitions in manuals that are written with pgf's manual macros: one environment per thing defined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from diagrammar.manuals.reading.blocks import Lines, closing, find_blocks, without_comments
from diagrammar.manuals.reading.definitions import outside
from diagrammar.manuals.reading.items import Item, ItemKind, Sections, nested, plain
from diagrammar.manuals.reading.manual import SourceFile

KINDS: dict[str, ItemKind] = {
    "key": "key", "keylist": "key", "stylekey": "style", "codekey": "key", "tikzkey": "key", "command": "command",
    "commandlist": "command", "environment": "environment", "handler": "handler", "shape": "shape",
    "decoration": "decoration", "arrowtip": "arrow tip", "arrowtipsimple": "arrow tip", "tikzlibrary": "library",
    "pgflibrary": "library", "pgfmodule": "library", "purepgflibrary": "library", "gdkey": "key",
    "package": "package", "pathoperation": "path operation",
    "coordinatesystem": "coordinate system", "math-function": "math function", "math-operator": "math function",
    "math-keyword": "math function", "plottype": "plot type", "addplotoperation": "path operation",
    "pgfplotskey": "key", "pgfplotskeylist": "key", "pgfplotscodekey": "key", "pgfplotsxykey": "key",
    "pgfplotsxykeylist": "key", "pgfplotsxycodekeylist": "key", "xystylekey": "style", "pgfplotslibrary": "library",
    "pictype": "other", "shading": "other", "animateattribute": "key", "tikzanimateattribute": "key",
    "textoken": "command", "internallist": "command", "dataformat": "other", "predefinednode": "other",
}  # fmt: skip
_VALUE = re.compile(
    r"\((?P<what>initially|default|no default|no value|style,? no value)\b(?P<value>[^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_XY = re.compile(r"\\x\s*(?:\{\})?\s?")


@dataclass(frozen=True)
class _Header:
    name: str
    syntax: str
    initial: str = ""
    default: str = ""
    aliases: tuple[str, ...] = ()


def read_pgf_items(file: SourceFile, package: str) -> Iterator[Item]:
    """The definitions of one file, in order. Its text is what the environment says outside of examples and
    outside of the definitions inside of it.
    """
    hidden = [(b.start, b.end) for b in find_blocks(file.text, ["codeexample", "verbatim"])]
    text = without_comments(outside(file.text, hidden))
    lines, sections = Lines(text), Sections(text)
    spans = sorted(nested(text, frozenset(KINDS)), key=lambda span: span[1])
    for number, (name, start, behind, end) in enumerate(spans):
        header_start = behind + len(text[behind:]) - len(text[behind:].lstrip())
        if not text.startswith("{", header_start):
            continue
        header_end = closing(text, header_start)
        header = text[header_start + 1 : header_end]
        inner = []
        for _, inner_start, _, inner_end in spans[number + 1 :]:
            if inner_start > end:
                break
            inner.append((inner_start - header_end - 1, inner_end - header_end - 1))
        body = outside(text[header_end + 1 : end], [span for span in inner if span[0] >= 0])
        description = plain(_BEHIND.sub("", body, count=1))
        for head in _headers(name, header):
            if head.name:
                yield Item(
                    kind=KINDS[name], package=package, name=head.name, syntax=head.syntax, description=description,
                    section=sections.at(start), file=file, line=lines.at(start), initial=head.initial,
                    default=head.default, aliases=head.aliases,
                )  # fmt: skip


# Options and further arguments between the header and the text.
_BEHIND = re.compile(r"^[ \t]*(?:\[[^\]\n]*\]|\{[^{}\n]*\})*")


def _headers(environment: str, header: str) -> Iterator[_Header]:
    """One header, or one of each entry of a list."""
    if environment.endswith("list") and environment != "internallist":
        for part in _split(header):
            yield _header(environment, part)
    else:
        yield _header(environment, header)


def _header(environment: str, header: str) -> _Header:
    said = {match["what"]: plain(match["value"]) for match in _VALUE.finditer(header)}
    bare = _VALUE.sub("", header).strip()
    aliases: tuple[str, ...] = ()
    if "xy" in environment and _XY.search(bare):
        aliases = tuple(_name(environment, plain(_XY.sub(axis, bare))) for axis in "yz")
        bare = _XY.sub("x", bare)
    syntax = _syntax(bare)
    return _Header(
        _name(environment, syntax), syntax, said.get("initially", ""), said.get("default", ""), aliases
    )


def _syntax(bare: str) -> str:
    """The header as plain text; a command's own backslashed name survives."""
    command = re.match(r"\\(?!(?:meta|marg|oarg|opt|declare|texttt|char|mchoice)\b)[A-Za-z@]+\*?|\\.", bare)
    if command:
        return command[0] + plain(bare[command.end() :])
    return plain(bare)


def _name(environment: str, syntax: str) -> str:
    kind = KINDS[environment]
    if kind in ("command", "environment"):
        found = re.match(r"\\(?:[A-Za-z@]+\*?|.)|[\w*@]+", syntax)
        return found[0] if found else syntax
    if kind == "math function":
        return re.split(r"[(\s]", syntax, maxsplit=1)[0]
    name = re.split(r"=|\s*/\.", syntax, maxsplit=1)[0].strip() if kind in ("key", "style") else syntax
    if environment.startswith("pgfplots") and kind == "key" and not name.startswith("/"):
        name = f"/pgfplots/{name}"
    return re.sub(r"<[^<>]*>$", "", name).strip() if kind == "handler" else name


def _split(header: str) -> Iterator[str]:
    depth, part = 0, ""
    for character in header:
        depth += (character in "{([") - (character in "})]")
        if character == "," and depth <= 0:
            yield part
            part = ""
        else:
            part += character
    if part.strip():
        yield part
