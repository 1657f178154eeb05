"""metrics: the source, truth and candidate of an edit -> Overlap of each part, by dimension.

Source: Diagram-MMU, appendix C.2, preserve/edit splits. docs/metrics.md, Parts of an edit, says what that leaves open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from diagrammar.metrics.ciede2000 import similarity
from diagrammar.metrics.colors import assign_alike
from diagrammar.metrics.counted import Counted, Item
from diagrammar.metrics.matching import Boxes, as_array, equal_places, match_colors, nearest_places
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.parts import Split, split
from diagrammar.metrics.rules import Rules

Colors = Mapping[str, Sequence[Item[str]]]
Values = TypeVar("Values", bound=Sized)


@dataclass(frozen=True)
class EditOverlap:
    """What truth and candidate share of what had to stay, and of what had to change."""

    preserve: Overlap
    edit: Overlap


def type_parts(source: Counted, truth: Counted, candidate: Counted, _: Rules) -> EditOverlap:
    """Types: equal or not."""
    return _equal_parts(source.types, truth.types, candidate.types)


def text_parts(source: Counted, truth: Counted, candidate: Counted, _: Rules) -> EditOverlap:
    """Texts: equal or not."""
    return _equal_parts(source.texts, truth.texts, candidate.texts)


def color_parts(source: Counted, truth: Counted, candidate: Counted, rules: Rules) -> EditOverlap:
    """Colours, split group by group and matched in part by how alike they are."""
    same = partial(_same_colors, at_least=rules.same_color)
    found = {
        group: split(*(side.colors.get(group, ()) for side in (source, truth, candidate)), same=same)
        for group in dict.fromkeys((*source.colors, *truth.colors, *candidate.colors))
    }
    kept = color_overlap(
        {group: parts.truth_kept for group, parts in found.items()},
        {group: parts.candidate_kept for group, parts in found.items()},
        rules,
    )
    done = color_overlap(
        {group: parts.truth_edited for group, parts in found.items()},
        {group: _done_colors(parts, rules) for group, parts in found.items()},
        rules,
    )
    edited = sum(len(parts.candidate_edited) for parts in found.values())
    return EditOverlap(kept, Overlap(done.matched, edited, done.truth))


def box_parts(source: Counted, truth: Counted, candidate: Counted, rules: Rules) -> EditOverlap:
    """Boxes; those of truth and candidate stand in the source's frame already."""
    same = partial(nearest_places, closeness=rules.closeness, at_least=rules.same_box)
    found = split(source.boxes, truth.boxes, candidate.boxes, same=same)
    kept = same(found.truth_kept, found.candidate_kept)
    tried, new, old = map(as_array, (found.candidate_edited, found.truth_edited, found.removed))
    undone = _undone(tried, new, old, rules.closeness, rules.same_box)
    done = [item for item, skipped in zip(found.candidate_edited, undone, strict=True) if not skipped]
    matched = rules.match_boxes(found.truth_edited, done)
    return EditOverlap(
        Overlap(len(kept), len(found.candidate_kept), len(found.truth_kept)),
        Overlap(len(matched), len(found.candidate_edited), len(found.truth_edited)),
    )


def equal_overlap(truth: Sequence[Item[str]], candidate: Sequence[Item[str]]) -> Overlap:
    """What two lists of values share as multisets."""
    return Overlap(len(equal_places(truth, candidate)), len(candidate), len(truth))


def color_overlap(truth: Colors, candidate: Colors, rules: Rules) -> Overlap:
    """How alike the colours are, group by group."""
    pairs = match_colors(truth, candidate, assign=rules.assign_colors)
    # fsum: exactly rounded, so that the order of drawing does not show in the last digit
    alike = math.fsum(pair.similarity for pair in pairs)
    return Overlap(alike, sum(map(len, candidate.values())), sum(map(len, truth.values())))


def _equal_parts(
    source: Sequence[Item[str]], truth: Sequence[Item[str]], candidate: Sequence[Item[str]]
) -> EditOverlap:
    found = split(source, truth, candidate, same=equal_places)
    return EditOverlap(
        equal_overlap(found.truth_kept, found.candidate_kept),
        equal_overlap(found.truth_edited, found.candidate_edited),
    )


def _same_colors(
    first: Sequence[Item[str]], second: Sequence[Item[str]], *, at_least: float
) -> list[tuple[int, int]]:
    ours, theirs = [item.value for item in first], [item.value for item in second]
    return [(pair.truth, pair.candidate) for pair in assign_alike(ours, theirs, at_least=at_least)]


def _done_colors(found: Split[str], rules: Rules) -> tuple[Item[str], ...]:
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
