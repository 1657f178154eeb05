"""What both readers find on a page: inks, with their marks and glyphs. Page frame: bp, y upwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from diagrammar.scene.geometry import Matrix, Rect, Subpath

DUST_PT = 0.5  # what is smaller in both directions cannot be told from dust


@dataclass(frozen=True)
class Glyph:
    """A character with its tight box, its pen position and advance, bp in the page frame."""

    char: str
    box: Rect
    origin: tuple[float, float]
    advance_end: tuple[float, float]
    size: float
    angle: float  # radians, counterclockwise
    font: str
    color: str
    alpha: float


@dataclass(frozen=True)
class MarkRef:
    """One begin/end pair of marked content. `instance` tells two uses of the same box apart."""

    number: int
    instance: int


@dataclass(frozen=True)
class Ink:
    """One painted page object. `handle` is its reader's name for it, valid while the page is open."""

    kind: Literal["text", "path", "image", "shading"]
    page: int
    marks: tuple[MarkRef, ...]
    box: Rect | None  # tight, clipped; None where all of it is clipped away or nothing is painted
    matrix: Matrix
    handle: int
    fill: str | None = None
    stroke: str | None = None
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    line_width: float = 0.0
    dashed: bool = False
    cut: bool = False  # a clip or the page takes part of it away
    subpaths: tuple[Subpath, ...] = ()
    glyphs: tuple[Glyph, ...] = ()

    @property
    def alpha(self) -> float:
        """The largest opacity among what is painted."""
        alphas = [self.fill_alpha] if self.fill or self.kind != "path" else []
        return max([*alphas, self.stroke_alpha] if self.stroke else alphas, default=0.0)
