"""metrics: the cosine of what CLIP sees in two pictures, how alike they are in meaning.

Source: Radford et al., "Learning transferable visual models", 2021, ViT-B/32; Diagram-MMU, appendix C.2,
image-based metrics.
"""

from __future__ import annotations

import math

import numpy as np

from diagrammar.metrics.pictures import prepare
from diagrammar.metrics.pictures.networks import FeaturePair, compare_features
from diagrammar.metrics.pictures.weights import CLIP, lacking, signature_of
from diagrammar.metrics.protocol import Metric


def cosine(pair: FeaturePair) -> float:
    """The cosine of the two vectors, -1 to 1, exactly 1 for equal ones; 0 where one of them has no length."""
    ours, theirs = (side.astype(np.float64) for side in (pair.truth, pair.candidate))
    lengths = math.sqrt(float(ours @ ours) * float(theirs @ theirs))
    return float(ours @ theirs) / lengths if lengths else 0.0


METRIC = Metric(
    name="clip",
    version=1,
    reads="picture",
    compare=lambda case: compare_features(CLIP, case),
    score=cosine,
    settings=lambda: {
        "picture": prepare.SIGNATURE,
        "net": "vit-b-32",
        "weights": signature_of(CLIP),
    },
    missing=lambda: lacking(CLIP),
    on_example=None,
)
