"""metrics: SSIM, how alike two pictures are in brightness, contrast and structure.

Source: Wang et al., 2004, as torchmetrics computes it; Diagram-MMU, appendix C.2, image-based metrics.
"""

from __future__ import annotations

from diagrammar.errors import BadInput
from diagrammar.metrics.pictures.prepare import SIGNATURE
from diagrammar.metrics.pictures.structural import SIGMA_PX, WINDOW_PX, structural_similarity
from diagrammar.metrics.protocol import Metric
from diagrammar.records.scores import Case, NotComputed

# The example is white against #808080, so every window's variance is 0 and its means are 1 and 128/255.
_GREY = 128 / 255


def _compare(case: Case) -> float | NotComputed:
    assert case.truth.png and case.candidate.png
    try:
        return structural_similarity(case.truth.png, case.candidate.png)
    except BadInput as error:
        return NotComputed(reason=str(error))


METRIC = Metric(
    name="ssim",
    version=1,
    reads="picture",
    compare=_compare,
    score=lambda similarity: similarity,
    settings=lambda: {
        "picture": SIGNATURE,
        "window": f"gaussian-{WINDOW_PX}-{SIGMA_PX}",
        "edges": "mirrored",
        "range": "1",
    },
    on_example=(2 * _GREY + 0.0001) / (1 + _GREY**2 + 0.0001),
)
