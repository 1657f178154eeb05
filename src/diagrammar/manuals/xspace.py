"""The documentation of xspace, which is in its source: a space after a command, where one is due."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.dtx import read_verbatim
from diagrammar.manuals.reading.manual import Example, Manual, Sources

_COMMANDS = re.compile(r"\\(?:@xspace@hook|xspace(?:addexceptions|removeexception)?)(?![A-Za-z])")
_SETS_TEXT = re.compile(r"\\newcommand\*?\{?\\\w+\}?\{[^}]*\\xspace\}")


def read(sources: Sources) -> Iterator[Example]:
    """The verbatim code that uses a command of the package."""
    yield from read_verbatim(sources, mentions=_COMMANDS, shows=_SETS_TEXT)


def document(example: Example) -> str:
    """The example under xspace."""
    own, body = hoisted(example.code)
    return standalone(body, packages=["xspace"], preamble=own)


MANUAL = Manual(
    package="xspace",
    domain="graph",  # it sets text: what is kept of it as a diagram is for the filters to say
    licence="LPPL-1.3c",
    sources=("source/latex/tools/xspace.dtx*",),
    read=read,
    document=document,
    debian="",
    absent="Debian ships xspace.pdf and the package; the manual's source is xspace.dtx, in TeX Live's source tree",
    sample="% \\begin{verbatim}\n% \\newcommand\\gb{Great Britain\\xspace}\\gb is an island.\n% \\end{verbatim}\n",
)
