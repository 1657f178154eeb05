"""What to do next, where the document itself tells more than TeX's message does."""

from __future__ import annotations

import re

from diagrammar.tex.document import Document
from diagrammar.tex.failures import Reading
from diagrammar.tex.wrap import open_environments

TKZ_EUCLIDE = re.compile(r"\{[^}]*\btkz-euclide\b[^}]*\}")
# Keys and commands that tkz-euclide had up to version 3 and has no more.
OLD_TKZ = re.compile(
    r"(?:altitude|median|mediator|bisector|orthogonal|lengthA|lengthB|with nodes|R with nodes)$"
    r"|\\tkz(?:DrawBisector|DrawTriangle|DrawSquare|DefSquare|DrawMedian|DrawAltitude|GetRandPointOn|CalcLength\w*)$"
)
OLD_TKZ_NOTE = "tkz-euclide 2/3 syntax"


def hint_for(reading: Reading, document: Document) -> str:
    """The hint of this failure in this document."""
    code = document.code
    if (
        reading.kind in ("unknown_key", "undefined_command")
        and TKZ_EUCLIDE.search(code)
        and (OLD_TKZ.search(reading.culprit) or any(OLD_TKZ_NOTE in note for note in document.notes))
    ):
        return f"{OLD_TKZ_NOTE}: the installed version has no {reading.culprit or 'such key'}; write it in its syntax"
    if reading.kind == "syntax":
        unended = open_environments(code)
        if unended:
            return f"\\begin{{{unended[-1]}}} is never ended: add \\end{{{unended[-1]}}}"
    return reading.hint
