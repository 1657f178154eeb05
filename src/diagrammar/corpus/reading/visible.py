"""TeX text as TeX would run it: what is in comments, verbatim text and \\iffalse is blanked out."""

from __future__ import annotations

import re

from diagrammar.manuals.reading.blocks import DEAD, VERBATIM

_LISTINGS = (
    *VERBATIM,
    *DEAD,
    "minted",
    "tcblisting",
    "BVerbatim",
    "LVerbatim",
    "Sinput",
    "lstlisting*",
)
_HIDDEN = re.compile(
    r"\\\\|\\[%{}]"
    r"|(?P<comment>%[^\n]*)"
    rf"|\\begin\s*\{{(?P<name>{'|'.join(re.escape(name) for name in _LISTINGS)})\}}"
    r"|\\(?:verb|lstinline)(?![A-Za-z@])\*?(?P<bar>[^A-Za-z\s*{\[])"
    r"|(?P<never>\\iffalse(?![A-Za-z@]))"
)
_FI = re.compile(r"\\fi(?![A-Za-z@])")


def visible(text: str) -> str:
    """The text with spaces for all that TeX does not run; every offset and line is kept."""
    pieces: list[str] = []
    offset = 0
    while match := _HIDDEN.search(text, offset):
        end = _end_of_hidden(text, match)
        if end is None:
            pieces.append(text[offset : match.end()])
            offset = match.end()
            continue
        pieces.append(text[offset : match.start()])
        pieces.append(blank(text[match.start() : end]))
        offset = end
    return "".join(pieces) + text[offset:]


def blank(text: str) -> str:
    """Spaces and line ends in the shape of the text."""
    return "\n".join(" " * len(row) for row in text.split("\n"))


def blanked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with the spans, which are in order and apart, blanked out."""
    pieces: list[str] = []
    offset = 0
    for start, end in spans:
        pieces += [text[offset:start], blank(text[start:end])]
        offset = end
    return "".join(pieces) + text[offset:]


def _end_of_hidden(text: str, match: re.Match[str]) -> int | None:
    if match["comment"]:
        return match.end()
    if match["name"]:
        ending = f"\\end{{{match['name']}}}"
        found = text.find(ending, match.end())
        return len(text) if found < 0 else found + len(ending)
    if match["bar"]:
        row_end = text.find("\n", match.end())
        found = text.find(match["bar"], match.end(), row_end if row_end >= 0 else len(text))
        return found + 1 if found >= 0 else None
    if match["never"]:
        end = _FI.search(text, match.end())
        return end.end() if end else len(text)
    return None
