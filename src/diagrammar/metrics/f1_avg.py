"""metrics: the mean of the four object F1s, the paper's main score.

Source: Diagram-MMU, appendix C.2, eq. 5. The strict rules leave out a dimension that neither side has.
"""

from __future__ import annotations

from diagrammar.metrics import f1_bbox, f1_color, f1_text, f1_type
from diagrammar.metrics.object_f1 import OnExample, mean_object_f1

_PARTS = (f1_type.METRIC, f1_text.METRIC, f1_color.METRIC, f1_bbox.METRIC)

METRIC = mean_object_f1(
    version=1,
    of=lambda suffix: "+".join(f"{part.name}{suffix}.{part.version}" for part in _PARTS),
    on_example=OnExample(
        whole=71 / 120,
        preserve=(6 / 7 + 2 / 3 + 4 / 5 + 1) / 4,
        edit=0,
        strict_whole=71 / 120,
        strict_preserve=(6 / 7 + 2 / 3 + 4 / 5 + 2 / 3) / 4,
        strict_edit=0,
    ),
)
