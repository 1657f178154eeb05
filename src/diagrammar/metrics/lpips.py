"""metrics: LPIPS, how far apart two pictures are to an eye. 0 is best.

Source: Zhang et al., "The unreasonable effectiveness of deep features", 2018, version 0.1 on AlexNet;
Diagram-MMU, appendix C.2, image-based metrics (its section 3.4 says VGG).
"""

from __future__ import annotations

import numpy as np

from diagrammar.metrics.pictures import prepare
from diagrammar.metrics.pictures.networks import FeaturePair, compare_features
from diagrammar.metrics.pictures.weights import LPIPS, lacking, signature_of
from diagrammar.metrics.protocol import Metric


def distance(pair: FeaturePair) -> float:
    """The squared distance of the two vectors, which is LPIPS: the weights file has scaled them to that end."""
    apart = pair.truth.astype(np.float64) - pair.candidate
    return float(apart @ apart)


METRIC = Metric(
    name="lpips",
    version=1,
    reads="picture",
    compare=lambda case: compare_features(LPIPS, case),
    score=distance,
    settings=lambda: {
        "picture": prepare.SIGNATURE,
        "net": "alexnet-0.1",
        "weights": signature_of(LPIPS),
    },
    missing=lambda: lacking(LPIPS),
    on_example=None,
    failure_value=1.0,
    perfect=0.0,
)
