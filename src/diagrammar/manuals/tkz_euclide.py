"""The manual of tkz-euclide: tkzexample environments, a cousin of pgf's codeexample."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import find_blocks
from diagrammar.manuals.reading.definitions import find_definitions, needed, outside
from diagrammar.manuals.reading.document import hoisted, standalone, without_blank_lines
from diagrammar.manuals.reading.manual import Example, Manual, Sources
from diagrammar.manuals.reading.options import split_options

_LIBRARIES = {
    r"on background layer|framed|background rectangle": "backgrounds",
    r"pattern\s*=": "patterns",
    r"name intersections": "intersections",
    r"through\s*=|circle through": "through",
    r"decoration\s*=\s*\{?\s*markings|mark=at position": "decorations.markings",
    r"decoration\s*=\s*\{?\s*(?:brace|text)": "decorations.pathreplacing",
    r"\bStealth\b|\bLatex\b|-\{": "arrows.meta",
}
_PACKAGES = {
    r"\\(?:begin\{pgfornament|pgfornament)": "pgfornament",
    r"\\multido": "multido",
    r"\\text\{|\\dfrac|\\tfrac|\\overrightarrow|\\widehat|\\begin\{align": "amsmath",
    r"\\mathbb|\\widehat\{[A-Z]{3}|\\parallel|\\leqslant": "amssymb",
}


def read(sources: Sources) -> Iterator[Example]:
    """The examples that are shown with their figure, the code-only ones, and the printed listings."""
    main = [d for file in sources.files if "-main.tex" in file.name for d in find_definitions(file.text)]
    for file in sources.files:
        blocks = list(find_blocks(file.text, ["tkzexample", "tkzltxexample"]))
        loose = list(find_definitions(outside(file.text, [(b.start, b.end) for b in blocks])))
        for block in blocks:
            settings = split_options(block.options)
            shown = block.name == "tkzexample" and "code only" not in settings
            code = without_blank_lines(block.body)
            code = "\n".join(
                part for part in (settings.get("pre", ""), code, settings.get("post", "")) if part
            )
            before = [definition for definition in loose if definition.offset < block.start]
            yield Example(
                code=code,
                file=file,
                line=block.line,
                options=" ".join(block.options.split()),
                role="shown" if shown else "listing",
                setup=needed(code, [*main, *before]),
            )


def document(example: Example) -> str:
    """The example under tkz-euclide. The manual's own line widths and colours are left out."""
    own, body = hoisted(example.code)
    everything = example.setup + "\n" + example.code
    return standalone(
        body,
        packages=["tkz-euclide", *(p for pattern, p in _PACKAGES.items() if re.search(pattern, everything))],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, everything)],
        preamble="\n".join(part for part in (own, example.setup) if part),
    )


MANUAL = Manual(
    package="tkz-euclide",
    domain="planar_geometry",
    licence="LPPL-1.3c",
    sources=("doc/latex/tkz-euclide/*.tex", "doc/latex/tkz-euclide/*.tex.gz"),
    read=read,
    document=document,
    sample="\\begin{tkzexample}[latex=5cm,small]\n\\begin{tikzpicture}\n\\tkzDefPoints{0/0/A,4/0/B}\n"
    "\\tkzDrawSegment(A,B)\n\\end{tikzpicture}\n\\end{tkzexample}\n",
)
