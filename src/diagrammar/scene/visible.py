"""What a person can see of the inks: those that change no pixel of the page are no objects."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as c

from diagrammar.scene.geometry import Rect
from diagrammar.scene.ink import Ink
from diagrammar.scene.text import SMALLEST_SIZE_PT

SCALE = 2.0  # pixels per bp: enough to see a hairline, cheap enough for every page
LARGEST_SIDE_PX = 4000
MOST_SINGLE_CHECKS = 300  # renders of one crop each; beyond that the cheap checks decide alone
FINE_SCALE = 8.0  # where a clip cuts a shape, its sides are read off pixels
FINE_DOUBT_PT = 0.4  # sides that those pixels move by less than this stay as geometry has them
LEAST_CONTRAST = 5  # of 255 in some channel: gray!5 on white differs by 6, opacity .01 by 2

Pixels = npt.NDArray[np.uint32]  # one number a pixel: 0xXXRRGGBB


@dataclass
class PageView:
    """A page that can be rendered with some of its inks switched off."""

    page: pdfium.PdfPage
    inks: Sequence[Ink]
    wanted_scale: float = SCALE

    def __post_init__(self) -> None:
        self.width, self.height = self.page.get_size()
        self.scale = min(self.wanted_scale, LARGEST_SIDE_PX / max(self.width, self.height, 1.0))
        self.rows, self.columns = (max(1, math.ceil(side * self.scale)) for side in (self.height, self.width))

    @cached_property
    def full(self) -> Pixels:
        return self._render(slice(0, self.rows), slice(0, self.columns))

    def _render(self, rows: slice, columns: slice) -> Pixels:
        """A part of the page. PDFium passes over what lies outside, so a small part is cheap."""
        width, height = columns.stop - columns.start, rows.stop - rows.start
        if width <= 0 or height <= 0:
            return np.zeros((0, 0), np.uint32)
        bitmap = c.FPDFBitmap_CreateEx(width, height, c.FPDFBitmap_BGRx, None, 0)
        try:
            c.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
            c.FPDF_RenderPageBitmap(
                bitmap, self.page.raw, -columns.start, -rows.start, self.columns, self.rows, 0, 0
            )
            stride = c.FPDFBitmap_GetStride(bitmap)
            raw = ctypes.string_at(c.FPDFBitmap_GetBuffer(bitmap), stride * height)
        finally:
            c.FPDFBitmap_Destroy(bitmap)
        pixels: Pixels = np.frombuffer(raw, np.uint32).reshape(height, stride // 4)[:, :width] & np.uint32(
            0xFFFFFF
        )
        return pixels

    def region(self, box: Rect, margin_px: int) -> tuple[slice, slice]:
        """Rows and columns that a box covers, with a margin."""
        top = max(0, int((self.height - box.y1) * self.scale) - margin_px)
        bottom = min(self.rows, int((self.height - box.y0) * self.scale) + 1 + margin_px)
        left = max(0, int(box.x0 * self.scale) - margin_px)
        right = min(self.columns, int(box.x1 * self.scale) + 1 + margin_px)
        return slice(top, max(bottom, top)), slice(left, max(right, left))

    def part(self, region: tuple[slice, slice]) -> Pixels:
        """A part of the page, rendered as `without` renders it: glyphs depend on where the bitmap begins."""
        return self._render(*region)

    def changed_without(self, ink: Ink, region: tuple[slice, slice]) -> npt.NDArray[np.bool_]:
        """The pixels of the part that a person sees change when the ink is taken away."""
        return _differs(self.part(region), self.without([ink], region))

    def without(self, inks: Sequence[Ink], region: tuple[slice, slice]) -> Pixels:
        """A part of the page without these inks."""
        handles = [_handle(ink) for ink in inks]
        for handle in handles:
            c.FPDFPageObj_SetIsActive(handle, False)
        try:
            return self._render(*region)
        finally:
            for handle in handles:
                c.FPDFPageObj_SetIsActive(handle, True)

    def mean_color(self, inks: Sequence[Ink]) -> str:
        """The mean colour of the pixels that these inks paint, in steps of 8: the colour of a shading or a surface."""
        boxes = [ink.box for ink in inks if ink.box is not None]
        region = self.region(
            Rect(*np.array(boxes)[:, :2].min(axis=0), *np.array(boxes)[:, 2:].max(axis=0)), 1
        )
        changed = self.part(region) != self.without(inks, region)
        own = {ink.handle for ink in inks}
        alone = self.without([ink for ink in self.inks if ink.handle not in own], region)
        seen = alone[changed] if changed.any() else alone.ravel()
        if not seen.size:
            return "#000000"
        channels = [((seen >> shift) & 0xFF).mean() for shift in (16, 8, 0)]
        red, green, blue = (min(255, int(round(float(v) / 8) * 8)) for v in channels)
        return f"#{red:02x}{green:02x}{blue:02x}"


def _handle(ink: Ink) -> Any:
    return ctypes.cast(ctypes.c_void_p(ink.handle), c.FPDF_PAGEOBJECT)


def visible_inks(view: PageView) -> list[Ink]:
    """The inks that show: painted, opaque enough, legible, and different from what is behind or above them.

    Where a clip cuts an ink, its box is what is left to see.
    """
    painted = [ink for ink in view.inks if ink.box is not None and ink.alpha > 1 / 510 and _legible(ink)]
    hidden = _hidden_texts(view, [ink for ink in painted if ink.kind == "text"])
    boxes = _seen_boxes(view, painted)
    shown = []
    for index, ink in enumerate(painted):
        box = boxes.get(index, ink.box)
        if box is not None and id(ink) not in hidden:
            shown.append(ink if box is ink.box else replace(ink, box=box))
    return shown


def _legible(ink: Ink) -> bool:
    return ink.kind != "text" or not ink.glyphs or max(g.size for g in ink.glyphs) >= SMALLEST_SIZE_PT


def _is_flat(pixels: Pixels) -> bool:
    if pixels.size == 0:
        return True
    first = pixels[0, 0]
    middle = pixels[pixels.shape[0] // 2]  # most inks show in their middle row: look there first
    return not _differs(middle, first).any() and not _differs(pixels, first).any()


def _differs(one: Pixels, other: Pixels | np.uint32) -> npt.NDArray[np.bool_]:
    """Where two pixels differ by the least contrast in some channel."""
    seen = np.not_equal(one, other)
    if not seen.any():
        return seen
    for shift in (0, 8, 16):
        a = (one >> np.uint32(shift) & np.uint32(0xFF)).astype(np.int16)
        b = (other >> np.uint32(shift) & np.uint32(0xFF)).astype(np.int16)
        clear = np.abs(a - b) >= LEAST_CONTRAST
        seen = clear if shift == 0 else seen | clear
    return seen


def _hidden_texts(view: PageView, texts: Sequence[Ink]) -> set[int]:
    """Texts whose place looks the same without them. Those that share their place are asked one by one."""
    if not texts:
        return set()
    everywhere = slice(0, view.rows), slice(0, view.columns)
    bare = view.without(texts, everywhere)
    boxes = np.array([ink.box for ink in texts], dtype=float)
    hidden = set()
    single_checks = 0
    for index, ink in enumerate(texts):
        box = Rect(*boxes[index])
        region = view.region(box, 0)
        differs = bool(_differs(view.full[region], bare[region]).any())
        if single_checks >= MOST_SINGLE_CHECKS or (differs and not _shares_place(index, boxes)):
            if not differs:
                hidden.add(id(ink))
            continue
        single_checks += 1
        # A thin glyph, the minus of an exponent, may be painted in the row of pixels beside its box.
        if not view.changed_without(ink, region if differs else view.region(box, 1)).any():
            hidden.add(id(ink))
    return hidden


def _shares_place(index: int, boxes: npt.NDArray[np.float64]) -> bool:
    """More than half of this box lies under another one."""
    x0, y0, x1, y1 = boxes[index]
    widths = np.minimum(x1, boxes[:, 2]) - np.maximum(x0, boxes[:, 0])
    heights = np.minimum(y1, boxes[:, 3]) - np.maximum(y0, boxes[:, 1])
    common = np.where((widths > 0) & (heights > 0), widths * heights, 0.0)
    common[index] = 0.0
    return bool(common.max(initial=0.0) > 0.5 * max((x1 - x0) * (y1 - y0), 1e-6))


def _seen_boxes(view: PageView, inks: Sequence[Ink]) -> dict[int, Rect | None]:
    """By position, the boxes of shapes that may be hidden wholly (None) or in part.

    Suspects stand on one flat colour, are pale or hardly opaque, lie under a later opaque fill, or are
    cut by a clip. Whether they show is seen by rendering their place without them.
    """
    seen: dict[int, Rect | None] = {}
    boxes = np.array([ink.box for ink in inks], dtype=float).reshape(-1, 4)
    opaque = np.array(
        [ink.kind == "path" and ink.fill is not None and ink.fill_alpha > 0.99 for ink in inks], bool
    )
    fine = PageView(view.page, view.inks, FINE_SCALE)
    checks = 0
    for index, ink in enumerate(inks):
        if ink.kind == "text":
            continue
        box = Rect(*boxes[index])
        region = view.region(box, 1)
        flat = _is_flat(view.full[region])
        if not (flat or _is_faint(ink) or ink.cut or _is_covered(index, boxes, opaque)):
            continue
        checks += 1
        if checks > MOST_SINGLE_CHECKS:
            if flat:
                seen[index] = None
            continue
        changed = view.changed_without(ink, region)
        if not changed.any():
            seen[index] = None
        elif ink.cut and ink.kind == "path":  # a shading may well end in the colour of the page
            seen[index] = _refined(box, ink, fine)
    return seen


def _refined(box: Rect, ink: Ink, fine: PageView) -> Rect:
    """The box, with the sides moved in where the pixels say that some of it is cut away."""
    region = fine.region(box, 1)
    changed = fine.changed_without(ink, region)
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not rows.size:
        return box
    top, left = region[0].start, region[1].start
    x0, x1 = (left + columns[0]) / fine.scale, (left + columns[-1] + 1) / fine.scale
    y1, y0 = fine.height - (top + rows[0]) / fine.scale, fine.height - (top + rows[-1] + 1) / fine.scale
    doubt = max(FINE_DOUBT_PT, 2 / fine.scale)
    return Rect(
        x0 if x0 - box.x0 > doubt else box.x0,
        y0 if y0 - box.y0 > doubt else box.y0,
        x1 if box.x1 - x1 > doubt else box.x1,
        y1 if box.y1 - y1 > doubt else box.y1,
    )


def _is_covered(index: int, boxes: npt.NDArray[np.float64], opaque: npt.NDArray[np.bool_]) -> bool:
    """A later opaque fill spans the whole box."""
    x0, y0, x1, y1 = boxes[index]
    later = boxes[index + 1 :]
    spans = (later[:, 0] <= x0) & (later[:, 1] <= y0) & (later[:, 2] >= x1) & (later[:, 3] >= y1)
    return bool(np.any(spans & opaque[index + 1 :]))


def _is_faint(ink: Ink) -> bool:
    """All that it paints is pale or hardly opaque."""
    colors = [color for color in (ink.fill, ink.stroke) if color]
    return ink.kind == "path" and (ink.alpha < 0.1 or all(_pale(color) for color in colors))


def _pale(color: str) -> bool:
    return all(int(color[i : i + 2], 16) >= 0xF8 for i in (1, 3, 5))
