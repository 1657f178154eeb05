"""scene/svg, step 3: Painted -> the inks that show, by the rules of docs/scene.md. Next: scene/group.

The page is painted here, on pixels of our own. As in the PDF reader, what stands on one flat colour, is pale, cut
or lies under a later opaque fill is a suspect; a suspect shows if it changed some pixel that nothing covers later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from diagrammar.scene.geometry import Rect
from diagrammar.scene.ink import Ink
from diagrammar.scene.sidefile import PageFrame
from diagrammar.scene.svg.gradients import rgb
from diagrammar.scene.svg.page import Painted
from diagrammar.scene.svg.raster import Grid, Mask, Region, alphas
from diagrammar.scene.text import SMALLEST_SIZE_PT

SCALE = 4.0  # pixels per bp: without antialiasing, twice what the PDF reader needs
LARGEST_SIDE_PX = 4000
FINE_SCALE = 8.0  # where a clip cuts a shape, its sides are read off pixels
FINE_DOUBT_PT = 0.4
LARGEST_FINE_PX = 4_000_000
LEAST_CONTRAST = 5  # of 255 in some channel
OPAQUE = 0.99

Pixels = npt.NDArray[np.float32]


@dataclass(frozen=True)
class _Trace:
    """What painting one item did: the region, the pixels it covers opaquely, those it changed (both packed)."""

    region: Region
    opaque: npt.NDArray[np.uint8] | None
    changed: npt.NDArray[np.uint8]


class Canvas:
    """A page painted once, item by item; tells what shows and the mean colour of a shading or surface."""

    def __init__(self, items: Sequence[Painted], frame: PageFrame) -> None:
        self.items = [item for item in items if _is_painted(item.ink)]
        width, height, _ = frame
        self.grid = Grid(width, height, min(SCALE, LARGEST_SIDE_PX / max(width, height, 1.0)))
        self.fine = Grid(width, height, FINE_SCALE)
        self.by_handle = {item.ink.handle: item for item in self.items}
        self.pixels: Pixels = np.full((self.grid.rows, self.grid.columns, 3), 255.0, np.float32)
        self.traces = [self._painted(item) for item in self.items]

    def visible(self) -> list[Ink]:
        """The inks that show, in drawing order; where a clip cuts a shape, its box is what is left to see."""
        covered = np.zeros((self.grid.rows, self.grid.columns), np.bool_)
        seen: list[bool] = []
        for trace in reversed(self.traces):
            part = covered[trace.region]
            changed = _unpacked(trace.changed, trace.region)
            seen.append(bool((changed & ~part).any()))
            if trace.opaque is not None:
                part |= _unpacked(trace.opaque, trace.region)
        seen.reverse()
        boxes = np.array([item.ink.box for item in self.items], dtype=float).reshape(-1, 4)
        spans = np.array([_spans(item) for item in self.items], np.bool_)
        shown = []
        for index, (item, shows) in enumerate(zip(self.items, seen, strict=True)):
            ink = item.ink
            assert ink.box is not None
            if not shows and (ink.kind == "text" or self._is_suspect(index, ink, boxes, spans)):
                continue
            box = self._refined(item, ink.box) if ink.cut and ink.kind == "path" else ink.box
            shown.append(ink if box is ink.box else replace(ink, box=box))
        return shown

    def mean_color(self, inks: Sequence[Ink]) -> str:
        """The mean colour of what these inks paint, in steps of 8."""
        items = [self.by_handle[ink.handle] for ink in inks if ink.handle in self.by_handle]
        boxes = np.array([item.ink.box for item in items], dtype=float).reshape(-1, 4)
        if not len(boxes):
            return "#000000"
        region = self.grid.region(Rect(*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)), 1)
        rows, columns = region[0].stop - region[0].start, region[1].stop - region[1].start
        alone: Pixels = np.full((rows, columns, 3), 255.0, np.float32)
        painted = np.zeros((rows, columns), np.bool_)
        for item in items:
            painted |= self._paint(item, region, alone)
        seen = painted & ~self._hidden_after(items[-1], region)
        chosen = alone[seen] if seen.any() else alone.reshape(-1, 3)
        red, green, blue = (min(255, int(round(float(v) / 8) * 8)) for v in chosen.mean(axis=0))
        return f"#{red:02x}{green:02x}{blue:02x}"

    def _hidden_after(self, last: Painted, region: Region) -> Mask:
        """The pixels of the region that something opaque covers later."""
        whole = np.zeros((self.grid.rows, self.grid.columns), np.bool_)
        place = next(n for n, item in enumerate(self.items) if item is last)
        for trace in self.traces[place + 1 :]:
            if trace.opaque is not None:
                whole[trace.region] |= _unpacked(trace.opaque, trace.region)
        hidden: Mask = whole[region]
        return hidden

    def _painted(self, item: Painted) -> _Trace:
        assert item.ink.box is not None
        region = self.grid.region(item.ink.box, 1)
        part = self.pixels[region]
        before = part.copy()
        mask = self._paint(item, region, part)
        changed: Mask = (np.abs(part - before) >= LEAST_CONTRAST - 0.5).any(axis=-1)
        opaque = np.packbits(mask) if _hides(item) else None
        return _Trace(region, opaque, np.packbits(changed))

    def _paint(self, item: Painted, region: Region, canvas: Pixels) -> Mask:
        """Paint the item on a canvas of the region; the pixels it covers."""
        ink, grid = item.ink, self.grid
        clips = grid.unclipped(item.clips, region)
        fill_alpha, stroke_alpha = alphas(ink)
        total = np.zeros(clips.shape, np.bool_)
        if fill_alpha > 0:
            mask = grid.filled(item, region) & clips
            if item.gradient is not None:
                rows, columns = np.nonzero(mask)
                x = (columns + region[1].start + 0.5) / grid.scale
                y = grid.height_pt - (rows + region[0].start + 0.5) / grid.scale
                color = item.gradient.at(x, y).astype(np.float32)
            else:
                color = np.array(rgb(ink.fill or "#808080"), np.float32)
            canvas[mask] += (color - canvas[mask]) * np.float32(fill_alpha)
            total |= mask
        if stroke_alpha > 0 and ink.stroke:
            mask = grid.stroked(item, region) & clips
            canvas[mask] += (np.array(rgb(ink.stroke), np.float32) - canvas[mask]) * np.float32(stroke_alpha)
            total |= mask
        return total

    def _is_suspect(
        self, index: int, ink: Ink, boxes: npt.NDArray[np.float64], spans: npt.NDArray[np.bool_]
    ) -> bool:
        if ink.cut or _is_faint(ink):
            return True
        x0, y0, x1, y1 = boxes[index]
        later = boxes[index + 1 :]
        over = (later[:, 0] <= x0) & (later[:, 1] <= y0) & (later[:, 2] >= x1) & (later[:, 3] >= y1)
        if np.any(over & spans[index + 1 :]):
            return True
        part = self.pixels[self.grid.region(Rect(*boxes[index]), 1)]
        return part.size == 0 or not (np.abs(part - part[0, 0]) >= LEAST_CONTRAST - 0.5).any()

    def _refined(self, item: Painted, box: Rect) -> Rect:
        """The box, with the sides moved in where the pixels say that a clip takes some of it away."""
        region = self.fine.region(box, 1)
        rows, columns = region[0].stop - region[0].start, region[1].stop - region[1].start
        if rows * columns > LARGEST_FINE_PX:
            return box
        left = self.fine.covered(item, region)
        down, across = np.flatnonzero(left.any(axis=1)), np.flatnonzero(left.any(axis=0))
        if not down.size:
            return box
        top, first, scale, height = region[0].start, region[1].start, self.fine.scale, self.fine.height_pt
        x0, x1 = (first + across[0]) / scale, (first + across[-1] + 1) / scale
        y1, y0 = height - (top + down[0]) / scale, height - (top + down[-1] + 1) / scale
        return Rect(
            float(x0) if x0 - box.x0 > FINE_DOUBT_PT else box.x0,
            float(y0) if y0 - box.y0 > FINE_DOUBT_PT else box.y0,
            float(x1) if box.x1 - x1 > FINE_DOUBT_PT else box.x1,
            float(y1) if box.y1 - y1 > FINE_DOUBT_PT else box.y1,
        )


def _is_painted(ink: Ink) -> bool:
    if ink.box is None or ink.alpha <= 1 / 510:
        return False
    return ink.kind != "text" or not ink.glyphs or max(g.size for g in ink.glyphs) >= SMALLEST_SIZE_PT


def _spans(item: Painted) -> bool:
    """An opaque filled path: under it, a shape is a suspect."""
    ink = item.ink
    return ink.kind == "path" and ink.fill is not None and ink.fill_alpha > OPAQUE and not item.patterned


def _hides(item: Painted) -> bool:
    """What it paints hides what lies under it: an opaque fill, shading or image."""
    return _spans(item) or (item.ink.kind in ("shading", "image") and item.ink.fill_alpha > OPAQUE)


def _is_faint(ink: Ink) -> bool:
    colors = [color for color in (ink.fill, ink.stroke) if color]
    pale = all(min(rgb(color)) >= 0xF8 for color in colors)
    return ink.kind == "path" and (ink.alpha < 0.1 or pale)


def _unpacked(packed: npt.NDArray[np.uint8], region: Region) -> Mask:
    rows, columns = region[0].stop - region[0].start, region[1].stop - region[1].start
    return np.unpackbits(packed, count=rows * columns).reshape(rows, columns).astype(np.bool_)
