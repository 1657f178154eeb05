"""metrics: Case -> Overlap per dimension, what the object F1s are made of."""

from __future__ import annotations

import math
from importlib.metadata import version

from diagrammar.metrics.counted import COUNTING, Counted, count
from diagrammar.metrics.matching import match_boxes, match_colors, match_equal
from diagrammar.metrics.overlap import Overlap
from diagrammar.records.scores import Case, Side


def reading() -> dict[str, str]:
    """What every object metric's value depends on: the counting rules and the reader of the PDF."""
    return {"counting": str(COUNTING), "reader": f"pdf-pypdfium2-{version('pypdfium2')}"}


def counted(side: Side) -> Counted:
    """What is counted of a compiled side."""
    if side.scene is None:
        raise ValueError("this side has no scene; Metric.measure handles failed sides")
    return count(side.scene)


def type_overlap(case: Case) -> Overlap:
    """Types as multisets."""
    truth, candidate = counted(case.truth).types, counted(case.candidate).types
    return Overlap(len(match_equal(truth, candidate)), len(candidate), len(truth))


def text_overlap(case: Case) -> Overlap:
    """Texts, equal letter by letter."""
    truth, candidate = counted(case.truth).texts, counted(case.candidate).texts
    return Overlap(len(match_equal(truth, candidate)), len(candidate), len(truth))


def color_overlap(case: Case) -> Overlap:
    """Colours by group, matched in part by how alike they are."""
    truth, candidate = counted(case.truth).colors, counted(case.candidate).colors
    # fsum: exactly rounded, so that the order of drawing does not show in the last digit
    matched = math.fsum(pair.similarity for pair in match_colors(truth, candidate))
    return Overlap(matched, sum(map(len, candidate.values())), sum(map(len, truth.values())))


def box_overlap(case: Case) -> Overlap:
    """Boxes, matched from an IoU of 0.3 on."""
    truth, candidate = counted(case.truth).boxes, counted(case.candidate).boxes
    return Overlap(len(match_boxes(truth, candidate)), len(candidate), len(truth))
