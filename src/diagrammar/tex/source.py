"""tex, step 1: text as people and models give it -> Document. Next: engine."""

from __future__ import annotations

from diagrammar.records.diagrams import TexFailure
from diagrammar.tex.document import Document, document_of


def read_source(text: str) -> Document | TexFailure:
    """The document in `text`."""
    return document_of(text)
