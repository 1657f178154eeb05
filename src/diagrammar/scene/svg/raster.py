"""Which pixels an outline covers. Without antialiasing: a pixel is covered or not, a hairline covers at least one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from diagrammar.scene.geometry import Rect, Subpath
from diagrammar.scene.ink import Ink
from diagrammar.scene.svg.page import Painted
from diagrammar.scene.svg.style import Clip

Mask = npt.NDArray[np.bool_]
Region = tuple[slice, slice]
MAX_PIECES = 24  # lines for one curve
PIXELS_A_PIECE = 3.0


@dataclass
class Grid:
    """A page as pixels: `scale` of them for a bp, row 0 at the top."""

    width_pt: float
    height_pt: float
    scale: float
    _clip_masks: dict[int, tuple[Clip, Mask]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = max(1, math.ceil(self.height_pt * self.scale))
        self.columns = max(1, math.ceil(self.width_pt * self.scale))

    def region(self, box: Rect, margin_px: int) -> Region:
        """Rows and columns that a box covers, with a margin."""
        top = max(0, int((self.height_pt - box.y1) * self.scale) - margin_px)
        bottom = min(self.rows, int((self.height_pt - box.y0) * self.scale) + 1 + margin_px)
        left = max(0, int(box.x0 * self.scale) - margin_px)
        right = min(self.columns, int(box.x1 * self.scale) + 1 + margin_px)
        return slice(top, max(bottom, top)), slice(left, max(right, left))

    def filled(self, item: Painted, region: Region) -> Mask:
        """The pixels of the region that the item's fill (or a text's glyphs) covers, clips left out of account."""
        return self._inside(item.outline, region, even_odd=item.even_odd)

    def stroked(self, item: Painted, region: Region) -> Mask:
        """The pixels of the region that the item's line covers, dashes taken as drawn through."""
        rows, columns = _size(region)
        if not rows or not columns:
            return np.zeros((rows, columns), np.bool_)
        image = Image.new("1", (columns, rows))
        pen = ImageDraw.Draw(image)
        width = max(1, round(item.ink.line_width * self.scale))
        for subpath in item.outline:
            points = self._flat(subpath, region)
            if subpath.segments[-1].closes:
                points = [*points, points[0]]
            pen.line(points, fill=1, width=width, joint="curve" if width > 2 else None)
        return np.array(image, np.bool_)

    def covered(self, item: Painted, region: Region) -> Mask:
        """All pixels of the region that the item paints, inside its clips."""
        ink = item.ink
        if ink.kind != "path":
            mask = self.filled(item, region)
        else:
            mask = np.zeros(_size(region), np.bool_)
            if ink.fill:
                mask |= self.filled(item, region)
            if ink.stroke:
                mask |= self.stroked(item, region)
        return mask & self.unclipped(item.clips, region)

    def unclipped(self, clips: Sequence[Clip], region: Region) -> Mask:
        """The pixels that all the clips leave."""
        mask = np.ones(_size(region), np.bool_)
        for clip in clips:
            mask &= self._clip(clip, region)
        return mask

    def _clip(self, clip: Clip, region: Region) -> Mask:
        """A clip's own pixels; those of the whole page are kept, since many inks share a clip."""
        known = self._clip_masks.get(id(clip))
        if known is None:
            whole = slice(0, self.rows), slice(0, self.columns)
            if self.rows * self.columns > 4_000_000:
                return self._inside(clip.outline, region, even_odd=clip.even_odd)
            known = clip, self._inside(clip.outline, whole, even_odd=clip.even_odd)
            self._clip_masks[id(clip)] = known
        return known[1][region]

    def _inside(self, outline: Sequence[Subpath], region: Region, *, even_odd: bool) -> Mask:
        rows, columns = _size(region)
        if not rows or not columns:
            return np.zeros((rows, columns), np.bool_)
        total = np.zeros((rows, columns), np.int16)
        for subpath in outline:
            points = self._flat(subpath, region)
            image = Image.new("1", (columns, rows))
            if len(points) > 2:
                ImageDraw.Draw(image).polygon(points, fill=1, outline=1)
            else:
                ImageDraw.Draw(image).line(points, fill=1)
            own = np.array(image, np.int16)
            total += own if even_odd or _area(points) >= 0 else -own
        inside: Mask = (total % 2 == 1) if even_odd else (total != 0)
        return inside

    def _flat(self, subpath: Subpath, region: Region) -> list[tuple[float, float]]:
        """The subpath as corners, in pixels of the region."""
        top, left = region[0].start, region[1].start
        flat: list[tuple[float, float]] = []
        for segment in subpath.segments:
            pixels = [
                (x * self.scale - left, (self.height_pt - y) * self.scale - top) for x, y in segment.points
            ]
            flat.extend(_curve(flat[-1], pixels) if segment.op == "c" and flat else pixels[-1:])
        # a pixel stands for its middle; coordinates far outside would only cost time
        return [
            (min(max(x - 0.5, -30_000.0), 30_000.0), min(max(y - 0.5, -30_000.0), 30_000.0)) for x, y in flat
        ]


def _size(region: Region) -> tuple[int, int]:
    return region[0].stop - region[0].start, region[1].stop - region[1].start


def _curve(start: tuple[float, float], points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = start, *points
    length = math.dist((x0, y0), (x1, y1)) + math.dist((x1, y1), (x2, y2)) + math.dist((x2, y2), (x3, y3))
    pieces = min(MAX_PIECES, max(2, math.ceil(length / PIXELS_A_PIECE)))
    flat = []
    for piece in range(1, pieces + 1):
        t = piece / pieces
        s = 1 - t
        a, b, c, d = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        flat.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return flat


def _area(points: Sequence[tuple[float, float]]) -> float:
    ends = (*points[1:], points[0])
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, ends, strict=True))


def alphas(ink: Ink) -> tuple[float, float]:
    """How opaque the fill and the line are; 0 where there is none."""
    fill = ink.fill_alpha if ink.fill or ink.kind != "path" else 0.0
    return fill, ink.stroke_alpha if ink.stroke else 0.0
