"""metrics: F1 of object types. Types as a multiset: of each type as many match as both sides have.

Source: Diagram-MMU, appendix C.2, (1).
"""

from __future__ import annotations

from diagrammar.metrics.object_f1 import OnExample, object_f1

METRIC = object_f1(
    "type",
    version=1,
    on_example=OnExample(
        whole=2 / 3, preserve=6 / 7, edit=0, strict_whole=2 / 3, strict_preserve=6 / 7, strict_edit=0
    ),
)
