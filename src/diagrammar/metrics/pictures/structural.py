"""metrics, pictures, step 2: two prepared pictures -> SSIM, as torchmetrics computes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from diagrammar.metrics.pictures.kept import Kept
from diagrammar.metrics.pictures.prepare import SIDE_PX, Pixels, prepare

WINDOW_PX = 11
SIGMA_PX = 1.5
_REACH = WINDOW_PX // 2
_STRIP = 32
C1, C2 = 0.01**2, 0.03**2  # of pixels from 0 to 1

Planes = NDArray[np.float64]  # 3 x 256 x 256, red, green, blue


@dataclass(frozen=True)
class Windows:
    """A picture with the means and variances around each of its pixels."""

    pixels: Planes
    mean: Planes
    variance: Planes


def structural_similarity(truth: bytes, candidate: bytes) -> float:
    """SSIM of two pictures (PNG), -1 to 1 and exactly 1 for equal ones: the mean over pixels and colours.

    Gaussian window of 11 px, sigma 1.5, the picture mirrored at its edges and every pixel counted: the
    convention of torchmetrics. Others (scikit-image, piq) leave the edges out and are lower by up to .02.
    Raises BadInput for what is no PNG.
    Source: Wang et al., "Image quality assessment", 2004; Diagram-MMU, appendix C.2.
    """
    ours, theirs = (_KEPT.of(png, lambda png: windows(prepare(png))) for png in (truth, candidate))
    return similarity(ours, theirs)


def windows(pixels: Pixels) -> Windows:
    """What SSIM needs to know of one picture of 256 x 256 px."""
    planes = np.moveaxis(pixels, 2, 0) / 255
    mean = _blurred(planes)
    return Windows(planes, mean, _blurred(planes * planes) - mean * mean)


def similarity(ours: Windows, theirs: Windows) -> float:
    """SSIM of two pictures, the same whichever comes first."""
    means = ours.mean * theirs.mean
    covariance = _blurred(ours.pixels * theirs.pixels) - means
    above = (2 * means + C1) * (2 * covariance + C2)
    below = (ours.mean**2 + theirs.mean**2 + C1) * (ours.variance + theirs.variance + C2)
    return float(np.mean(above / below))


_KEPT: Kept[Windows] = Kept(size=32)  # 4.7 MB each


def _blurred(planes: Planes) -> Planes:
    """The weighted mean around each pixel."""
    blur = _blur()
    down, both = np.empty_like(planes), np.empty_like(planes)
    # Strip by strip: most of the matrix is zeros, and its non-zeros lie along the diagonal.
    strips = [
        (slice(start, start + _STRIP), slice(max(0, start - _REACH), start + _STRIP + _REACH))
        for start in range(0, SIDE_PX, _STRIP)
    ]
    for here, around in strips:
        np.matmul(blur[here, around], planes[:, around], out=down[:, here])
    for here, around in strips:
        np.matmul(down[:, :, around], blur[here, around].T, out=both[:, :, here])
    return both


@cache
def _blur() -> NDArray[np.float64]:
    """The Gaussian window as a matrix: row y holds the weights of the pixels that y's mean is taken of.

    A window that reaches beyond the edge takes the mirrored pixels instead (the edge itself not twice).
    """
    weights = np.exp(-0.5 * (np.arange(-_REACH, _REACH + 1) / SIGMA_PX) ** 2)
    weights /= weights.sum()
    taken = np.pad(np.arange(SIDE_PX), _REACH, mode="reflect")
    matrix = np.zeros((SIDE_PX, SIDE_PX))
    for y in range(SIDE_PX):
        np.add.at(matrix[y], taken[y : y + WINDOW_PX], weights)
    return matrix
