"""metrics: F1 of object types. Types as a multiset: of each type as many match as both sides have.

Source: Diagram-MMU, appendix C.2, (1).
"""

from __future__ import annotations

from diagrammar.metrics.objects import reading, type_overlap
from diagrammar.metrics.protocol import Metric

METRIC = Metric(
    name="f1_type",
    version=1,
    reads="objects",
    compare=type_overlap,
    score=lambda overlap: overlap.f1,
    settings=reading,
    on_example=2 / 3,
)
