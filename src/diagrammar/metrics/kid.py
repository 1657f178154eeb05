"""metrics: KID, how far apart two sets of pictures are to Inception, whatever their size. 0 is best.

Not in the paper: FID of a few pictures is mostly their number, KID is not. Source: Binkowski et al., 2018.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diagrammar.metrics.pictures import prepare
from diagrammar.metrics.pictures.kernel import kernel_distance
from diagrammar.metrics.pictures.networks import FeaturePair, compare_features
from diagrammar.metrics.pictures.weights import INCEPTION, lacking, signature_of
from diagrammar.metrics.protocol import Metric
from diagrammar.records.scores import NotComputed

SUBSET_SIZE, SUBSETS, SEED = 50, 100, 0


def _score_set(pairs: Sequence[FeaturePair]) -> float | NotComputed:
    if len(pairs) < 2:
        return NotComputed(reason="KID needs at least 2 pictures a side")
    return kernel_distance(
        np.stack([pair.truth for pair in pairs]),
        np.stack([pair.candidate for pair in pairs]),
        subset_size=SUBSET_SIZE,
        subsets=SUBSETS,
        rng=np.random.default_rng(SEED),
    )


METRIC = Metric(
    name="kid",
    version=1,
    reads="picture",
    compare=lambda case: compare_features(INCEPTION, case),
    score=None,
    score_set=_score_set,
    settings=lambda: {
        "picture": prepare.SIGNATURE,
        "net": "inception-v3-2048",
        "weights": signature_of(INCEPTION),
        "kernel": "polynomial-3",
        "subsets": f"{SUBSETS}x{SUBSET_SIZE}-seed-{SEED}",
    },
    missing=lambda: lacking(INCEPTION),
    on_example=None,
    failure_value=None,
    perfect=0.0,
    protocol="beside",
)
