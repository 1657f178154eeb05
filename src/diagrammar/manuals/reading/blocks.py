"""Find environments in a manual's source, as TeX would meet them: not in comments, not in verbatim text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import dedent

VERBATIM = ("verbatim", "verbatim*", "Verbatim", "lstlisting", "alltt", "filecontents", "filecontents*")
DEAD = ("comment",)


@dataclass(frozen=True)
class Block:
    """One environment: its options as written, its body, and where the body begins."""

    name: str
    options: str
    body: str
    start: int  # offset of \begin
    end: int  # offset behind \end{...}
    line: int  # 1-based line on which the body's first character of code stands
    arguments: tuple[str, ...] = ()  # in braces, behind the options


class Lines:
    """Offsets to 1-based line numbers."""

    def __init__(self, text: str) -> None:
        self._starts = [0] + [match.end() for match in re.finditer(r"\n", text)]

    def at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)


def find_blocks(
    text: str, names: Iterable[str], *, arguments: Mapping[str, int] | None = None
) -> Iterator[Block]:
    """The environments called `names`, in order.

    `arguments` says of an environment how many arguments in braces it takes; else they count as its body.
    Skipped: comments, verbatim environments that were not asked for, `comment`, \\iffalse, and all behind
    \\endinput or \\end{document}.
    """
    wanted = frozenset(names)
    skipped = [name for name in (*VERBATIM, *DEAD) if name not in wanted]
    endings = {f"\\begin{{{name}}}": f"\\end{{{name}}}" for name in skipped}
    scanner = re.compile(
        r"\\\\|\\%"
        r"|(?P<comment>%[^\n]*)"
        r"|(?P<stop>^[ \t]*(?:\\endinput\b|\\end\{document\}))"
        r"|(?P<never>^[ \t]*\\iffalse\b)"
        rf"|(?P<skip>{'|'.join(re.escape(opening) for opening in endings)})"
        rf"|(?P<begin>\\begin\{{(?P<name>{'|'.join(re.escape(name) for name in wanted)})\}})",
        re.MULTILINE,
    )
    lines = Lines(text)
    offset = 0
    while match := scanner.search(text, offset):
        offset = match.end()
        if match["stop"]:
            return
        if match["never"]:
            never_ends = re.compile(r"\\fi(?![A-Za-z])").search(text, offset)
            offset = never_ends.end() if never_ends else len(text)
        elif match["skip"]:
            ending = endings[match["skip"]]
            found = text.find(ending, offset)
            offset = len(text) if found < 0 else found + len(ending)
        elif match["begin"] and _opens_line(text, match.start()):
            options, body_start = read_options(text, offset)
            taken: list[str] = []
            while len(taken) < (arguments or {}).get(match["name"], 0) and text.startswith("{", body_start):
                behind = closing(text, body_start) + 1
                taken.append(text[body_start + 1 : behind - 1])
                body_start = behind
            ending = f"\\end{{{match['name']}}}"
            body_end = text.find(ending, body_start)
            if body_end < 0:
                return
            offset = body_end + len(ending)
            body = text[body_start:body_end]
            first = body_start + len(body) - len(body.lstrip())
            line = lines.at(first)
            yield Block(match["name"], options, tidy(body), match.start(), offset, line, tuple(taken))


def _opens_line(text: str, offset: int) -> bool:
    # In running text the words stand inside verbatim bars; an example always opens its own line.
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()


def read_options(text: str, offset: int) -> tuple[str, int]:
    """An optional argument that follows at `offset` and the offset behind it; "" where there is none."""
    if not text.startswith("[", offset):
        return "", offset
    end = closing(text, offset)
    return text[offset + 1 : end], end + 1


def closing(text: str, offset: int) -> int:
    """The offset of the bracket or brace that closes the one at `offset`; the text's end where none does.

    Braces nest; a `]` counts only outside them; comments and escaped characters do not count.
    """
    opener = text[offset]
    depth = 0
    position = offset + 1
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 2
            continue
        if character == "%":
            line_end = text.find("\n", position)
            position = len(text) if line_end < 0 else line_end
            continue
        if character == "{":
            depth += 1
        elif character == "}":
            if depth == 0:
                return position
            depth -= 1
        elif character == "]" and opener == "[" and depth == 0:
            return position
        position += 1
    return len(text)


def tidy(body: str) -> str:
    """The code without common indentation, blank edges, and spaces at line ends; tabs become two spaces."""
    rows = [row.rstrip() for row in body.expandtabs(2).split("\n")]
    # What follows \begin{...} on its own line would hide the indentation of the rest.
    head, rest = rows[0].strip(), dedent("\n".join(rows[1:]))
    return "\n".join([head, rest] if head else [rest]).strip("\n").rstrip()


def without_comments(text: str) -> str:
    """The text with comments blanked out, every offset and line kept."""
    return re.sub(r"(?<!\\)((?:\\\\)*)(%[^\n]*)", lambda m: m[1] + " " * len(m[2]), text)
