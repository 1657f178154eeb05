"""The pictures in a TeX file, and a complete document around each with the file's own preamble."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from diagrammar.manuals.reading.blocks import VERBATIM, Lines, closing, tidy, without_comments
from diagrammar.manuals.reading.definitions import find_definitions, needed, outside
from diagrammar.tex.document import Document, Line
from diagrammar.tex.wrap import PICTURES, drawing_in, wrapped

_CLASS = re.compile(r"\\documentclass\s*(?:\[(?P<options>[^\]]*)\])?\s*\{(?P<name>[^}]*)\}")
_BEGIN = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}")
_SCANNER = re.compile(
    r"\\\\|\\[%{}]"
    rf"|(?P<skip>\\begin\{{(?P<verbatim>{'|'.join(re.escape(name) for name in VERBATIM)}|comment)\}})"
    r"|(?P<verb>\\verb\*?(?P<bar>[^A-Za-z\s*]).*?(?P=bar))"
    rf"|(?P<begin>\\begin\s*\{{(?P<name>{'|'.join(PICTURES)})\*?\}})"
    r"|(?P<tikz>\\tikz(?![A-Za-z@]))"
    r"|(?P<chemfig>\\chemfig(?![A-Za-z@]))"
    r"|(?P<scheme>\\schemestart(?![A-Za-z@]))"
)
# Inside these a macro is defined, not a picture drawn.
_DEFINES = re.compile(r"\\(?:(?:re)?newcommand|newsavebox|[gex]?def|newenvironment|tikzset|pgfplotsset)\b")
# Each picture without an end costs a look through the rest of the file.
_MAX_UNCLOSED = 10


@dataclass(frozen=True)
class FoundPicture:
    """One picture of a file as a complete document."""

    document: str
    line: int  # 1-based, of the picture's first line


def documents_of(text: str) -> list[FoundPicture]:
    """A document for each picture of the file, in order; empty where nothing is drawn.

    A standalone file with one picture is taken as it is. Otherwise each picture stands alone under the file's
    preamble, with the definitions made above it in the text, in the standalone class on top of the file's own.
    A file without a class is a fragment: each picture gets a preamble of what its commands need.
    """
    code = without_comments(text)
    class_ = _CLASS.search(code)
    begin = _BEGIN.search(code, class_.end()) if class_ else None
    if class_ is None or begin is None:
        return _fragments(text, code)
    end = _END.search(code, begin.end())
    body_end = end.start() if end else len(text)
    spans = list(_pictures(code, begin.end(), body_end))
    if not spans:
        return []
    if len(spans) == 1 and class_["name"].strip() == "standalone" and end:
        return [FoundPicture(text.strip() + "\n", Lines(text).at(spans[0][0]))]
    preamble = text[: class_.start()] + _standalone(class_) + text[class_.end() : begin.start()]
    loose = list(find_definitions(outside(text[:body_end], [(0, begin.end()), *spans])))
    lines = Lines(text)
    found = []
    for start, stop in spans:
        picture = tidy(text[start:stop])
        before = needed(picture, [definition for definition in loose if definition.offset < start])
        body = f"{before}\n{picture}" if before else picture
        document = f"{preamble.strip()}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
        found.append(FoundPicture(document, lines.at(start)))
    return found


def _fragments(text: str, code: str) -> list[FoundPicture]:
    spans = list(_pictures(code, 0, len(text)))
    if not spans:
        whole = tuple(Line(row) for row in text.strip("\n").split("\n"))
        drawing = drawing_in(whole)
        return [FoundPicture(wrapped(Document(whole)).text, 1)] if drawing and drawing.balanced else []
    loose = list(find_definitions(outside(text, spans)))
    lines = Lines(text)
    found = []
    for start, stop in spans:
        picture = tidy(text[start:stop])
        before = needed(picture, [definition for definition in loose if definition.offset < start])
        rows = (f"{before}\n{picture}" if before else picture).split("\n")
        document = wrapped(Document(tuple(Line(row) for row in rows))).text
        found.append(FoundPicture(document, lines.at(start)))
    return found


def _pictures(code: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of each outermost picture between the offsets of comment-free code."""
    offset = start
    unclosed = 0
    while unclosed < _MAX_UNCLOSED and (match := _SCANNER.search(code, offset, end)) is not None:
        offset = match.end()
        if match["skip"]:
            ending = code.find(f"\\end{{{match['verbatim']}}}", offset)
            offset = ending if ending >= 0 else end
        elif match["begin"] or match["tikz"] or match["chemfig"] or match["scheme"]:
            stop = _picture_end(code, match, end)
            if stop is None:
                unclosed += 1
                continue
            offset = stop
            if not _DEFINES.search(code, code.rfind("\n", 0, match.start()) + 1, match.start()):
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


def _standalone(class_: re.Match[str]) -> str:
    name = class_["name"].strip()
    if name == "standalone":
        return class_[0]
    # standalone sets one page around the picture and still loads the class that the preamble counts on.
    options = ",".join(
        part for part in ((class_["options"] or "").strip(), f"class={name}", "border=5pt") if part
    )
    return rf"\documentclass[{options}]{{standalone}}"


def _skip_space(code: str, offset: int) -> int:
    while offset < len(code) and code[offset] in " \t\n":
        offset += 1
    return offset
