"""metrics: F1 of texts. Texts, equal letter by letter, each matched once.

Source: Diagram-MMU, appendix C.2, (2).
"""

from __future__ import annotations

from diagrammar.metrics.objects import reading, text_overlap
from diagrammar.metrics.protocol import Metric

METRIC = Metric(
    name="f1_text",
    version=1,
    reads="objects",
    compare=text_overlap,
    score=lambda overlap: overlap.f1,
    settings=reading,
    on_example=1 / 2,
)
