"""metrics, pictures, step 3: features of two sets of pictures -> their kernel distance (KID)."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def kernel_distance(
    truth: NDArray[np.floating],
    candidate: NDArray[np.floating],
    *,
    subset_size: int,
    subsets: int,
    rng: Generator,
) -> float:
    """The squared maximum mean discrepancy of two sets, unbiased, so it may be below 0; rows are pictures.

    Kernel (x.y / length + 1)^3. The mean over `subsets` draws of `subset_size` pictures of each side; where a
    side has no more than that, one look at all. At least 2 a side.
    Source: Binkowski et al., "Demystifying MMD GANs", 2018.
    """
    sides = [features.astype(np.float64) for features in (truth, candidate)]
    if min(map(len, sides)) <= subset_size:
        return _discrepancy(*sides)
    drawn = ([side[rng.permutation(len(side))[:subset_size]] for side in sides] for _ in range(subsets))
    return float(np.mean([_discrepancy(*subset) for subset in drawn]))


def _discrepancy(truth: Matrix, candidate: Matrix) -> float:
    return _mean_of_others(truth) + _mean_of_others(candidate) - 2 * float(_kernel(truth, candidate).mean())


def _mean_of_others(side: Matrix) -> float:
    """The mean kernel of two different pictures of a side."""
    among = _kernel(side, side)
    return float((among.sum() - np.trace(among)) / (len(side) * (len(side) - 1)))


def _kernel(one: Matrix, other: Matrix) -> Matrix:
    value: Matrix = (one @ other.T / one.shape[1] + 1) ** 3
    return value
