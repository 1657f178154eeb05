"""The documentation of soul, which is in its source: letterspacing, underlining, striking out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.dtx import read_verbatim
from diagrammar.manuals.reading.manual import Example, Manual, Sources

_COMMANDS = re.compile(r"\\(?:so|caps|ul|st|hl|textso|textul|sethlcolor|setul\w*|sodef|capsdef)(?![A-Za-z])")
_SETS_TEXT = re.compile(r"^[^%\n]*\\(?:so|caps|ul|st|hl)\{[^}]+\}", re.MULTILINE)


def read(sources: Sources) -> Iterator[Example]:
    """The verbatim code that uses a command of the package."""
    yield from read_verbatim(sources, mentions=_COMMANDS, shows=_SETS_TEXT)


def document(example: Example) -> str:
    """The example under soul, with colours."""
    own, body = hoisted(example.code)
    return standalone(body, packages=["xcolor", "soul"], preamble=own)


MANUAL = Manual(
    package="soul",
    domain="graph",  # it sets text: what is kept of it as a diagram is for the filters to say
    licence="LPPL-1.3c",
    sources=("source/generic/soul/soul*.dtx*", "source/latex/soul/soul*.dtx*", "doc/generic/soul/soul*.tex*"),
    read=read,
    document=document,
    debian="",
    absent="Debian ships soul.pdf and the package; the manual's source is soul.dtx, in TeX Live's source tree",
    sample="% \\begin{verbatim}\n% This is \\ul{underlined}.\n% \\end{verbatim}\n",
)
