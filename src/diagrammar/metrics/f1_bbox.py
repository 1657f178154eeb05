"""metrics: F1 of boxes. Boxes, each of the truth taking the first unused one that overlaps it enough.

Source: Diagram-MMU, appendix C.2, (4). The strict rules take as many pairs as there can be.
"""

from __future__ import annotations

from diagrammar.metrics.counted import MIN_SIDE_PT
from diagrammar.metrics.matching import MIN_IOU
from diagrammar.metrics.object_f1 import OnExample, object_f1

METRIC = object_f1(
    "bbox",
    version=1,
    settings=lambda rules: {
        "iou": str(MIN_IOU),
        "assignment": rules.boxes,
        "min_side": f"{MIN_SIDE_PT}bp",
    },
    on_example=OnExample(
        whole=4 / 5, preserve=1, edit=0, strict_whole=4 / 5, strict_preserve=2 / 3, strict_edit=0
    ),
)
