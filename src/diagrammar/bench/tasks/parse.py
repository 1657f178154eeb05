"""bench, step 1: Refined -> Task, diagram-to-code parsing: the picture is given, the program is wanted. Next: run."""

from __future__ import annotations

from diagrammar.corpus.domain import domain_of
from diagrammar.records.corpus import Refined
from diagrammar.records.tasks import Task

QUESTION = "Redraw the diagram in this picture as a LaTeX document that uses TikZ."


def parse_task(refined: Refined) -> Task:
    """The task of redrawing one diagram. Its image keeps the artefact's name."""
    diagram = refined.diagram
    return Task(
        id=refined.id,
        kind="d2c_parse",
        diagram_id=refined.id,
        domain=diagram.domain or domain_of(diagram.code),
        question=QUESTION,
        image=refined.picture,
        preamble=diagram.preamble,
        truth_code=diagram.code,
    )
