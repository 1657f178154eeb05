"""How alike two pictures look: a hash to find candidates, and the share of ink that differs."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

Ink = NDArray[np.uint8]

SIDE = 48  # the thumbnail's pixels
_LOW = 12  # lowest frequencies of the cosine transform, a side
_BITS = 128
BANDS = 8  # of 16 bits; pictures whose hashes differ in at most 7 bits agree in at least one band
ASPECT = 0.06  # pictures of more different proportions are not compared


@dataclass(frozen=True, eq=False)
class Look:
    """A picture, small: darkness of SIDE x SIDE cells, its hash, and how wide it is to its height."""

    ink: Ink
    hash: bytes
    aspect: float


def look(png: bytes) -> Look:
    """The picture on white, in grey, resized to a square."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB") if opened.mode in ("RGB", "L") else _on_white(opened)
        grey = picture.convert("L")
    if min(grey.size) >= 8 * SIDE:
        grey = grey.reduce(min(grey.size) // (4 * SIDE))
    small = grey.resize((SIDE, SIDE), Image.Resampling.BOX)
    ink = 255 - np.asarray(small, dtype=np.uint8)
    return Look(ink, _hash(ink), grey.width / grey.height)


def unlike(one: Look, other: Look) -> float:
    """The ink that differs by all ink, 0 (the same) to 1 (nothing in common); 1 where proportions differ."""
    if abs(one.aspect - other.aspect) > ASPECT * max(one.aspect, other.aspect):
        return 1.0
    a, b = one.ink.astype(np.int32), other.ink.astype(np.int32)
    ink = int(a.sum() + b.sum())
    return float(np.abs(a - b).sum() / ink) if ink else 0.0


class LookIndex:
    """Finds, among the pictures added so far, those whose hash agrees with another one's in at least one band."""

    def __init__(self) -> None:
        self._places_with: dict[tuple[int, bytes], list[int]] = {}

    def candidates(self, picture: Look) -> Iterable[int]:
        """Places of the pictures added that may look alike, in order."""
        return sorted({place for band in _bands(picture) for place in self._places_with.get(band, ())})

    def add(self, place: int, picture: Look) -> None:
        for band in _bands(picture):
            self._places_with.setdefault(band, []).append(place)


def _bands(picture: Look) -> list[tuple[int, bytes]]:
    width = len(picture.hash) // BANDS
    return [(number, picture.hash[number * width : (number + 1) * width]) for number in range(BANDS)]


def _hash(ink: Ink) -> bytes:
    """The signs of the lowest frequencies but the mean against their median, each diagonal after the other."""
    frequency, place = np.arange(_LOW)[:, None], np.arange(SIDE)[None, :]
    waves = np.cos(np.pi * frequency * (2 * place + 1) / (2 * SIDE))
    spectrum = waves @ ink.astype(np.float64) @ waves.T
    order = sorted(((i, j) for i in range(_LOW) for j in range(_LOW)), key=lambda at: (sum(at), at))
    low = np.array([spectrum[at] for at in order[1 : _BITS + 1]])
    return np.packbits(low > np.median(low)).tobytes()


def _on_white(opened: Image.Image) -> Image.Image:
    from PIL import Image

    clear = opened.convert("RGBA")
    white = Image.new("RGBA", clear.size, "white")
    return Image.alpha_composite(white, clear).convert("RGB")
