"""metrics: Case -> Overlap per dimension, what the object F1s are made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from typing import Literal, TypeVar

import numpy as np

from diagrammar.metrics.align import find_shift, shift
from diagrammar.metrics.ciede2000 import similarity
from diagrammar.metrics.colors import assign_alike
from diagrammar.metrics.counted import COUNTING, Counted, Item, count
from diagrammar.metrics.matching import Boxes, as_array, equal_places, match_colors, nearest_places
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.parts import Part, Split, split
from diagrammar.metrics.rules import Rules
from diagrammar.records.scenes import Box, Scene
from diagrammar.records.scores import Case, Side

Dimension = Literal["type", "text", "color", "bbox"]
DIMENSIONS: tuple[Dimension, ...] = ("type", "text", "color", "bbox")
Colors = Mapping[str, Sequence[Item[str]]]
Values = TypeVar("Values", bound=Sized)


def reading() -> dict[str, str]:
    """What every object metric's value depends on: the counting rules and the reader of the PDF."""
    return {"counting": str(COUNTING), "reader": f"pdf-pypdfium2-{version('pypdfium2')}"}


def overlap(case: Case, dimension: Dimension, *, rules: Rules, part: Part = "whole") -> Overlap:
    """What the candidate shares with the truth in one dimension; of an edit, in one part."""
    source = None if case.source is None or part == "whole" else _Drawing(_scene(case.source))
    return _overlap(
        _Drawing(_scene(case.truth)), _Drawing(_scene(case.candidate)), source, dimension, rules, part
    )


@dataclass(frozen=True, eq=False)
class _Drawing:
    """A scene that is looked up by identity: to compare two large scenes takes longer than to count one."""

    scene: Scene

    def __hash__(self) -> int:
        return id(self.scene)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Drawing) and self.scene is other.scene


def _scene(side: Side) -> Scene:
    if side.scene is None:
        raise ValueError("this side has no scene; Metric.measure handles failed sides")
    return side.scene


# A drawing is counted once for all dimensions, and a truth once for the candidates of many models.
@lru_cache(maxsize=64)
def _count(drawing: _Drawing) -> Counted:
    return count(drawing.scene)


@lru_cache(maxsize=64)
def _shift(source: _Drawing, other: _Drawing) -> tuple[float, float]:
    return find_shift(source.scene, other.scene)


# The mean of the four dimensions asks for each a second time.
@lru_cache(maxsize=64)
def _overlap(
    truth: _Drawing,
    candidate: _Drawing,
    source: _Drawing | None,
    dimension: Dimension,
    rules: Rules,
    part: Part,
) -> Overlap:
    ours, theirs = _count(truth), _count(candidate)
    if source is None:
        return _WHOLE[dimension](ours, theirs, rules)
    before = _count(source)
    if dimension == "bbox":
        ours_moved, theirs_moved = (
            shift(counted.boxes, _shift(source, drawing))
            for counted, drawing in ((ours, truth), (theirs, candidate))
        )
        return _box_part(before.boxes, ours_moved, theirs_moved, rules, part)
    if dimension == "color":
        return _color_part(before.colors, ours.colors, theirs.colors, rules, part)
    lists = (
        (before.types, ours.types, theirs.types)
        if dimension == "type"
        else (before.texts, ours.texts, theirs.texts)
    )
    return _equal_part(*lists, part)


# the whole drawing


def _types(truth: Counted, candidate: Counted, _: Rules) -> Overlap:
    return _equal(truth.types, candidate.types)


def _texts(truth: Counted, candidate: Counted, _: Rules) -> Overlap:
    return _equal(truth.texts, candidate.texts)


def _equal(truth: Sequence[Item[str]], candidate: Sequence[Item[str]]) -> Overlap:
    return Overlap(len(equal_places(truth, candidate)), len(candidate), len(truth))


def _colors(truth: Counted, candidate: Counted, rules: Rules) -> Overlap:
    return Overlap(
        _alike(truth.colors, candidate.colors, rules), _size(candidate.colors), _size(truth.colors)
    )


def _boxes(truth: Counted, candidate: Counted, rules: Rules) -> Overlap:
    matched = rules.match_boxes(truth.boxes, candidate.boxes)
    return Overlap(len(matched), len(candidate.boxes), len(truth.boxes))


_WHOLE = {"type": _types, "text": _texts, "color": _colors, "bbox": _boxes}


def _alike(truth: Colors, candidate: Colors, rules: Rules) -> float:
    # fsum: exactly rounded, so that the order of drawing does not show in the last digit
    return math.fsum(pair.similarity for pair in match_colors(truth, candidate, assign=rules.assign_colors))


def _size(colors: Colors) -> int:
    return sum(map(len, colors.values()))


# the parts of an edit


def _equal_part(
    source: Sequence[Item[str]], truth: Sequence[Item[str]], candidate: Sequence[Item[str]], part: Part
) -> Overlap:
    found = split(source, truth, candidate, same=equal_places)
    if part == "preserve":
        return _equal(found.truth_kept, found.candidate_kept)
    return _equal(found.truth_edited, found.candidate_edited)


def _box_part(
    source: Sequence[Item[Box]],
    truth: Sequence[Item[Box]],
    candidate: Sequence[Item[Box]],
    rules: Rules,
    part: Part,
) -> Overlap:
    same = partial(nearest_places, closeness=rules.closeness, at_least=rules.same_box)
    found = split(source, truth, candidate, same=same)
    if part == "preserve":
        kept = same(found.truth_kept, found.candidate_kept)
        return Overlap(len(kept), len(found.candidate_kept), len(found.truth_kept))
    tried, new, old = map(as_array, (found.candidate_edited, found.truth_edited, found.removed))
    undone = _undone(tried, new, old, rules.closeness, rules.same_box)
    done = [item for item, skipped in zip(found.candidate_edited, undone, strict=True) if not skipped]
    matched = rules.match_boxes(found.truth_edited, done)
    return Overlap(len(matched), len(found.candidate_edited), len(found.truth_edited))


def _color_part(source: Colors, truth: Colors, candidate: Colors, rules: Rules, part: Part) -> Overlap:
    same = partial(_same_colors, at_least=rules.same_color)
    found = {
        group: split(source.get(group, ()), truth.get(group, ()), candidate.get(group, ()), same=same)
        for group in dict.fromkeys((*source, *truth, *candidate))
    }
    if part == "preserve":
        ours = {group: parts.truth_kept for group, parts in found.items()}
        theirs = {group: parts.candidate_kept for group, parts in found.items()}
        return Overlap(_alike(ours, theirs, rules), _size(theirs), _size(ours))
    ours = {group: parts.truth_edited for group, parts in found.items()}
    tried = {group: _done(parts, rules) for group, parts in found.items()}
    edited = sum(len(parts.candidate_edited) for parts in found.values())
    return Overlap(_alike(ours, tried, rules), edited, _size(ours))


def _same_colors(
    first: Sequence[Item[str]], second: Sequence[Item[str]], *, at_least: float
) -> list[tuple[int, int]]:
    ours, theirs = [item.value for item in first], [item.value for item in second]
    return [(pair.truth, pair.candidate) for pair in assign_alike(ours, theirs, at_least=at_least)]


def _done(found: Split[str], rules: Rules) -> tuple[Item[str], ...]:
    """The candidate's edited colours without those that are still the source's."""
    edited = (found.candidate_edited, found.truth_edited, found.removed)
    tried, new, old = ([*dict.fromkeys(item.value for item in items)] for items in edited)
    skipped = _undone(tried, new, old, similarity, rules.same_color)
    undone = {color for color, skip in zip(tried, skipped, strict=True) if skip}
    return tuple(item for item in found.candidate_edited if item.value not in undone)


def _undone(
    tried: Values, new: Values, old: Values, closeness: Callable[[Values, Values], Boxes], same: float
) -> list[bool]:
    """Which values that a candidate edited are still what the edit takes away: no hit, however close to a new one.

    So a copy of the source gets nothing for an edit, even where colours match in part and a box moves little.
    """
    if not len(tried) or not len(old):
        return [False] * len(tried)
    to_old = closeness(tried, old).max(axis=1)
    to_new = closeness(tried, new).max(axis=1) if len(new) else np.full(len(tried), -math.inf)
    return [bool(skip) for skip in (to_old >= same) & (to_old >= to_new)]
