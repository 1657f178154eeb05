"""The manual of tikz-cd: codeexamples, commutative diagrams."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.codeexample import read_codeexamples
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.items import Item
from diagrammar.manuals.reading.items_pgf import read_pgf_items
from diagrammar.manuals.reading.manual import Example, Manual, Sources

_LIBRARIES = {
    r"matrix of math nodes|\\matrix\b": "matrix",
    r"\(\s*\$": "calc",
    r"decorate|decoration\s*=": "decorations.pathmorphing",
    r"\bshape\s*=\s*(?:ellipse|diamond)|\bellipse\b": "shapes.geometric",
    r"asymmetrical rectangle|\bfit\s*=": "fit",
    r"\bbackground(?:s| layer)\b": "backgrounds",
    r"(?:below|above|left|right)\s*=\s*[^,\]]*of ": "positioning",
}
_PACKAGES = {
    r"\\text\{|\\begin\{(?:align|[pbv]matrix|cases)|\\varinjlim|\\smash\[|\\operatorname": "amsmath",
    r"\\mathbb|twoheadrightarrow|looparrowleft|Rrightarrow": "amssymb",
}


def read(sources: Sources) -> Iterator[Example]:
    """All codeexamples."""
    for file in sources.files:
        yield from read_codeexamples(file)


def items(sources: Sources) -> Iterator[Item]:
    """What the manual defines."""
    for file in sources.files:
        yield from read_pgf_items(file, "tikz-cd")


def document(example: Example) -> str:
    """The example under tikz-cd."""
    own, body = hoisted(example.code)
    everything = "\n".join((example.preamble, example.setup, example.code))
    return standalone(
        body,
        packages=["tikz-cd", *(p for pattern, p in _PACKAGES.items() if re.search(pattern, everything))],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, everything)],
        preamble="\n".join(part for part in (example.preamble, own, example.setup) if part),
    )


MANUAL = Manual(
    package="tikz-cd",
    domain="graph",
    licence="LPPL-1.3c",
    sources=("doc/latex/tikz-cd/*.tex", "doc/latex/tikz-cd/*.tex.gz"),
    read=read,
    items=items,
    document=document,
    sample='\\begin{codeexample}[]\n\\begin{tikzcd}\nA \\arrow[r, "f"] & B\n\\end{tikzcd}\n'
    "\\end{codeexample}\n",
)
