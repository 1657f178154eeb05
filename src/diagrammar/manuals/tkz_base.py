"""The manual of tkz-base: tkzexample environments about Cartesian axes, grids and points."""

from __future__ import annotations

import re

from diagrammar.manuals.reading.manual import Example, Manual
from diagrammar.manuals.reading.tkzexample import read_tkzexamples, tkz_document

# The manual loads tkz-euclide as well, and some examples draw with it.
_EUCLIDE = re.compile(
    r"\\(?:usetkzobj|tkzDef(?!Point|ShiftPoint)|tkzDraw(?!Point|X|Y)|tkzInter|tkzMark(?!Point)|tkzFill|tkzGet"
    r"|tkzLabel(?!Point|X|Y)|tkzCalc)"
)


def document(example: Example) -> str:
    """The example under tkz-base, and under tkz-euclide where it draws with it."""
    draws = _EUCLIDE.search(example.setup + example.code)
    return tkz_document(example, packages=("tkz-base", "tkz-euclide") if draws else ("tkz-base",))


MANUAL = Manual(
    package="tkz-base",
    domain="planar_geometry",
    licence="LPPL-1.3c",
    sources=("doc/latex/tkz-base/*.tex", "doc/latex/tkz-base/*.tex.gz"),
    read=read_tkzexamples,
    document=document,
    sample="\\begin{tkzexample}[latex=5cm]\n\\begin{tikzpicture}\n\\tkzInit[xmax=3,ymax=2]\n\\tkzDrawXY\n"
    "\\tkzDefPoint(1,1){A}\n\\tkzDrawPoint(A)\n\\end{tikzpicture}\n\\end{tkzexample}\n",
)
