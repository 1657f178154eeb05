"""Definitions in TeX text, and of these the ones that a piece of code needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from diagrammar.manuals.reading.blocks import closing, without_comments

# Command -> how many arguments it takes behind its (optional) star. A name argument is the first.
_BY_NAME = {
    "newcommand": 2, "renewcommand": 2, "providecommand": 2, "DeclareRobustCommand": 2,
    "NewDocumentCommand": 3, "newenvironment": 3, "renewenvironment": 3, "NewDocumentEnvironment": 4,
    "newsavebox": 1, "newlength": 1, "newcounter": 1, "newdimen": 1, "newif": 1, "newbox": 1, "let": 2,
    "DeclareMathOperator": 2, "pgfplotscreateplotcyclelist": 2, "pgfplotsset": 1, "tikzset": 1,
    "pgfkeys": 1, "pgfqkeys": 2, "ctikzset": 1, "tikzstyle": 2, "pgfdeclareshape": 2,
    "pgfdeclaredecoration": 3, "pgfdeclarelayer": 1, "pgfmathdeclarefunction": 3,
    "tikzdatavisualizationset": 1, "definecolor": 3, "colorlet": 2, "definesubmol": 2,
    "redefinesubmol": 2, "pgfdeclarepatternformonly": 5, "pgfdeclarepatterninherentlycolored": 5,
    "pgfdeclarehorizontalshading": 3, "pgfdeclareverticalshading": 3, "pgfdeclareradialshading": 3,
    "pgfdeclarefunctionalshading": 5, "pgfdeclareplotmark": 2, "pgfplotstableread": 2, "setchemfig": 1,
    "pgfdeclareimage": 2, "pgfooclass": 2, "pgfarrowsdeclare": 4, "pgfdeclarearrow": 1,
    "tkzSetUpStyle": 1, "forestset": 1, "tcbset": 1, "newtcolorbox": 2, "renewtcolorbox": 2, "newtcbox": 2,
    "newtcblisting": 2, "newtcbtheorem": 4, "NewTColorBox": 3, "NewTotalTColorBox": 4, "NewTCBox": 3,
    "NewTCBListing": 3, "newtheorem": 2, "tcolorboxenvironment": 2,
}  # fmt: skip
_SETS_KEYS = frozenset({
    "tikzset", "pgfplotsset", "pgfkeys", "pgfqkeys", "ctikzset", "tikzdatavisualizationset", "forestset", "tcbset",
})  # fmt: skip
_ENVIRONMENTS = frozenset({
    "newenvironment", "renewenvironment", "NewDocumentEnvironment", "newtcolorbox", "renewtcolorbox", "newtcblisting",
    "newtcbtheorem", "NewTColorBox", "NewTCBListing", "newtheorem", "tcolorboxenvironment",
})  # fmt: skip
_DEF = re.compile(
    r"(?:\\(?:global|long|protected)\s*)*\\[gex]?def\s*(?P<name>\\(?:[A-Za-z@]+|.))(?P<parameters>[^{]*)"
)
_COMMAND = re.compile(rf"\\(?P<command>{'|'.join(sorted(_BY_NAME, key=len, reverse=True))})(?![A-Za-z@])\*?")
_START = re.compile(rf"{_DEF.pattern}|{_COMMAND.pattern}")
# Prose speaks of definitions inside verbatim bars; a real one opens its line, a group or a chain of others.
_APPENDS = re.compile(r"/\.(?:append|prefix|add)\b")
_BEFORE = re.compile(r"(?:.*[{};]|\s*\\(?:begingroup|makeatletter))?\s*")
_KEY = re.compile(
    r"(?P<key>[^\s,{}=/][^,{}=/]*?)\s*"
    r"/\.(?:style(?: n args| 2 args| args)?|code|pic|append style|default|initial|store in)"
)


@dataclass(frozen=True)
class Definition:
    """A piece of TeX that defines something: the names to be looked for in code that may need it."""

    text: str
    names: tuple[str, ...]
    offset: int = 0

    def serves(self, code: str) -> bool:
        return any(uses(code, name) for name in self.names)


def uses(code: str, name: str) -> bool:
    """Whether the name stands in the code as a whole: a command, or a word of an option list."""
    if name not in code:
        return False
    if name.startswith("\\"):
        guard = r"(?![A-Za-z@])" if name[-1].isalpha() else ""  # \begin{name} ends by itself
        return re.search(re.escape(name) + guard, code) is not None
    return re.search(rf"(?<![\w\\]){re.escape(name)}(?!\w)", code) is not None


def find_definitions(text: str) -> Iterator[Definition]:
    """The definitions at any depth of the text that are not part of another one, in order."""
    original, text = text, without_comments(text)
    offset = 0
    while match := _START.search(text, offset):
        offset = match.end()
        # A look at the end of what stands before is enough, and keeps a line of megabytes cheap.
        before = max(text.rfind("\n", 0, match.start()) + 1, match.start() - 200)
        if not _BEFORE.fullmatch(text, before, match.start()):
            continue
        if match["name"]:
            end = _behind_argument(text, match.end())
            names = [match["name"]]
        else:
            end, arguments = _arguments(text, match.end(), _BY_NAME[match["command"]])
            names = _names(match["command"], arguments) if end else []
        if end is None:
            continue
        yield Definition(original[match.start() : end].strip(), tuple(filter(_tells, names)), match.start())
        offset = end


def needed(code: str, definitions: Sequence[Definition]) -> str:
    """Those definitions that the code uses, directly or through one another, in their order.

    Of several definitions of the same names only the last stays, and what is appended to it.
    """
    order = {id(definition): position for position, definition in enumerate(definitions)}
    kept: dict[tuple[str, ...], list[Definition]] = {}
    for definition in definitions:
        if _APPENDS.search(definition.text):
            kept.setdefault(definition.names, []).append(definition)
        else:
            kept[definition.names] = [definition]
    pool = sorted((d for same in kept.values() for d in same), key=lambda d: order[id(d)])
    chosen: set[int] = set()
    frontier = code
    while fresh := [i for i, d in enumerate(pool) if i not in chosen and d.serves(frontier)]:
        chosen.update(fresh)
        frontier = "\n".join(pool[i].text for i in fresh)
    return "\n".join(pool[i].text for i in sorted(chosen))


def as_one(text: str) -> Definition:
    """A block of set-up code as one definition of all that it defines."""
    names = [name for definition in find_definitions(text) for name in definition.names]
    names += re.findall(r"data group\s*\{([^}]*)\}\s*\+?=", text)
    return Definition(text, tuple(dict.fromkeys(names)))


def _tells(name: str) -> bool:
    """Whether finding the name in code tells anything: not a number, a letter, or a macro parameter."""
    if name.startswith("\\"):
        return len(name) > 1
    return sum(character.isalpha() for character in name) > 1 and "#" not in name


def _names(command: str, arguments: Sequence[str]) -> list[str]:
    first = arguments[0].strip() if arguments else ""
    if command in _SETS_KEYS:
        keys = list(dict.fromkeys(match["key"].strip() for match in _KEY.finditer(arguments[-1])))
        maps = re.findall(r"colormap=?(?:/cl)?\s*=?\{(\w+)\}", arguments[-1])
        return keys + maps
    if command == "pgfplotstableread":
        return [arguments[1].strip()]
    if command in _ENVIRONMENTS and not first.startswith("\\"):
        if command.startswith(
            ("newtc", "renewtc")
        ):  # boxes may share a counter, and theorems have a form without one
            return [f"\\begin{{{first}}}", f"\\begin{{{first}*}}", f"use counter from={first}"]
        return [f"\\begin{{{first}}}"]
    if command == "newif":
        return [first, first.replace("\\if", "\\", 1) + "true", first.replace("\\if", "\\", 1) + "false"]
    if command == "setchemfig":
        return []
    return [first]


def _arguments(text: str, offset: int, count: int) -> tuple[int | None, list[str]]:
    """The end behind `count` arguments and the arguments; optional ones in brackets are passed over."""
    arguments: list[str] = []
    while len(arguments) < count:
        offset = _skip_blank(text, offset)
        if offset >= len(text):
            return None, arguments
        character = text[offset]
        if character == "[":
            end = closing(text, offset)
            offset = end + 1
        elif character == "{":
            end = closing(text, offset)
            arguments.append(text[offset + 1 : end])
            offset = end + 1
        elif character == "=":  # \tikzstyle{name}=[...], \let\a=\b
            offset = _skip_blank(text, offset + 1)
            if offset < len(text) and text[offset] == "[":
                end = closing(text, offset)
                arguments.append(text[offset + 1 : end])
                offset = end + 1
        elif command := re.compile(r"\\(?:[A-Za-z@]+|.)").match(text, offset):
            arguments.append(command[0])
            offset = command.end()
        else:
            return None, arguments
    return offset, arguments


def _behind_argument(text: str, offset: int) -> int | None:
    if offset >= len(text) or text[offset] != "{":
        return None
    return closing(text, offset) + 1


def _skip_blank(text: str, offset: int) -> int:
    blank = re.compile(r"[ \t]*\n?[ \t]*").match(text, offset)
    return blank.end() if blank else offset


def outside(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with the spans blanked out, every offset and line kept."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = [c if c == "\n" else " " for c in characters[start:end]]
    return "".join(characters)
