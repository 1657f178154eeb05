"""What the corpus stages write: diagrams that compile and draw something, and those that were turned away."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from diagrammar.records.diagrams import Diagram, Engine, FailureKind
from diagrammar.records.scenes import Frozen

SkipReason = Literal[
    "unreadable", "too_large", "binary", "invalid_utf8", "empty", "no_picture",  # a file of a folder
    "listing", "setup",  # a manual's example without a picture beside it
]  # fmt: skip
RejectReason = FailureKind | Literal["no_objects", "text_only", "worker_lost"]


class Skipped(Frozen):
    """A file or an example that gave no diagram, and why."""

    where: str = Field(description="the file, with the line where it is an example")
    reason: SkipReason
    message: str = ""


class Refined(Frozen):
    """A diagram that compiles and draws at least one counted object that is not loose text."""

    id: str
    diagram: Diagram
    picture: str = Field(description="artefact: PNG at 300 dpi, cropped to the ink")
    scene: str = Field(description="artefact: the Scene as JSON")
    left_pt: float = Field(
        description="scene coordinate of the picture's left edge; pixel = (x - left) * dpi / 72"
    )
    top_pt: float
    dpi: float
    engine: Engine
    repairs: tuple[str, ...] = ()
    marked: bool = True
    objects: int = Field(description="counted objects of the scene")
    seconds: float = 0.0


class Rejected(Frozen):
    """A diagram that was turned away, and why."""

    id: str
    diagram: Diagram
    reason: RejectReason
    message: str = ""
    line: int | None = None
    hint: str = ""
    engine: Engine | None = None
    seconds: float = 0.0
