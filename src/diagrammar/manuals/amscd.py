"""The documentation of amscd: the CD environments of amsmath's manual and of the package's own source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.dtx import read_verbatim
from diagrammar.manuals.reading.manual import Example, Manual, Sources

_DIAGRAM = re.compile(r"\\begin\{CD\}.*\\end\{CD\}", re.DOTALL)
_DISPLAY = re.compile(r"\\begin\{(?:equation|align|gather|displaymath)\*?\}|\\\[|\$")
# The manuals define these names of operators.
_OPERATORS = re.compile(r"\\(End|cov|non|cf|add|per)(?![A-Za-z])")


def read(sources: Sources) -> Iterator[Example]:
    """The diagrams that are printed as code; each stands beside its picture."""
    yield from read_verbatim(sources, mentions=re.compile(r"\\begin\{CD\}"), shows=_DIAGRAM)


def document(example: Example) -> str:
    """The diagram under amsmath and amscd, as a formula of its own."""
    own, body = hoisted(example.code)
    if not _DISPLAY.search(body):
        body = f"$\\displaystyle\n{body}\n$"
    operators = dict.fromkeys(_OPERATORS.findall(body))
    return standalone(
        body,
        packages=["amsmath", "amscd"],
        preamble="\n".join([own, *(f"\\DeclareMathOperator{{\\{name}}}{{{name}}}" for name in operators)]),
    )


MANUAL = Manual(
    package="amscd",
    domain="graph",
    licence="LPPL-1.3c",
    sources=("doc/latex/amsmath/amsldoc.tex*", "source/latex/amsmath/amscd.dtx*"),
    read=read,
    document=document,
    debian="texlive-latex-base-doc",
    sample="\\begin{verbatim}\n\\begin{CD}\nA @>f>> B\n\\end{CD}\n\\end{verbatim}\n",
)
