"""metrics: FID, how far apart two sets of pictures are to Inception. 0 is best; it has no upper end.

Source: Heusel et al., 2017; Diagram-MMU, appendix C.2, image-based metrics. A failed candidate has no picture, so
it and its truth are left out and counted beside the value.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diagrammar.metrics.pictures import prepare
from diagrammar.metrics.pictures.frechet import frechet_distance
from diagrammar.metrics.pictures.networks import FeaturePair, compare_features
from diagrammar.metrics.pictures.weights import INCEPTION, lacking, signature_of
from diagrammar.metrics.protocol import Metric
from diagrammar.records.scores import NotComputed


def _score_set(pairs: Sequence[FeaturePair]) -> float | NotComputed:
    if len(pairs) < 2:
        return NotComputed(reason="FID needs at least 2 pictures a side")
    return frechet_distance(
        np.stack([pair.truth for pair in pairs]), np.stack([pair.candidate for pair in pairs])
    )


METRIC = Metric(
    name="fid",
    version=1,
    reads="picture",
    compare=lambda case: compare_features(INCEPTION, case),
    score=None,
    score_set=_score_set,
    settings=lambda: {
        "picture": prepare.SIGNATURE,
        "net": "inception-v3-2048",
        "weights": signature_of(INCEPTION),
    },
    missing=lambda: lacking(INCEPTION),
    on_example=None,
    failure_value=None,
    perfect=0.0,
)
