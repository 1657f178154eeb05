"""metrics: Counted against Counted -> which items go together, by dimension. The F1s count these pairs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from diagrammar.metrics.colors import ColorPair, assign
from diagrammar.metrics.counted import Item
from diagrammar.records.scenes import Box

V = TypeVar("V")
Boxes = NDArray[np.float64]

MIN_IOU = 0.3
_ROWS_AT_ONCE = 256


class Pair(NamedTuple):
    """The objects that a truth's and a candidate's item belong to, and how well the items match, 0..1."""

    truth: str
    candidate: str
    similarity: float = 1.0


def match_equal(truth: Sequence[Item[V]], candidate: Sequence[Item[V]]) -> list[Pair]:
    """Each item of the truth with the first unused equal one of the candidate: types and texts.

    The number of pairs is the sum over values of the smaller count. Source: Diagram-MMU, appendix C.2, (1),
    (2).
    """
    return [Pair(truth[one].owner, candidate[other].owner) for one, other in equal_places(truth, candidate)]


def equal_places(first: Sequence[Item[V]], second: Sequence[Item[V]]) -> list[tuple[int, int]]:
    """Positions of equal values, each used once, in order."""
    unused: dict[V, deque[int]] = {}
    for place, item in enumerate(second):
        unused.setdefault(item.value, deque()).append(place)
    return [(n, unused[item.value].popleft()) for n, item in enumerate(first) if unused.get(item.value)]


def match_colors(
    truth: Mapping[str, Sequence[Item[str]]],
    candidate: Mapping[str, Sequence[Item[str]]],
    *,
    assign: Callable[[Sequence[str], Sequence[str]], list[ColorPair]] = assign,
) -> list[Pair]:
    """One-to-one pairs within each group that both sides have. Source: Diagram-MMU, appendix C.2, (3)."""
    pairs: list[Pair] = []
    for group, ours in truth.items():
        theirs = candidate.get(group, ())
        pairs += [
            Pair(ours[pair.truth].owner, theirs[pair.candidate].owner, pair.similarity)
            for pair in assign([item.value for item in ours], [item.value for item in theirs])
        ]
    return pairs


def match_boxes(truth: Sequence[Item[Box]], candidate: Sequence[Item[Box]]) -> list[Pair]:
    """Each box of the truth, in drawing order, with the first unused one whose IoU is at least 0.3.

    Source: Diagram-MMU, appendix C.2, (4). First fit: the result depends on the order of drawing.
    """
    if not truth or not candidate:
        return []
    theirs = as_array(candidate)
    unused = np.ones(len(candidate), dtype=np.bool_)
    pairs: list[Pair] = []
    for start in range(0, len(truth), _ROWS_AT_ONCE):
        rows = truth[start : start + _ROWS_AT_ONCE]
        shared = iou(as_array(rows), theirs)
        for item, row in zip(rows, shared, strict=True):
            fits = (row >= MIN_IOU) & unused
            first = int(fits.argmax())
            if fits[first]:
                unused[first] = False
                pairs.append(Pair(item.owner, candidate[first].owner, float(row[first])))
    return pairs


def match_boxes_best(truth: Sequence[Item[Box]], candidate: Sequence[Item[Box]]) -> list[Pair]:
    """As many pairs with an IoU of at least 0.3 as there can be, and of those the most overlapping."""
    if not truth or not candidate:
        return []
    from scipy.optimize import linear_sum_assignment

    shared = iou(as_array(truth), as_array(candidate))
    fits = shared >= MIN_IOU
    # A further pair is worth more than any overlap: those of all pairs together add up to less than one.
    worth = fits * (1 + shared / (1 + min(shared.shape)))
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [
        Pair(truth[row].owner, candidate[column].owner, float(shared[row, column]))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if fits[row, column]
    ]


def nearest_places(
    first: Sequence[Item[Box]],
    second: Sequence[Item[Box]],
    *,
    closeness: Callable[[Boxes, Boxes], Boxes],
    at_least: float,
) -> list[tuple[int, int]]:
    """Positions of boxes that go together: the closest pair first, then the closest of what is left."""
    if not first or not second:
        return []
    theirs = as_array(second)
    close: list[tuple[float, int, int]] = []
    for start in range(0, len(first), _ROWS_AT_ONCE):
        found = closeness(as_array(first[start : start + _ROWS_AT_ONCE]), theirs)
        for row, column in np.argwhere(found >= at_least).tolist():
            close.append((-round(float(found[row, column]), 9), start + row, column))
    used: tuple[set[int], set[int]] = (set(), set())
    places: list[tuple[int, int]] = []
    for _, one, other in sorted(close):
        if one not in used[0] and other not in used[1]:
            used[0].add(one)
            used[1].add(other)
            places.append((one, other))
    return places


def as_array(items: Sequence[Item[Box]]) -> Boxes:
    """Boxes as rows of left, top, right, bottom."""
    return np.array([item.value for item in items], dtype=np.float64).reshape(-1, 4)


def iou(first: Boxes, second: Boxes) -> Boxes:
    """Intersection over union of each of `first` (n, 4) with each of `second` (m, 4), all of some area."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    common = np.prod(np.maximum(0.0, high - low), axis=-1)
    area1, area2 = (np.prod(boxes[:, 2:] - boxes[:, :2], axis=-1) for boxes in (first, second))
    return np.asarray(common / (area1[:, None] + area2[None, :] - common))


def nearness(first: Boxes, second: Boxes) -> Boxes:
    """Minus the largest distance, in bp, between equal sides of each of `first` with each of `second`."""
    return np.asarray(-np.abs(first[:, None, :] - second[None, :, :]).max(axis=-1))
