"""What a manual defines: commands, environments, keys, shapes, components, each with its syntax and its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from diagrammar.manuals.reading.blocks import closing, without_comments
from diagrammar.manuals.reading.manual import SourceFile

ItemKind = Literal[
    "command", "environment", "key", "style", "handler", "shape", "decoration", "arrow tip", "library", "package",
    "path operation", "coordinate system", "math function", "plot type", "plot mark", "component", "other",
]  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One entry of a manual that says what something is and how it is written."""

    kind: ItemKind
    package: str
    name: str
    syntax: str  # plain text; arguments as <name>
    description: str  # plain text; may be empty where the entry's name and section say all
    section: str
    file: SourceFile
    line: int  # 1-based
    initial: str = ""  # the value that holds where nobody sets one
    default: str = ""  # the value that a key without `=` stands for
    code: str = ""  # a document's body that draws it; "" where it is not a thing that is drawn
    aliases: tuple[str, ...] = ()
    terminals: tuple[str, ...] = ()  # names of anchors that the manual shows


class Sections:
    """Offsets to the title of the section they are in."""

    _TITLE = re.compile(r"\\(?:part|chapter|(?:sub){0,2}section)\*?\s*(?:\[[^\]]*\])?\s*(?=\{)")

    def __init__(self, text: str) -> None:
        self._titles = [(match.start(), match.end()) for match in self._TITLE.finditer(text)]
        self._text = text

    def at(self, offset: int) -> str:
        before = [end for start, end in self._titles if start < offset]
        if not before:
            return ""
        return plain(self._text[before[-1] + 1 : closing(self._text, before[-1])])


# Braces that are to be seen are \1 and \2 until TeX's own are gone.
_ARGUMENTS = {
    "marg": "\x01<%s>\x02",
    "oarg": "[<%s>]",
    "meta": "<%s>",
    "parg": "(<%s>)",
    "mvar": "%s",
    "sarg": "<%s>",
}
_DROPPED = re.compile(
    r"\\(?:label|index|footnote|cite|pgfmanualpdflabel|indexentry|indexcommand|todosp)(?:\[[^\]]*\])*\s*(?=\{)"
)
_NAMES = {
    "tikzname": "TikZ", "pgfname": "PGF", "PGFPlots": "PGFPlots", "TikZ": "TikZ", "TeX": "TeX", "LaTeX": "LaTeX",
    "ConTeXt": "ConTeXt", "Circuitikz": "CircuiTikZ", "beamer": "beamer", "Lua": "Lua", "METAFONT": "METAFONT",
    "ldots": "...", "dots": "...", "space": " ", "textbackslash": "\\", "cdot": "·", "times": "×", "pm": "±",
    "tikz": "\\tikz", "x": "x", "pgfkeys": "\\pgfkeys",
}  # fmt: skip

_CHARACTERS = {**dict.fromkeys(" \\,;:!/", " "), "{": "\x01", "}": "\x02"}


def plain(text: str) -> str:
    """TeX's running text as plain text on one line."""
    text = without_comments(text)
    while match := _DROPPED.search(text):
        text = text[: match.start()] + text[closing(text, match.end()) + 1 :]
    kept: list[str] = []

    def keep(code: str) -> str:
        kept.append(code)
        return f"\x00{len(kept) - 1}\x00"

    text = re.sub(r"\|([^|\n]*)\|", lambda m: keep(m[1]), text)
    text = re.sub(r"\\(?:verb|lstinline)\*?([^\w\s{*])(.*?)\1", lambda m: keep(m[2]), text)
    text = re.sub(r"\\([A-Za-z]+)\{\}", lambda m: _NAMES.get(m[1], ""), text)
    # From the inside out, since arguments nest.
    for _ in range(8):
        changed = re.sub(r"\\([a-z]?arg|meta|mvar)\{([^{}]*)\}", _argument, text)
        changed = re.sub(r"\\mchoice\{([^{}]*)\}", lambda m: m[1].replace(",", "|"), changed)
        changed = re.sub(r"\\href\{[^{}]*\}|\\(?:begin|end)\{\w+\*?\}", "", changed)
        changed = re.sub(r"\\[A-Za-z@]+\*?(?:\[[^\]]*\])?\{([^{}]*)\}", r"\1", changed)
        if changed == text:
            break
        text = changed
    text = re.sub(r"\\item\b", " - ", text)
    text = re.sub(r"\\(?:ref|pageref|textcolor)\b", "", text)
    text = re.sub(r"\\([A-Za-z@]+)\*?\s?", lambda m: _NAMES.get(m[1], ""), text)
    text = re.sub(r"\\([^A-Za-z])", lambda m: _CHARACTERS.get(m[1], m[1]), text)
    text = text.replace("~", " ").replace("``", '"').replace("''", '"')
    text = re.sub(r"[{}$]", "", text).replace("\x01", "{").replace("\x02", "}")
    text = re.sub(r"\x00(\d+)\x00", lambda m: kept[int(m[1])], text)
    return " ".join(text.split())


def _argument(match: re.Match[str]) -> str:
    return _ARGUMENTS.get(match[1], "<%s>") % match[2].replace("$", "").strip()


def nested(text: str, names: frozenset[str]) -> Iterator[tuple[str, int, int, int]]:
    """The environments called `names`, also those inside of others: name, start, offset behind \\begin{..}, end.

    `end` is the offset of the \\end; environments that do not end are left out. In order of their ends.
    """
    stack: list[tuple[str, int, int]] = []
    for match in re.finditer(r"\\(begin|end)\{([A-Za-z-]+\*?)\}", text):
        if match[2] not in names:
            continue
        if match[1] == "begin":
            stack.append((match[2], match.start(), match.end()))
        elif stack and stack[-1][0] == match[2]:
            name, start, behind = stack.pop()
            yield name, start, behind, match.start()
