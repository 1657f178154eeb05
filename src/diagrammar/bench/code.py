"""bench: the program in a text, as its writer wrote it."""

from __future__ import annotations

from diagrammar.records.diagrams import TexFailure
from diagrammar.tex.source import read_source


def code_in(text: str) -> str | TexFailure:
    """The program without the prose around it; what a wrapper adds to a fragment is nobody's code."""
    document = read_source(text)
    if isinstance(document, TexFailure):
        return document
    return "\n".join(line.text for line in document.lines if line.origin is not None)
