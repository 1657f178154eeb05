"""metrics: F1 of boxes. Boxes, each of the truth taking the first unused one that overlaps it enough.

Source: Diagram-MMU, appendix C.2, (4).
"""

from __future__ import annotations

from diagrammar.metrics.counted import MIN_SIDE_PT
from diagrammar.metrics.matching import MIN_IOU
from diagrammar.metrics.objects import box_overlap, reading
from diagrammar.metrics.protocol import Metric

METRIC = Metric(
    name="f1_bbox",
    version=1,
    reads="objects",
    compare=box_overlap,
    score=lambda overlap: overlap.f1,
    settings=lambda: {
        **reading(),
        "iou": str(MIN_IOU),
        "assignment": "first-fit",
        "min_side": f"{MIN_SIDE_PT}bp",
    },
    on_example=4 / 5,
)
