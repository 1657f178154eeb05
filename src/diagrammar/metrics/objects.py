"""metrics: Case -> Overlap per dimension, what the object F1s are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from typing import Literal

from diagrammar.metrics.align import find_shift, shift
from diagrammar.metrics.counted import COUNTING, Counted, count
from diagrammar.metrics.edits import (
    EditOverlap,
    box_parts,
    color_overlap,
    color_parts,
    equal_overlap,
    text_parts,
    type_parts,
)
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.parts import Part
from diagrammar.metrics.rules import Rules
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, Side

Dimension = Literal["type", "text", "color", "bbox"]
DIMENSIONS: tuple[Dimension, ...] = ("type", "text", "color", "bbox")


def reading() -> dict[str, str]:
    """What every object metric's value depends on: the counting rules and the reader of the PDF."""
    return {"counting": str(COUNTING), "reader": f"pdf-pypdfium2-{version('pypdfium2')}"}


def overlap(case: Case, dimension: Dimension, *, rules: Rules, part: Part = "whole") -> Overlap:
    """What the candidate shares with the truth in one dimension; of an edit, in one part.

    Raises ValueError for a part of a case without source.
    """
    truth, candidate = _drawing(case.truth), _drawing(case.candidate)
    if part == "whole":
        return _whole(truth, candidate, dimension, rules)
    if case.source is None:
        raise ValueError("this case has no source; Metric.measure handles that")
    parts = _parts(truth, candidate, _drawing(case.source), dimension, rules)
    return parts.preserve if part == "preserve" else parts.edit


@dataclass(frozen=True, eq=False)
class _Drawing:
    """A scene that is looked up by identity: to compare two large scenes takes longer than to count one."""

    scene: Scene

    def __hash__(self) -> int:
        return id(self.scene)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Drawing) and self.scene is other.scene


def _drawing(side: Side) -> _Drawing:
    if side.scene is None:
        raise ValueError("this side has no scene; Metric.measure handles failed sides")
    return _Drawing(side.scene)


# A drawing is counted once for all dimensions, and a truth once for the candidates of many models.
@lru_cache(maxsize=64)
def _count(drawing: _Drawing) -> Counted:
    return count(drawing.scene)


@lru_cache(maxsize=64)
def _shift(source: _Drawing, other: _Drawing) -> tuple[float, float]:
    return find_shift(source.scene, other.scene)


# The mean of the four dimensions asks for each a second time.
@lru_cache(maxsize=64)
def _whole(truth: _Drawing, candidate: _Drawing, dimension: Dimension, rules: Rules) -> Overlap:
    return _WHOLE[dimension](_count(truth), _count(candidate), rules)


# Both parts come of one split, and an edit is asked for both.
@lru_cache(maxsize=64)
def _parts(
    truth: _Drawing, candidate: _Drawing, source: _Drawing, dimension: Dimension, rules: Rules
) -> EditOverlap:
    ours, theirs = (
        replace(_count(drawing), boxes=shift(_count(drawing).boxes, _shift(source, drawing)))
        for drawing in (truth, candidate)
    )
    return _PARTS[dimension](_count(source), ours, theirs, rules)


def _types(truth: Counted, candidate: Counted, _: Rules) -> Overlap:
    return equal_overlap(truth.types, candidate.types)


def _texts(truth: Counted, candidate: Counted, _: Rules) -> Overlap:
    return equal_overlap(truth.texts, candidate.texts)


def _colors(truth: Counted, candidate: Counted, rules: Rules) -> Overlap:
    return color_overlap(truth.colors, candidate.colors, rules)


def _boxes(truth: Counted, candidate: Counted, rules: Rules) -> Overlap:
    matched = rules.match_boxes(truth.boxes, candidate.boxes)
    return Overlap(len(matched), len(candidate.boxes), len(truth.boxes))


_WHOLE: Mapping[Dimension, Callable[[Counted, Counted, Rules], Overlap]] = {
    "type": _types, "text": _texts, "color": _colors, "bbox": _boxes,
}  # fmt: skip
_PARTS: Mapping[Dimension, Callable[[Counted, Counted, Counted, Rules], EditOverlap]] = {
    "type": type_parts, "text": text_parts, "color": color_parts, "bbox": box_parts,
}  # fmt: skip
