"""metrics: F1 of boxes whatever the size of the drawing: the candidate is first brought to the truth's size.

Ours. TikZ code that draws the same figure at another scale is as right to a reader; its boxes are not to
`f1_bbox`. The drawings' diagonals are made equal, without distortion, their top left corners laid on each other.
"""

from __future__ import annotations

import math

from diagrammar.metrics.counted import Item, count
from diagrammar.metrics.matching import MIN_IOU, match_boxes_best
from diagrammar.metrics.objects import reading
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.protocol import Metric
from diagrammar.records.scenes import Box, Scene
from diagrammar.records.scores import Case

# Lines and letters do not grow with a drawing: a side that is thinner is widened to this share of the diagonal.
MIN_SIDE = 0.01


def _compare(case: Case) -> Overlap:
    assert case.truth.scene is not None and case.candidate.scene is not None
    ours, theirs = _unit_boxes(case.truth.scene), _unit_boxes(case.candidate.scene)
    return Overlap(len(match_boxes_best(ours, theirs)), len(theirs), len(ours))


def _unit_boxes(scene: Scene) -> list[Item[Box]]:
    """The counted boxes in units of the drawing's diagonal."""
    diagonal = math.hypot(*scene.size_pt) or 1.0
    return [Item(_unit(item.value, diagonal), item.owner) for item in count(scene).boxes]


def _unit(box: Box, diagonal: float) -> Box:
    left, right = _side(box.left / diagonal, box.right / diagonal)
    top, bottom = _side(box.top / diagonal, box.bottom / diagonal)
    return Box(left, top, right, bottom)


def _side(low: float, high: float) -> tuple[float, float]:
    lacking = max(0.0, MIN_SIDE - (high - low)) / 2
    return low - lacking, high + lacking


METRIC = Metric(
    name="f1_bbox_scalefree",
    version=1,
    reads="objects",
    compare=_compare,
    score=lambda overlap: overlap.f1,
    settings=lambda: {
        **reading(),
        "iou": str(MIN_IOU),
        "assignment": "optimal",
        "unit": "diagonal",
        "min_side": str(MIN_SIDE),
    },
    protocol="beside",
    # By hand: A is 20 of 63.2 against 20 of 66.1 (IoU .916); B from .632 to .949 against C from .651 to .953 and
    # nearly as high: both match, of 3 and of 2.
    on_example=4 / 5,
)
