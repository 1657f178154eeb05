"""metrics: F1 of colours.

Colours are grouped by the type of their object and paired so that they are as alike as can be; a pair
counts by its likeness. Source: Diagram-MMU, appendix C.2, (3).
"""

from __future__ import annotations

from diagrammar.metrics.object_f1 import OnExample, object_f1

METRIC = object_f1(
    "color",
    version=1,
    settings=lambda rules: {"difference": "ciede2000", "assignment": rules.colors},
    on_example=OnExample(
        whole=2 / 5, preserve=4 / 5, edit=0, strict_whole=2 / 5, strict_preserve=4 / 5, strict_edit=0
    ),
)
