"""metrics: how far two colours are apart to the eye, CIEDE2000."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Linear sRGB (IEC 61966-2-1) -> XYZ from its primaries, to seven digits; the white point is the matrix's own
# white, so that greys have a = b = 0.
_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = _XYZ.sum(axis=1)


def similarity(first: Sequence[str], second: Sequence[str]) -> Floats:
    """max(0, 1 - dE/100) of each of `first` with each of `second`, shape (len(first), len(second)).

    Colours are #rrggbb. Equal colours give exactly 1. Source: Diagram-MMU, appendix C.2, eq. 4.
    """
    difference = delta_e(lab(first)[:, None, :], lab(second)[None, :, :])
    return np.maximum(0.0, 1.0 - difference / 100.0)


def lab(colors: Sequence[str]) -> Floats:
    """CIELAB (D65, 2 degrees) of #rrggbb colours, shape (n, 3)."""
    flat = bytes.fromhex("".join(color.removeprefix("#") for color in colors))
    srgb = np.frombuffer(flat, dtype=np.uint8).reshape(-1, 3) / 255.0
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    ratio = linear @ _XYZ.T / _WHITE
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.stack((116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])), axis=-1)


def delta_e(first: Floats, second: Floats) -> Floats:
    """CIEDE2000 of CIELAB colours (last axis L, a, b), broadcast; weights kL = kC = kH = 1.

    Source: Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula", 2005; equation numbers are theirs.
    """
    light1, a1, b1 = np.moveaxis(np.asarray(first, dtype=np.float64), -1, 0)
    light2, a2, b2 = np.moveaxis(np.asarray(second, dtype=np.float64), -1, 0)
    chroma7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    stretch = 1 + 0.5 * (1 - np.sqrt(chroma7 / (chroma7 + 25.0**7)))  # 4: greys are pulled apart along a
    a1, a2 = a1 * stretch, a2 * stretch
    chroma1, chroma2 = np.hypot(a1, b1), np.hypot(a2, b2)
    hue1, hue2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    grey = chroma1 * chroma2 == 0

    turn = hue2 - hue1
    turn = np.where(turn > 180, turn - 360, np.where(turn < -180, turn + 360, turn))
    turn = np.where(grey, 0.0, turn)  # 10
    d_light, d_chroma = light2 - light1, chroma2 - chroma1
    d_hue = 2 * np.sqrt(chroma1 * chroma2) * np.sin(np.radians(turn / 2))

    light, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    hue_sum = hue1 + hue2
    over_zero = np.where(hue_sum < 360, hue_sum + 360, hue_sum - 360) / 2
    hue = np.where(np.abs(hue1 - hue2) <= 180, hue_sum / 2, over_zero)
    hue = np.where(grey, hue_sum, hue)  # 14

    def wave(times: int, shift: float) -> Floats:
        return np.asarray(np.cos(np.radians(times * hue + shift)))

    t = 1 - 0.17 * wave(1, -30) + 0.24 * wave(2, 0) + 0.32 * wave(3, 6) - 0.20 * wave(4, -63)  # 15
    weight_light = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    weight_chroma, weight_hue = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    blue = 30 * np.exp(-(((hue - 275) / 25) ** 2))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(np.radians(2 * blue))
    x, y, z = d_light / weight_light, d_chroma / weight_chroma, d_hue / weight_hue
    squared = np.maximum(0.0, x**2 + y**2 + z**2 + rotation * y * z)  # 22
    return np.asarray(np.sqrt(squared))
