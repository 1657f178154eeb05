"""The manual of tkz-graph: tkzexample environments that draw graphs."""

from __future__ import annotations

import re

from diagrammar.manuals.reading.manual import Example, Manual
from diagrammar.manuals.reading.tkzexample import LIBRARIES, read_tkzexamples, tkz_document

_LIBRARIES = {
    **LIBRARIES,
    r"(?:below|above|left|right)\s*=?\s*(?:[\w.\\/*]+\s+)?of\b": "positioning",
    r"\(\s*\$": "calc",
    r"shape\s*=\s*(?:diamond|star|regular polygon|isosceles|trapezium|ellipse)|minimum sides|regular polygon"
    r"|\bdiamond\b": "shapes",
}
_PACKAGES = {
    r"\\gr[A-Z]\w*|\\Edge(?:InGraph|FromOneTo|Mod|IdentGraph|DoubleMod)\w*": "tkz-berge",
    r"\\(?:Rain|Sun|Cloud)(?![A-Za-z])": "[weather]{ifsym}",
}


def document(example: Example) -> str:
    """The example under tkz-graph, and under tkz-berge where it uses one of that package's graphs."""
    everything = example.setup + example.code
    packages = ("tkz-graph", *(name for pattern, name in _PACKAGES.items() if re.search(pattern, everything)))
    return tkz_document(example, packages=packages, libraries=_LIBRARIES)


MANUAL = Manual(
    package="tkz-graph",
    domain="graph",
    licence="LPPL-1.3c",
    sources=("doc/latex/tkz-graph/doc/latex/*.tex", "doc/latex/tkz-graph/doc/latex/*.tex.gz"),
    read=read_tkzexamples,
    document=document,
    sample="\\begin{tkzexample}[vbox]\n\\begin{tikzpicture}\n\\SetGraphUnit{2}\n\\Vertex{A}\n\\EA(A){B}\n"
    "\\Edge(A)(B)\n\\end{tikzpicture}\n\\end{tkzexample}\n",
)
