"""What scoring a run leaves on disk: what each program draws, and the scores of each answer."""

from __future__ import annotations

from pydantic import Field

from diagrammar.records.diagrams import Domain, Engine
from diagrammar.records.outputs import OutputStatus
from diagrammar.records.scenes import Frozen
from diagrammar.records.scores import FailureNote, PairScore
from diagrammar.records.tasks import TaskKind


class PictureNote(Frozen):
    """A stored picture. Scene coordinate x lies at pixel (x - left_pt) * dpi / 72, y likewise."""

    png: str = Field(description="artefact name")
    dpi: float
    width_px: int
    height_px: int
    left_pt: float
    top_pt: float


class Drawn(Frozen):
    """One program and what it draws, or why it draws nothing."""

    id: str = Field(description="sha256 of the text it was read from")
    code: str = Field(description="without the prose around it and without what a wrapper adds")
    scene: str | None = Field(default=None, description="artefact name of the Scene as JSON")
    picture: PictureNote | None = None
    failure: FailureNote | None = None
    engine: Engine | None = None
    repairs: tuple[str, ...] = ()
    isolation: str = ""
    seconds: float = 0.0


class Seen(Frozen):
    """What a network sees in a stored picture."""

    id: str = Field(description="the picture's artefact name")
    features: str | None = Field(default=None, description="artefact name of the vector as .npy")
    reason: str = Field(default="", description="why there are none")


class Evaluated(Frozen):
    """One answer to one task, scored. It counts however it failed: the denominator is fixed."""

    id: str = Field(description="the Output's")
    task_id: str
    attempt: int = 0
    kind: TaskKind = "d2c_parse"
    domain: Domain
    dimension: str | None = Field(default=None, description="of an edit: what it changes")
    model: str
    setting: str
    status: OutputStatus
    truth: str = Field(description="id of the Drawn of the bench's side")
    candidate: str | None = Field(description="id of the Drawn of the run's side; None without an answer")
    score: PairScore
