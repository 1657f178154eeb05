"""metrics, pictures, step 3: features of two sets of pictures -> their Fréchet distance (FID)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def frechet_distance(truth: NDArray[np.floating], candidate: NDArray[np.floating]) -> float:
    """The distance of the two sets' Gaussians, 0 or more; rows are pictures, at least 2 a side.

    |m1 - m2|^2 + tr C1 + tr C2 - 2 tr (C1 C2)^1/2, exactly. Source: Heusel et al., "GANs trained by a two
    time-scale update rule", 2017, eq. 6. Differs in the way only: with C = A'A the last trace is the sum of the
    singular values of A1 A2', a matrix as small as the sets are; no root of 2048 x 2048 is taken.
    """
    mean1, root1 = _gaussian(truth)
    mean2, root2 = _gaussian(candidate)
    shift = mean1 - mean2
    shared = np.linalg.svd(root1 @ root2.T, compute_uv=False).sum()
    spread = np.square(root1).sum() + np.square(root2).sum()
    return max(0.0, float(shift @ shift + spread - 2 * shared))


def _gaussian(features: NDArray[np.floating]) -> tuple[Matrix, Matrix]:
    """The mean, and an A with A'A the covariance (unbiased), of no more rows than features or pictures."""
    rows = features.astype(np.float64)
    mean: Matrix = rows.mean(axis=0)
    root: Matrix = (rows - mean) / np.sqrt(len(rows) - 1)
    if len(rows) > rows.shape[1]:
        root = np.linalg.qr(root).R
    return mean, root
