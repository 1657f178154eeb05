"""The manual of CircuiTikZ: LTXexample environments, executed by showexpl as they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import find_blocks
from diagrammar.manuals.reading.definitions import find_definitions, needed, outside
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.items import Item
from diagrammar.manuals.reading.items_circuitikz import read_components
from diagrammar.manuals.reading.manual import Example, Manual, Sources
from diagrammar.manuals.reading.options import split_options

_LIBRARIES = {
    r"\bfit\s*=": "fit",
    r"decorate|decoration\s*=|/pgf/decoration|path morphing": "decorations.pathmorphing",
    r"pattern\s*=": "patterns",
    r"(?:below|above|left|right)\s*=\s*(?:[\w.\\/*]+\s+)?(?:and [\w.]+ )?of ": "positioning",
}
_PACKAGES = {
    r"\\up(?:alpha|beta|gamma|delta|epsilon|mu|omega|phi|pi|theta|lambda|sigma|tau)(?![a-z])": "upgreek",
    r"\\text(?:tiny|small)?\{|\\tfrac|\\dfrac": "amsmath",
    r"\\ding(?![A-Za-z])": "pifont",
}
# Options of the package's own call in the manual.
_LOADED = "[siunitx,RPvoltages]{circuitikz}"


def read(sources: Sources) -> Iterator[Example]:
    """The examples that are shown with their circuit, and the listings."""
    manual = [file for file in sources.files if "circuitikzmanual.tex" in file.name]
    utilities = [d for file in sources.files if file not in manual for d in find_definitions(file.text)]
    for file in manual:
        blocks = list(find_blocks(file.text, ["LTXexample", "lstlisting"]))
        loose = list(find_definitions(outside(file.text, [(b.start, b.end) for b in blocks])))
        for block in blocks:
            settings = split_options(block.options)
            code = "\n".join(part for part in (settings.get("preset", ""), block.body) if part)
            before = [definition for definition in loose if definition.offset < block.start]
            yield Example(
                code=code,
                file=file,
                line=block.line,
                options=" ".join(block.options.split()),
                role="shown" if block.name == "LTXexample" else "listing",
                setup=needed(code, [*utilities, *before]),
            )


def items(sources: Sources) -> Iterator[Item]:
    """The catalogue of components."""
    for file in sources.files:
        if "circuitikzmanual.tex" in file.name:
            yield from read_components(file)


def document(example: Example) -> str:
    """The example under circuitikz with the manual's options."""
    own, body = hoisted(example.code)
    everything = example.setup + "\n" + example.code
    setup = example.setup
    if "@" in setup:
        setup = "\\makeatletter\n" + setup + "\n\\makeatother"
    return standalone(
        body,
        packages=[
            _LOADED,
            *(package for pattern, package in _PACKAGES.items() if re.search(pattern, everything)),
        ],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, everything)],
        preamble="\n".join(part for part in (own, setup) if part),
    )


MANUAL = Manual(
    package="circuitikz",
    domain="circuit",
    licence="LPPL-1.3c OR GPL-3.0-or-later",
    sources=("doc/latex/circuitikz/circuitikzmanual.tex*", "doc/latex/circuitikz/ctikzmanutils.sty*"),
    read=read,
    items=items,
    document=document,
    sample="\\begin{LTXexample}[varwidth=true]\n\\tikz \\draw (0,0) to[R=$R_1$] (2,0);\n\\end{LTXexample}\n",
)
