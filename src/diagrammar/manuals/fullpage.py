"""The documentation of fullpage, which is in its source: one inch of margin on each side of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.document import standalone
from diagrammar.manuals.reading.dtx import read_verbatim
from diagrammar.manuals.reading.manual import Example, Manual, Sources

_LOADS = re.compile(r"\\usepackage(?:\[[^\]]*\])?\{fullpage\}")


def read(sources: Sources) -> Iterator[Example]:
    """The verbatim code that loads the package."""
    yield from read_verbatim(sources, mentions=re.compile(r"fullpage"), shows=_LOADS)


def document(example: Example) -> str:
    """A page of the article class with the package as the example loads it."""
    loads = _LOADS.search(example.code)
    if loads is None:
        return standalone(example.code)
    return f"\\documentclass{{article}}\n{loads[0]}\n\\begin{{document}}\nText.\n\\end{{document}}\n"


MANUAL = Manual(
    package="fullpage",
    domain="graph",  # it sets pages: what is kept of it as a diagram is for the filters to say
    licence="LPPL-1.0-or-later",
    sources=("source/latex/preprint/fullpage.dtx*",),
    read=read,
    document=document,
    debian="",
    absent="Debian ships fullpage.pdf and the package; the manual's source is fullpage.dtx, in TeX Live's source tree",
    sample="% \\begin{verbatim}\n% \\usepackage[cm]{fullpage}\n% \\end{verbatim}\n",
)
