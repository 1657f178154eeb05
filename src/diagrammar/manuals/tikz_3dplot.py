"""The manual of tikz-3dplot: verbatim code, followed by the same code drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from diagrammar.manuals.reading.blocks import Block
from diagrammar.manuals.reading.definitions import outside
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Manual, Role, Sources

_PICTURE = re.compile(r"\\begin\{tikzpicture\}.*\\end\{tikzpicture\}", re.DOTALL)
# A switch of the author's that would end the document early.
_SCRATCH = re.compile(r"^\\ifscratch\b.*?^\\fi\b", re.DOTALL | re.MULTILINE)
_LIBRARIES = {r"\(\s*\$": "calc", r"\bStealth\b|\bLatex\b": "arrows.meta"}


def read(sources: Sources) -> Iterator[Example]:
    """All verbatim code; what holds a whole picture is drawn below it, the rest are fragments."""
    for file in sources.files:
        without = outside(file.text, [match.span() for match in _SCRATCH.finditer(file.text)])
        for example in read_environments(
            replace(file, text=without), ["verbatim"], role_of=_role_of, running_text=False
        ):
            yield replace(example, file=file)


def document(example: Example) -> str:
    """The example under tikz-3dplot."""
    own, body = hoisted(example.code)
    return standalone(
        body,
        packages=["tikz", "tikz-3dplot"],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, body)],
        preamble=own,
    )


def _role_of(block: Block) -> Role:
    return "shown" if _PICTURE.search(block.body) else "listing"


MANUAL = Manual(
    package="tikz-3dplot",
    domain="3d_shapes",
    licence="LPPL-1.3c",
    sources=("doc/latex/tikz-3dplot/*.tex", "doc/latex/tikz-3dplot/*.tex.gz"),
    read=read,
    document=document,
    sample="\\begin{verbatim}\n\\tdplotsetmaincoords{60}{110}\n\\begin{tikzpicture}[tdplot_main_coords]\n"
    "\\draw[->] (0,0,0) -- (1,0,0);\n\\end{tikzpicture}\n\\end{verbatim}\n",
)
