"""What the corpus stages write: diagrams that compile and draw something, and those that were turned away."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from diagrammar.records.diagrams import Diagram, Engine, FailureKind
from diagrammar.records.scenes import Frozen

SkipReason = Literal[
    "unreadable", "too_large", "binary", "invalid_utf8", "empty", "no_picture", "unsafe_path",  # a file
    "unsafe_input", "cyclic_input", "input_limit",  # what a file asks for with \\input and its like
    "archive_bomb", "broken_archive", "nested_archive", "unsafe_member", "not_an_archive", "no_tex", "pdf_only",
    "malformed_xml", "malformed_row",  # a dump or a table
    "listing", "setup",  # a manual's example without a picture beside it
    "reader_failed",
]  # fmt: skip
RejectReason = FailureKind | Literal[
    "no_objects", "text_only", "worker_lost",
    "unsafe", "too_long",  # by its code, before it is compiled
    "trivial", "off_domain", "duplicate_code", "duplicate_objects", "duplicate_picture",  # by what it draws
]  # fmt: skip
Simplification = Literal["", "simplified", "minimal", "not_proven"]
DomainBy = Literal["source", "rule", "model", "label"]

CURATED = "curate"
CORPUS_STAGES = (CURATED, "refine")  # the stages whose records are Refined, the better one first


class Skipped(Frozen):
    """A file or an example that gave no diagram, and why."""

    where: str = Field(description="the file, with the line where it is an example")
    reason: SkipReason
    message: str = ""


class PartRead(Frozen):
    """One part of a source that was read to its end: a file, an archive, a post, some rows of a table."""

    id: str = Field(description="the part's name in its source")
    diagrams: int
    skipped: tuple[Skipped, ...] = ()


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
    seconds: float = Field(default=0.0, description="of the compile; 0 in a corpus, which tells no times")
    original: str = Field(
        default="", description="the code as collected, where `diagram.code` was simplified"
    )
    simplification: Simplification = Field(
        default="", description="not_proven: nothing could be removed with the same picture and objects"
    )
    domain_by: DomainBy = Field(default="source", description="who says to which domain it belongs")
    confidence: float = Field(default=0.0, description="of the domain, 0 to 1; 0 where nobody judged")


class Simplified(Frozen):
    """What became of a refined diagram's code."""

    id: str
    outcome: Simplification
    code: str = Field(default="", description="the shorter document; empty where the code stays as it is")
    removed: tuple[str, ...] = Field(default=(), description="packages, libraries, definitions, comments")
    compiles: int = Field(description="how often TeX was run to prove it")


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
    picture: str = Field(default="", description="artefact, where it draws something")
    like: str = Field(default="", description="of a duplicate: the id of the diagram that was kept instead")
