"""The manual of tikz-network: listings, each with its figure in the margin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import find_blocks
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.manual import Example, Manual, Sources

_PICTURE = re.compile(r"\\begin\{tikzpicture\}.*\\end\{tikzpicture\}", re.DOTALL)
_ESCAPE = re.compile(r"\+\*.*?\*\+", re.DOTALL)  # listings' escapeinside: set by TeX, no part of the code
_DATA = re.compile(r"(?<=[{=])data/([\w.-]+)(?=[},])")
_LIBRARIES = {r"\[[^\]]*framed|background rectangle": "backgrounds"}


def read(sources: Sources) -> Iterator[Example]:
    """All listings; those that hold a picture are shown, the others are fragments."""
    for file in sources.files:
        for block in find_blocks(file.text, ["lstlisting"]):
            code = _ESCAPE.sub("", block.body)
            names = [name for name in _DATA.findall(code) if name in sources.beside]
            yield Example(
                code=_DATA.sub(r"\1", code),
                file=file,
                line=block.line,
                options=" ".join(block.options.split()),
                role="shown" if _PICTURE.search(code) else "listing",
                beside={name: sources.beside[name] for name in names},
            )


def document(example: Example) -> str:
    """The example under tikz-network, with the data files that it reads."""
    own, body = hoisted(example.code)
    return standalone(
        body,
        packages=["tikz-network"],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, body)],
        preamble=own,
        beside=example.beside,
    )


MANUAL = Manual(
    package="tikz-network",
    domain="graph",
    licence="GPL-3.0-or-later",
    sources=("doc/latex/tikz-network/*.tex", "doc/latex/tikz-network/*.tex.gz"),
    beside=("doc/latex/tikz-network/data/*.csv",),
    read=read,
    document=document,
    sample="\\begin{lstlisting}\n\\begin{tikzpicture}\n  \\Vertex{A} \\Vertex[x=2]{B} \\Edge(A)(B)\n"
    "\\end{tikzpicture}\n\\end{lstlisting}\n",
)
