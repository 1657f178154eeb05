"""A picture without preamble -> a standalone document with what its commands need."""

from __future__ import annotations

import re
from dataclasses import dataclass

from diagrammar.tex.document import BEGIN_DOCUMENT, END_DOCUMENT, Document, Line, masked
from diagrammar.tex.needs import Needs, needs_of

CLASS = "\\documentclass[border=2pt]{standalone}"
# Environments that are a drawing of their own; those of the second row stand inside a tikzpicture.
PICTURES = (
    "tikzpicture", "circuitikz", "tikzcd", "forest", "tikztimingtable", "dependency", "quantikz", "ganttchart",
    "karnaugh-map", "sankeydiagram", "bytefield", "pgfpicture", "pspicture", "picture", "smithchart",
)  # fmt: skip
INSIDE_PICTURE = (
    "axis", "semilogxaxis", "semilogyaxis", "loglogaxis", "groupplot", "polaraxis", "ternaryaxis", "scope",
    "pgfonlayer", "feynman",
)  # fmt: skip
DRAWING_COMMANDS = r"tikz|chemfig|schemestart|feynmandiagram|smartdiagram|texttiming|Tree|pie|duck"
PATH_COMMANDS = (
    r"draw|fill|filldraw|shade|shadedraw|path|node|coordinate|pic|matrix|clip|graph|foreach|spy|tkz[A-Z]\w*|addplot3?"
    r"|Vertex|Edge|tdplot\w+|useasboundingbox|datavisualization|calendar|pattern"
)
DRAWS = re.compile(rf"\\(?:{DRAWING_COMMANDS})(?![A-Za-z])")
PATH = re.compile(rf"\\({PATH_COMMANDS})(?![A-Za-z])")
BEGIN_OR_END = re.compile(r"\\(begin|end)\s*\{([^}]*)\}")
ANY_DRAWING = re.compile(
    rf"\\(?:{DRAWING_COMMANDS}|{PATH_COMMANDS})(?![A-Za-z])|\\begin\s*\{{(?!document\b)[^}}]+\}}"
)
PREAMBLE_ONLY = re.compile(
    r"\\(?:usepackage|RequirePackage|usetikzlibrary|usepgfplotslibrary|usegdlibrary|PassOptionsToPackage|pgfplotsset"
    r"|newcommand|def|tikzset|definecolor|colorlet|DeclareMathOperator|DeclareSIUnit|usepgflibrary|sisetup|ctikzset)\b"
)
LOADED = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^}]*)\}")
LIBRARIES_LOADED = re.compile(
    r"\\(usetikzlibrary|usepgfplotslibrary|usegdlibrary)\s*(?:\{([^}]*)\}|\[([^\]]*)\])"
)
PROSE = re.compile(r"^\s*(?:[#>*-]+\s|\d+[.)]\s)?[\"'(*_`]*[A-Za-z][^\\{}\[\];=]*$")


@dataclass(frozen=True)
class Drawing:
    """The lines of a text that draw, with the settings above them."""

    lines: tuple[Line, ...]
    complete: bool  # every environment is closed
    balanced: bool  # and every brace


def is_prose(line: str) -> bool:
    """Whether a line outside every picture reads as a sentence rather than code."""
    return line.strip().startswith(("#", "**")) or (PROSE.match(line) is not None and len(line.split()) > 1)


def drawing_in(lines: tuple[Line, ...], *, prose_around: bool = False) -> Drawing | None:
    """What draws in `lines`; None where nothing does. With `prose_around`, sentences before and after are left out."""
    code = masked("\n".join(line.text for line in lines))
    if ANY_DRAWING.search(code) is None:
        return None
    kept = _without_prose(lines, code) if prose_around else lines
    kept_code = masked("\n".join(line.text for line in kept))
    if ANY_DRAWING.search(kept_code) is None:
        return None
    complete = not open_environments(kept_code)
    return Drawing(kept, complete, complete and _brace_depth(kept_code) == 0)


def wrapped(fragment: Document) -> Document:
    """The fragment as a document: a class, what its commands need, and a picture around bare path commands."""
    code = masked(fragment.text)
    needs = _missing(needs_of(code), code)
    first = (CLASS, *needs.lines())
    said = ", ".join((*needs.packages, *needs.tikz, *needs.pgfplots, *needs.graph_drawing))
    note = f"wrapped in a standalone document with {said}" if said else "wrapped in a standalone document"
    if BEGIN_DOCUMENT.search(code):
        return fragment.with_first(first).noted(note)
    start = _first_drawing_line(fragment.lines)
    above, below = fragment.lines[:start], fragment.lines[start:]
    if not PREAMBLE_ONLY.search(masked("\n".join(line.text for line in above))):
        above, below = (), fragment.lines
    opening, closing = _picture_around(masked("\n".join(line.text for line in below)))
    ours = [Line(text) for text in first]
    body = (*map(Line, opening), *below, *map(Line, closing))
    lines = (*ours, *above, Line("\\begin{document}"), *body, Line("\\end{document}"))
    return Document(lines, fragment.notes).noted(note)


def _missing(needs: Needs, code: str) -> Needs:
    """`needs` without what the code loads itself."""
    loaded = {name.strip() for found in LOADED.finditer(code) for name in found[1].split(",")}
    libraries = {
        name.strip()
        for found in LIBRARIES_LOADED.finditer(code)
        for name in (found[2] or found[3] or "").split(",")
    }
    return Needs(
        packages=tuple(name for name in needs.packages if name not in loaded),
        tikz=tuple(name for name in needs.tikz if name not in libraries),
        pgfplots=tuple(name for name in needs.pgfplots if name not in libraries),
        graph_drawing=tuple(name for name in needs.graph_drawing if name not in libraries),
    )


def _picture_around(code: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What has to stand before and after bare path commands or an axis; nothing around a picture."""
    depth = 0
    outermost: set[str] = set()
    position = 0
    for found in BEGIN_OR_END.finditer(code):
        if depth == 0:
            outermost |= set(PATH.findall(_outside_braces(code[position : found.start()])))
            if found[1] == "begin":
                outermost.add(f"{{{found[2]}}}")
        depth += 1 if found[1] == "begin" else -1
        position = found.end()
    outermost |= set(PATH.findall(_outside_braces(code[position:])))
    if any(f"{{{name}}}" in outermost for name in PICTURES) or DRAWS.search(code):
        return (), ()
    if {"addplot", "addplot3"} & outermost:
        return ("\\begin{tikzpicture}\\begin{axis}",), ("\\end{axis}\\end{tikzpicture}",)
    commands = {name for name in outermost if not name.startswith("{")}
    if commands or any(f"{{{name}}}" in outermost for name in INSIDE_PICTURE):
        return ("\\begin{tikzpicture}",), ("\\end{tikzpicture}",)
    return (), ()


def _first_drawing_line(lines: tuple[Line, ...]) -> int:
    """The index of the first line that draws outside every brace."""
    depth = 0
    for index, line in enumerate(lines):
        code = masked(line.text)
        for found in ANY_DRAWING.finditer(code):
            if depth + _brace_depth(code[: found.start()]) == 0 and not PREAMBLE_ONLY.match(code.lstrip()):
                return index
        depth += _brace_depth(code)
    return 0


def _without_prose(lines: tuple[Line, ...], code: str) -> tuple[Line, ...]:
    """The last run of lines without prose that draws."""
    runs: list[list[Line]] = [[]]
    depth = braces = 0
    for line, text in zip(lines, code.split("\n"), strict=True):
        if depth <= 0 and braces <= 0 and is_prose(line.text) and not text.lstrip().startswith("\\"):
            runs.append([])
            continue
        runs[-1].append(line)
        braces += _brace_depth(text)
        depth += sum(1 if found[1] == "begin" else -1 for found in BEGIN_OR_END.finditer(text))
    drawing = [run for run in runs if ANY_DRAWING.search(masked("\n".join(line.text for line in run)))]
    return tuple(drawing[-1]) if drawing else ()


def open_environments(code: str) -> list[str]:
    """The environments that are begun and not ended; `document` does not count."""
    begun: list[str] = []
    for found in BEGIN_OR_END.finditer(END_DOCUMENT.sub("", BEGIN_DOCUMENT.sub("", code))):
        if found[1] == "begin":
            begun.append(found[2])
        elif found[2] in begun:
            while begun.pop() != found[2]:
                pass
    return begun


def _outside_braces(code: str) -> str:
    kept = []
    depth = 0
    for index, character in enumerate(code):
        escaped = index > 0 and code[index - 1] == "\\"
        if character == "{" and not escaped:
            depth += 1
        elif character == "}" and not escaped:
            depth -= 1
        elif depth <= 0:
            kept.append(character)
    return "".join(kept)


def _brace_depth(code: str) -> int:
    return len(re.findall(r"(?<!\\)\{", code)) - len(re.findall(r"(?<!\\)\}", code))
