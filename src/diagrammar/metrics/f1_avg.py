"""metrics: the mean of the four object F1s, the paper's main score.

Source: Diagram-MMU, appendix C.2, eq. 5.
"""

from __future__ import annotations

from dataclasses import dataclass

from diagrammar.metrics import f1_bbox, f1_color, f1_text, f1_type
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.protocol import Metric

_PARTS = (f1_type.METRIC, f1_text.METRIC, f1_color.METRIC, f1_bbox.METRIC)


@dataclass(frozen=True)
class ObjectOverlaps:
    """What each of the four dimensions shares."""

    parts: tuple[Overlap, ...]

    @property
    def mean_f1(self) -> float:
        """The mean of the F1s, each dimension counting the same however many items it has."""
        return sum(part.f1 for part in self.parts) / len(self.parts)


METRIC = Metric(
    name="f1_avg",
    version=1,
    reads="objects",
    compare=lambda case: ObjectOverlaps(tuple(part.compare(case) for part in _PARTS)),
    score=lambda overlaps: overlaps.mean_f1,
    settings=lambda: {"of": "+".join(f"{part.name}.{part.version}" for part in _PARTS)},
    on_example=71 / 120,
)
