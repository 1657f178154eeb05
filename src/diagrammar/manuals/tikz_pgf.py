"""The manual of TikZ and PGF: codeexamples that name the libraries they need in their options.

The chapters on graph drawing are written in the Lua files that do the drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.codeexample import read_codeexamples
from diagrammar.manuals.reading.definitions import find_definitions
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.items import Item
from diagrammar.manuals.reading.items_pgf import read_pgf_items
from diagrammar.manuals.reading.luadoc import read_lua_examples
from diagrammar.manuals.reading.manual import Example, Manual, Sources
from diagrammar.records.diagrams import Domain

# Packages that the manual's preamble loads for all examples: command or environment -> package.
_PACKAGES = {
    r"\\(?:mathbb|mathfrak|square|blacksquare|checkmark|varnothing)(?![A-Za-z])": "amssymb",
    r"\\(?:text|binom|tfrac|dfrac|boldsymbol)(?![A-Za-z])|\\begin\{(?:align|[pbv]matrix|cases)": "amsmath",
    r"\\FP[a-z]+": "fp",
    r"\\ding(?![A-Za-z])": "pifont",
    r"\\begin\{colormixin\}|!averagebackgroundcolor": "xxcolor",
    r"\\begin\{lstlisting\}|\\lstset": "listings",
}  # fmt: skip
_SHARED = ("-preamble.tex", "-preamble.tex.gz", "-macros.tex")
_STYLES = (r"\tikzset", r"\pgfkeys", r"\definecolor", r"\colorlet")
_THREE_D = re.compile(
    r"canvas is |plane x=|plane origin|isometric view|three point perspective|\btpp cs|3d view"
    r"|\bxyz (?:spherical|cylindrical)"
    r"|\((?:\s*[-+\d.\\a-z*/^{}]+\s*,){2}\s*[-+\d.\\a-z*/^{}]+\s*\)|library\{[^}]*\b(?:3d|perspective)\b"
)


def read(sources: Sources) -> Iterator[Example]:
    """All codeexamples of the manual's files, and the examples of its Lua files.

    The manual's authors compile every example by itself, so the running text defines nothing that one needs;
    the few global styles stand in the preamble's file and the manual's macros.
    """
    shared = [
        definition for file in sources.files if file.name.endswith(_SHARED)
        for definition in find_definitions(file.text) if definition.text.startswith(_STYLES)
    ]  # fmt: skip
    for file in sources.files:
        if file.name.endswith(".lua"):
            yield from read_lua_examples(file)
        elif file.name.startswith("doc/"):
            yield from read_codeexamples(file, shared=shared, running_text=False)


def items(sources: Sources) -> Iterator[Item]:
    """What the manual's TeX files define."""
    for file in sources.files:
        if file.name.startswith("doc/"):
            yield from read_pgf_items(file, "tikz-pgf")


def document(example: Example) -> str:
    """The example under the libraries of its `preamble` option, with the set-up code that it uses."""
    own, body = hoisted(example.code)
    everything = "\n".join((example.preamble, example.setup, example.code))
    packages = [package for pattern, package in _PACKAGES.items() if re.search(pattern, everything)]
    # Set-up code that runs a picture, which is how data groups are filled, has no place in a preamble.
    draws = r"\datavisualization" in example.setup
    return standalone(
        f"{example.setup}\n{body}" if draws else body,
        packages=[*packages, "tikz"],
        preamble="\n".join(part for part in (example.preamble, own, "" if draws else example.setup) if part),
        beside=example.beside,
    )


def domain_of(example: Example) -> Domain:
    """`3d_shapes` for an example that uses the 3d or perspective library or coordinates of three numbers."""
    return "3d_shapes" if _THREE_D.search(example.preamble + "\n" + example.code) else "graph"


MANUAL = Manual(
    package="tikz-pgf",
    domain="graph",
    licence="GFDL-1.2-or-later OR LPPL-1.3c",
    sources=(
        "doc/generic/pgf/*.tex",
        "doc/generic/pgf/*.tex.gz",
        "tex/latex/pgf/doc/pgfmanual-en-macros.tex",
        "tex/generic/pgf/graphdrawing/lua/**/*.lua",
    ),
    read=read,
    items=items,
    document=document,
    domain_of=domain_of,
    sample="\\begin{codeexample}[preamble={\\usetikzlibrary{calc}}]\n"
    "\\tikz \\draw (0,0) -- ($(1,0)+(0,1)$);\n\\end{codeexample}\n",
)
