"""metrics: F1 of colours.

Colours are grouped by the type of their object and paired so that they are as alike as can be; a pair
counts by its likeness. Source: Diagram-MMU, appendix C.2, (3).
"""

from __future__ import annotations

from diagrammar.metrics.colors import EXHAUSTIVE_UP_TO
from diagrammar.metrics.objects import color_overlap, reading
from diagrammar.metrics.protocol import Metric

METRIC = Metric(
    name="f1_color",
    version=1,
    reads="objects",
    compare=color_overlap,
    score=lambda overlap: overlap.f1,
    settings=lambda: {
        **reading(),
        "difference": "ciede2000",
        "assignment": f"best-to-{EXHAUSTIVE_UP_TO}-then-most-alike-first",
    },
    on_example=2 / 5,
)
