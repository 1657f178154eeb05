"""metrics: the two sets of rules by which objects are matched: the paper's, and strict ones beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diagrammar.metrics.colors import EXHAUSTIVE_UP_TO, OPTIMAL_UP_TO, ColorPair, assign, assign_best
from diagrammar.metrics.counted import Item
from diagrammar.metrics.matching import MIN_IOU, Boxes, Pair, iou, match_boxes, match_boxes_best, nearness
from diagrammar.records.scenes import Box


@dataclass(frozen=True)
class Rules:
    """How boxes and colours are matched, and when those of two drawings are the same thing unchanged.

    `closeness` of boxes is compared with `same_box`, the similarity of colours with `same_color`.
    `counts_empty`: whether a dimension that both sides lack scores 1, or is not computed.
    """

    match_boxes: Callable[[Sequence[Item[Box]], Sequence[Item[Box]]], list[Pair]]
    assign_colors: Callable[[Sequence[str], Sequence[str]], list[ColorPair]]
    closeness: Callable[[Boxes, Boxes], Boxes]
    same_box: float
    same_color: float
    counts_empty: bool
    boxes: str  # what the signature says of the rule
    colors: str
    same_boxes: str
    same_colors: str


PAPER = Rules(
    match_boxes=match_boxes,
    assign_colors=assign,
    closeness=iou,
    same_box=MIN_IOU,
    same_color=0.9,
    counts_empty=True,
    boxes="first-fit",
    colors=f"best-to-{EXHAUSTIVE_UP_TO}-then-most-alike-first",
    same_boxes=f"iou-{MIN_IOU}",
    same_colors="dE-10",
)
STRICT = Rules(
    match_boxes=match_boxes_best,
    assign_colors=assign_best,
    closeness=nearness,
    same_box=-1.0,
    same_color=0.99,
    counts_empty=False,
    boxes="optimal",
    colors=f"optimal-to-{OPTIMAL_UP_TO}",
    same_boxes="1bp",
    same_colors="dE-1",
)
