"""Tasks that a model is given. The truth stays in the Task; a Prompt is made of the image and the question only."""

from __future__ import annotations

from typing import Literal

from diagrammar.records.diagrams import Domain
from diagrammar.records.scenes import Frozen

TaskKind = Literal["d2c_parse", "d2c_edit", "dqa"]


class Task(Frozen):
    id: str
    kind: TaskKind
    diagram_id: str
    domain: Domain
    question: str
    image: str  # artefact name of the PNG
    preamble: str = ""
    truth_code: str | None = None
    answer: str | None = None
    answer_type: str | None = None
    dimension: str | None = None
    template: str | None = None
    evidence: str | None = None
