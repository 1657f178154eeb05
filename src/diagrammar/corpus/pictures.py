"""The pictures in a TeX text, and a complete document around each with what it needs of the text around it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from diagrammar.corpus.reading.needed import as_lines, class_line, loads, needed
from diagrammar.corpus.reading.statements import Statement, statements_of
from diagrammar.corpus.reading.visible import visible
from diagrammar.manuals.reading.blocks import Lines, closing, tidy
from diagrammar.manuals.reading.definitions import find_definitions
from diagrammar.tex.document import Document, Line
from diagrammar.tex.needs import needs_of
from diagrammar.tex.wrap import CLASS, INSIDE_PICTURE, PATH_COMMANDS, PICTURES, drawing_in, wrapped

_CLASS = re.compile(r"\\document(?:class|style)\s*(?:\[(?P<options>[^\]]*)\])?\s*\{(?P<name>[^}]*)\}")
_BEGIN = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}")
_FILE = re.compile(
    r"^[ \t]*\\begin\{filecontents\*?\}\s*(?:\[[^\]]*\])?\s*\{(?P<name>[^{}]+)\}.*?^[ \t]*\\end\{filecontents\*?\}",
    re.MULTILINE | re.DOTALL,
)
_SCANNER = re.compile(
    r"\\\\|\\[%{}]"
    rf"|(?P<begin>\\begin\s*\{{(?P<name>{'|'.join(PICTURES)})\*?\}})"
    r"|(?P<tikz>\\tikz(?![A-Za-z@]))"
    r"|(?P<chemfig>\\chemfig(?![A-Za-z@]))"
    r"|(?P<scheme>\\schemestart(?![A-Za-z@]))"
)
# A file of bare path commands or an axis, that another one has a picture around; no prose.
_BARE = re.compile(rf"\\(?:{PATH_COMMANDS})(?![A-Za-z])|\\begin\s*\{{(?:{'|'.join(INSIDE_PICTURE)})\}}")
_PROSE = re.compile(
    r"\\(?:chapter|(?:sub)*section|paragraph|item|title|frame|par)(?![A-Za-z])|\\begin\s*\{frame\}"
)
# Each picture without an end costs a look through the rest of the file.
_MAX_UNCLOSED = 10


@dataclass(frozen=True)
class FoundPicture:
    """One picture of a text as a complete document."""

    document: str
    line: int  # 1-based, of the picture's first line
    offset: int = 0  # of its first character


def documents_of(text: str, *, rewritten: bool = False) -> list[FoundPicture]:
    """A document for each picture of the text, in order; empty where nothing is drawn.

    A standalone text with one picture is taken as it is, unless it was `rewritten`. Otherwise each picture stands
    alone in the standalone class, below what it needs of the packages, libraries, definitions and settings above
    it. A text without a class is a fragment: what its commands need is loaded.
    """
    code = visible(text)
    class_ = _CLASS.search(code)
    begin = _BEGIN.search(code, class_.end()) if class_ else None
    if class_ is None or begin is None:
        return _fragments(text, code)
    end = _END.search(code, begin.end())
    spans = list(_pictures(code, begin.end(), end.start() if end else len(text)))
    if not spans:
        return []
    if len(spans) == 1 and class_["name"].strip() == "standalone" and end and not rewritten:
        whole = text[: end.end()].strip() + "\n"
        return [FoundPicture(whole, Lines(text).at(spans[0][0]), spans[0][0])]
    statements = statements_of(text, code, spans, body=begin.end())
    first = class_line(class_["name"], class_["options"] or "")
    files = {found["name"]: found[0].strip() for found in _FILE.finditer(text)}
    lines = Lines(text)
    found = []
    for start, stop in spans:
        picture = tidy(text[start:stop])
        above = needed(code[start:stop], statements, start)
        used = "\n".join([code[start:stop], *(statement.text for statement in above)])
        document = "\n".join(
            [
                *(entry for name, entry in files.items() if name in used),
                first,
                *_preamble(statements, above, begin.start(), used, class_["options"] or ""),
                r"\begin{document}",
                *as_lines([statement for statement in above if statement.offset >= begin.end()]),
                picture,
                r"\end{document}",
            ]
        )
        found.append(FoundPicture(document + "\n", lines.at(start), start))
    return found


def _preamble(
    statements: Sequence[Statement], above: Sequence[Statement], body: int, used: str, options: str
) -> list[str]:
    """What is loaded, then what is defined and set: a definition may stand above the package that it changes."""
    loaded = [statement for statement in statements if statement.kind == "load" and statement.offset < body]
    return [
        *loads(loaded, used, class_options=options),
        *as_lines([statement for statement in above if statement.offset < body]),
    ]


def _fragments(text: str, code: str) -> list[FoundPicture]:
    spans = list(_pictures(code, 0, len(text)))
    if not spans and (not _BARE.search(code) or _PROSE.search(code)):
        return []
    if not spans:
        whole = tuple(Line(row) for row in text.strip("\n").split("\n"))
        drawing = drawing_in(whole)
        return [FoundPicture(wrapped(Document(whole)).text, 1)] if drawing and drawing.balanced else []
    statements = statements_of(text, code, spans, body=0)
    loaded = [statement for statement in statements if statement.kind == "load"]
    lines = Lines(text)
    found = []
    for start, stop in spans:
        above = needed(code[start:stop], statements, start)
        used = "\n".join([code[start:stop], *(statement.text for statement in above)])
        picture = [*as_lines(above), tidy(text[start:stop])]
        if loaded:
            # Behind what the fragment loads itself: a library needs its package before it.
            needs = [Statement(line, (), 0, "load", "") for line in needs_of(used).lines() if "{" in line]
            asked = loads([*loaded, *needs], used, class_options="tikz")
            rows = [CLASS, *asked, r"\begin{document}", *picture, r"\end{document}"]
            document = "\n".join(rows) + "\n"
        else:
            fragment = "\n".join(picture).split("\n")
            document = wrapped(Document(tuple(Line(row) for row in fragment))).text
        found.append(FoundPicture(document, lines.at(start), start))
    return found


def _pictures(code: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of each outermost picture between the offsets of comment-free code.

    What a macro or style is defined as is no picture before it is used.
    """
    definitions = [(d.offset, d.offset + len(d.text)) for d in find_definitions(code)]
    # A definition without an end reaches to the end of the text, and tells nothing.
    definitions = [(begin, behind) for begin, behind in definitions if behind < len(code.rstrip())]
    begins = [begin for begin, _ in definitions]
    offset = start
    unclosed = 0
    while unclosed < _MAX_UNCLOSED and (match := _SCANNER.search(code, offset, end)) is not None:
        offset = match.end()
        if match["begin"] or match["tikz"] or match["chemfig"] or match["scheme"]:
            stop = _picture_end(code, match, end)
            if stop is None:
                unclosed += 1
                continue
            offset = stop
            above = bisect_right(begins, match.start()) - 1
            if above < 0 or definitions[above][1] < stop:
                yield match.start(), stop


def _picture_end(code: str, match: re.Match[str], end: int) -> int | None:
    if match["begin"]:
        return _environment_end(code, match["name"], match.end(), end)
    if match["scheme"]:
        stop = code.find(r"\schemestop", match.end(), end)
        return stop + len(r"\schemestop") if stop >= 0 else None
    offset = _skip_space(code, match.end())
    while offset < end and code[offset] == "[":
        offset = _skip_space(code, closing(code, offset) + 1)
    if offset < end and code[offset] == "{":
        return min(end, closing(code, offset) + 1)
    return _statement_end(code, offset, end) if match["tikz"] else None


def _environment_end(code: str, name: str, offset: int, end: int) -> int | None:
    depth = 1
    for match in re.compile(rf"\\(begin|end)\s*\{{{re.escape(name)}\*?\}}").finditer(code, offset, end):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return match.end()
    return None


def _statement_end(code: str, offset: int, end: int) -> int | None:
    """The offset behind the `;` that ends a \\tikz without braces."""
    while offset < end:
        if code[offset] == "{":
            offset = closing(code, offset)
        elif code[offset] == ";":
            return offset + 1
        offset += 2 if code[offset] == "\\" else 1
    return None


def _skip_space(code: str, offset: int) -> int:
    while offset < len(code) and code[offset] in " \t\n":
        offset += 1
    return offset
