"""What a TeX text loads, defines and sets outside its pictures, as statements in order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from diagrammar.corpus.reading.visible import blanked
from diagrammar.manuals.reading.blocks import closing
from diagrammar.manuals.reading.definitions import find_definitions
from diagrammar.manuals.reading.options import split_options

Kind = Literal["load", "define", "set"]
_LOADS = "usepackage|RequirePackage|usetikzlibrary|usepgfplotslibrary|usepgflibrary|usegdlibrary|PassOptionsToPackage"
# Command -> how many arguments it takes, and which of them is the name that a picture would use; None: any picture
# that matches the pattern, "" being every one.
_SETS: dict[str, tuple[int, int | None, str]] = {
    "providecolor": (3, 0, ""), "xdefinecolor": (3, 0, ""), "pgfplotstablenew": (2, 1, ""),
    "pgfplotstablecreatecol": (2, 1, ""), "pgfplotstablesort": (2, 0, ""), "pgfplotstablevertcat": (2, 0, ""),
    "setlength": (2, 0, ""), "addtolength": (2, 0, ""), "settowidth": (2, 0, ""),
    "settoheight": (2, 0, ""), "setcounter": (2, 0, ""), "addtocounter": (2, 0, ""), "newcount": (1, 0, ""),
    "newtoks": (1, 0, ""), "pgfmathsetmacro": (2, 0, ""), "pgfmathtruncatemacro": (2, 0, ""),
    "pgfmathsetlengthmacro": (2, 0, ""), "pgfmathsetlength": (2, 0, ""), "pgfmathsetcount": (2, 0, ""),
    "sbox": (2, 0, ""), "savebox": (2, 0, ""), "setbox": (1, 0, ""), "DeclareMathAlphabet": (5, 0, ""),
    "DeclareSIUnit": (2, 0, ""), "DeclarePairedDelimiter": (3, 0, ""), "newfontfamily": (2, 0, ""),
    "NewDocumentCommand": (3, 0, ""), "RenewDocumentCommand": (3, 0, ""), "DeclareDocumentCommand": (3, 0, ""),
    "newcolumntype": (2, None, r"\\begin\{(?:tabular|array)"), "definecolorset": (4, None, ""),
    "tdplotsetmaincoords": (2, None, "tdplot"), "tdplotsetrotatedcoords": (3, None, "tdplot"),
    "pgfplotstableset": (1, None, "pgfplotstable"), "pgfmathsetseed": (1, None, r"\brnd|\brand|random"),
    "pgfsetlayers": (1, None, r"pgfonlayer|on \w*\s*layer"), "sisetup": (1, None, r"\\(?:SI|si|num|qty|unit|ang)"),
    "setmainfont": (1, None, ""), "setsansfont": (1, None, ""), "setmathfont": (1, None, ""),
    "setchemfig": (1, None, r"\\chemfig|\\schemestart"), "forestset": (1, None, r"\{forest\}|\\Forest"),
    "tikzcdset": (1, None, "tikzcd"), "tikzfeynmanset": (1, None, "feynman"), "usetkzobj": (1, None, "tkz"),
    "usegdlibrary": (1, None, ""), "tikzmath": (1, None, ""), "ganttset": (1, None, "ganttchart"),
    "usetheme": (1, None, r"\{frame\}"), "usecolortheme": (1, None, r"structure|palette"),
    "setbeamercolor": (2, None, r"structure|palette"), "pgfplotsinvokeforeach": (2, None, ""),
    "DeclareUnicodeCharacter": (2, None, r"[^\x00-\x7f]"), "newunicodechar": (2, None, r"[^\x00-\x7f]"),
}  # fmt: skip
_START = re.compile(
    rf"\\(?P<load>{_LOADS})(?![A-Za-z@])"
    rf"|\\(?P<set>{'|'.join(sorted(_SETS, key=len, reverse=True))})(?![A-Za-z@])\*?"
    r"|^[ \t]*(?P<register>\\[A-Za-z@]+)[ \t]*=[ \t]*(?P<value>[-+.\d\\][^\n%{}]*)",
    re.MULTILINE,
)
_SETTING = re.compile(r"\\(?:tikzset|pgfplotsset|pgfkeys|pgfqkeys|ctikzset|tikzstyle)(?![A-Za-z@])")
# Names that are too short to look for in prose, but are looked for in pictures.
_SHORT = re.compile(
    r"\\(?:definecolor|colorlet|tikzstyle)\s*\{\s*([^{}#,]+?)\s*\}"
    r"|([^\s,{}=/#][^,{}=/#]*?)\s*/\.(?:style|code|pic)(?! *n args *#)"
)
_STYLE = re.compile(r"(?P<key>[^/]*(?:/[^/.]+)*)/\.(?:style|pic|code)(?: n args| 2 args| args)?$")
_GLOBAL = re.compile(
    r"\\(?:global|gdef|xdef|newcounter|newlength|newsavebox|newif|newdimen|newcount|newbox|newtoks|definecolor|"
    r"pgfdeclare\w+|setcounter|addtocounter)(?![A-Za-z@])"
)
_GROUP = re.compile(
    r"\\\\|\\[{}]"
    r"|(?P<open>\{|\\begin\s*\{[^}]*\}|\\begingroup\b)|(?P<close>\}|\\end\s*\{[^}]*\}|\\endgroup\b)"
)
_ARGUMENT = re.compile(r"\s*(?:(?P<option>\[)|(?P<group>\{)|(?P<command>\\(?:[A-Za-z@]+|.)))")


@dataclass(frozen=True)
class Statement:
    """One thing that the text loads, defines or sets."""

    text: str
    names: tuple[str, ...]  # a picture that uses one of them needs the statement
    offset: int
    kind: Kind
    when: str | None = None  # pattern: a picture that matches needs it too; "" is every one
    lasts_to: int | None = None  # the end of its group, None where it lasts


def statements_of(text: str, code: str, pictures: Sequence[tuple[int, int]], *, body: int) -> list[Statement]:
    """The statements of the text outside the pictures, in order.

    `code` is the text with comments and verbatim blanked out; what stands behind `body` lasts to the end of its
    group.
    """
    outside = blanked(code, list(pictures))
    found: list[Statement] = []
    spans: list[tuple[int, int]] = []
    for definition in find_definitions(outside):
        end = definition.offset + len(definition.text)
        spans.append((definition.offset, end))
        written = text[definition.offset : end]
        when = "" if _SETTING.match(definition.text) and _reaches_all(definition.text) else None
        if (named := _START.match(definition.text)) and named["set"]:
            when = _SETS[named["set"]][2] if _SETS[named["set"]][1] is None else None
        kind: Kind = "set" if _SETTING.match(definition.text) else "define"
        names = definition.names
        if kind == "set" or definition.text.startswith((r"\definecolor", r"\colorlet")):
            short = [first or second for first, second in _SHORT.findall(definition.text)]
            names = tuple(dict.fromkeys([*names, *short]))
        found.append(Statement(written, names, definition.offset, kind, when))
    found += _others(text, blanked(outside, spans))
    found.sort(key=lambda statement: statement.offset)
    ends = _group_ends(
        code, body, [s.offset for s in found if s.offset >= body and not _GLOBAL.match(s.text)]
    )
    return [
        Statement(s.text, s.names, s.offset, s.kind, s.when, ends[s.offset]) if s.offset in ends else s
        for s in found
    ]


def _others(text: str, code: str) -> Iterator[Statement]:
    offset = 0
    while match := _START.search(code, offset):
        offset = match.end()
        if match["register"]:
            start = match.start("register")
            yield Statement(text[start : match.end()].rstrip(), (match["register"],), start, "set")
            continue
        command = match["load"] or match["set"]
        count, name, when = _SETS.get(command, (2 if command == "PassOptionsToPackage" else 1, None, ""))
        end, arguments = arguments_behind(code, offset, count)
        if end is None:
            continue
        if command == "setbox":  # \setbox\name=\hbox{...}
            box = re.compile(r"\s*=?\s*\\[hv]box\s*\{").match(code, end)
            if box is None:
                continue
            end = min(len(code), closing(code, box.end() - 1) + 1)
        written = text[match.start() : end]
        offset = end
        if match["load"]:
            yield Statement(written, (), match.start(), "load", "")
        elif name is None:
            yield Statement(written, (), match.start(), "set", when)
        else:
            yield Statement(written, _used_as(command, arguments[name].strip()), match.start(), "set")


def _used_as(command: str, name: str) -> tuple[str, ...]:
    if command in ("setcounter", "addtocounter"):
        return (f"\\the{name}", f"{{{name}}}", name)
    return (name,)


def _reaches_all(setting: str) -> bool:
    """Whether a setting changes pictures that name nothing of it: more than named styles."""
    if setting.startswith(r"\tikzstyle"):
        return re.match(r"\\tikzstyle\s*\{?\s*every\b", setting) is not None
    brace = setting.find("{")
    while setting.startswith(r"\pgfqkeys") and brace >= 0 and setting.find("{", closing(setting, brace)) >= 0:
        brace = setting.find("{", closing(setting, brace))
        break
    if brace < 0:
        return True
    keys = split_options(setting[brace + 1 : closing(setting, brace)])
    for key in keys:
        style = _STYLE.match(key)
        if style is None or re.search(r"(?:^|/)every\b|^help lines", style["key"].strip()):
            if key.endswith("/.cd") or not key.strip():
                continue
            return True
    return False


def arguments_behind(text: str, offset: int, count: int) -> tuple[int | None, list[str]]:
    """The end behind `count` arguments and the arguments; optional ones in brackets are passed over."""
    arguments: list[str] = []
    while len(arguments) < count:
        match = _ARGUMENT.match(text, offset)
        if match is None:
            return None, arguments
        if match["command"]:
            arguments.append(match["command"])
            offset = match.end()
            continue
        end = closing(text, match.end() - 1)
        if end >= len(text):
            return None, arguments
        if match["group"]:
            arguments.append(text[match.end() : end])
        offset = end + 1
    return offset, arguments


def _group_ends(code: str, body: int, offsets: Sequence[int]) -> dict[int, int]:
    """For each of the sorted offsets the end of the innermost group around it; none at the top of the body."""
    opened: list[int] = []
    groups: list[tuple[int, int, int]] = []  # start, end, depth
    for match in _GROUP.finditer(code, body):
        if match["open"]:
            opened.append(match.start())
        elif match["close"] and opened:
            groups.append((opened.pop(), match.start(), len(opened)))
    groups.sort()
    starts = [start for start, _, _ in groups]
    ends: dict[int, int] = {}
    for offset in offsets:
        index = bisect_right(starts, offset) - 1
        while index >= 0 and groups[index][1] < offset:
            index = _before(groups, index)
        # The document environment itself is no group that matters: it ends with the text.
        if index >= 0:
            ends[offset] = groups[index][1]
    return ends


def _before(groups: Sequence[tuple[int, int, int]], index: int) -> int:
    """The nearest group before `index` that is less deep: what is beside this one is passed over."""
    depth = groups[index][2]
    index -= 1
    while index >= 0 and groups[index][2] >= depth:
        index -= 1
    return index
