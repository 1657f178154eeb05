"""tex, step 3: a document and its failure -> the document with the one change that failure calls for."""

from __future__ import annotations

from diagrammar.tex.document import Document
from diagrammar.tex.failures import Reading


def repair(document: Document, failure: Reading, *, log: str) -> Document | None:
    """The repaired document, with a note in words; None where no repair is known."""
    return None
