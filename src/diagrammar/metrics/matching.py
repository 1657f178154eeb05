"""metrics: Counted against Counted -> which items go together, by dimension. The F1s count these pairs."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from diagrammar.metrics.colors import assign
from diagrammar.metrics.counted import Item
from diagrammar.records.scenes import Box

V = TypeVar("V")

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
    unused: dict[V, deque[str]] = {}
    for item in candidate:
        unused.setdefault(item.value, deque()).append(item.owner)
    return [Pair(item.owner, unused[item.value].popleft()) for item in truth if unused.get(item.value)]


def match_colors(
    truth: Mapping[str, Sequence[Item[str]]], candidate: Mapping[str, Sequence[Item[str]]]
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
    theirs = np.array([item.value for item in candidate], dtype=np.float64)
    unused = np.ones(len(candidate), dtype=np.bool_)
    pairs: list[Pair] = []
    for start in range(0, len(truth), _ROWS_AT_ONCE):
        rows = truth[start : start + _ROWS_AT_ONCE]
        shared = iou(np.array([item.value for item in rows], dtype=np.float64), theirs)
        for item, row in zip(rows, shared, strict=True):
            fits = (row >= MIN_IOU) & unused
            first = int(fits.argmax())
            if fits[first]:
                unused[first] = False
                pairs.append(Pair(item.owner, candidate[first].owner, float(row[first])))
    return pairs


def iou(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intersection over union of each of `first` (n, 4) with each of `second` (m, 4), all of some area."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    common = np.prod(np.maximum(0.0, high - low), axis=-1)
    area1, area2 = (np.prod(boxes[:, 2:] - boxes[:, :2], axis=-1) for boxes in (first, second))
    return np.asarray(common / (area1[:, None] + area2[None, :] - common))
