"""metrics: F1 of texts. Texts, equal letter by letter, each matched once.

Source: Diagram-MMU, appendix C.2, (2).
"""

from __future__ import annotations

from diagrammar.metrics.object_f1 import OnExample, object_f1

METRIC = object_f1(
    "text",
    version=1,
    on_example=OnExample(
        whole=1 / 2, preserve=2 / 3, edit=0, strict_whole=1 / 2, strict_preserve=2 / 3, strict_edit=0
    ),
)
