"""The manual of tkz-euclide: tkzexample environments."""

from __future__ import annotations

from diagrammar.manuals.reading.manual import Example, Manual
from diagrammar.manuals.reading.tkzexample import read_tkzexamples, tkz_document


def document(example: Example) -> str:
    """The example under tkz-euclide."""
    return tkz_document(example, packages=("tkz-euclide",))


MANUAL = Manual(
    package="tkz-euclide",
    domain="planar_geometry",
    licence="LPPL-1.3c",
    sources=("doc/latex/tkz-euclide/*.tex", "doc/latex/tkz-euclide/*.tex.gz"),
    read=read_tkzexamples,
    document=document,
    sample="\\begin{tkzexample}[latex=5cm,small]\n\\begin{tikzpicture}\n\\tkzDefPoints{0/0/A,4/0/B}\n"
    "\\tkzDrawSegment(A,B)\n\\end{tikzpicture}\n\\end{tkzexample}\n",
)
