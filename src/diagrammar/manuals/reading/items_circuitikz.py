"""CircuiTikZ's catalogue: \\circuitdesc of nodes and \\circuitdescbip of components in a path."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import Lines, closing, find_blocks, without_comments
from diagrammar.manuals.reading.definitions import outside
from diagrammar.manuals.reading.items import Item, Sections, plain
from diagrammar.manuals.reading.manual import SourceFile

_ENTRY = re.compile(r"^[ \t]*\\circuitdesc(?P<bipole>bip)?(?P<fillable>\*?)[ \t]*", re.MULTILINE)
_SPACE = re.compile(r"\s*")
_PAIRS = {"[": "]", "(": ")", "<": ">"}


def read_components(file: SourceFile) -> Iterator[Item]:
    """Every entry of the catalogue with its keys, its anchors and code that draws it."""
    hidden = [(b.start, b.end) for b in find_blocks(file.text, ["LTXexample", "lstlisting"])]
    text = without_comments(outside(file.text, hidden))
    lines, sections = Lines(text), Sections(text)
    for entry in _ENTRY.finditer(text, max(0, text.find(r"\begin{document}"))):
        bipole = entry["bipole"] is not None
        offset = entry.end()
        shape, offset = _optional(text, offset, "[")
        first, offset = _braced(text, offset)
        if bipole:
            node, offset = _optional(text, offset, "<")
        second, offset = _braced(text, offset)
        third, offset = _braced(text, offset)
        anchors, offset = _optional(text, offset, "(")
        inner, offset = _optional(text, offset, "[")
        if not first:
            continue
        key = " ".join(first.split())
        aliases = tuple(" ".join(part.split()) for part in third.split(",") if part.strip()) if bipole else ()
        says = plain(second.replace(r"\footnotemark", ""))
        fillable = ", fillable" if entry["fillable"] else ""
        if bipole:
            name_of_node = node if bipole and node else f"{shape or key}shape"
            says += f". Path-style component{fillable}; node name {name_of_node}."
            syntax, code = (
                f"to[{key}]",
                f"\\begin{{circuitikz}}\n\\draw (0,0) to[{key}] (2,0);\n\\end{{circuitikz}}",
            )
        else:
            says += f". Node{fillable}."
            syntax = f"node[{key}]{{{third}}}"
            code = f"\\begin{{circuitikz}}\n\\draw (0,0) node[{key}]{{{third}}};\n\\end{{circuitikz}}"
        yield Item(
            kind="component", package="circuitikz", name=key, syntax=syntax, description=says,
            section=sections.at(entry.start()), file=file, line=lines.at(entry.start() + 1), code=code,
            aliases=aliases, terminals=(*_anchors(anchors), *_anchors(inner)),
        )  # fmt: skip


def _anchors(listed: str) -> Iterator[str]:
    """The names in `name/angle/distance, ...`."""
    for part in listed.split(","):
        name = part.strip().removeprefix("%").split("/")[0].strip()
        if name:
            yield " ".join(name.split())


def _braced(text: str, offset: int) -> tuple[str, int]:
    start = _behind_space(text, offset)
    if not text.startswith("{", start):
        return "", offset
    end = closing(text, start)
    return text[start + 1 : end].strip(), end + 1


def _optional(text: str, offset: int, opener: str) -> tuple[str, int]:
    start = _behind_space(text, offset)
    if not text.startswith(opener, start):
        return "", offset
    end = text.find(_PAIRS[opener], start)
    return (text[start + 1 : end].strip(), end + 1) if end >= 0 else ("", offset)


def _behind_space(text: str, offset: int) -> int:
    space = _SPACE.match(text, offset)
    return space.end() if space else offset
