"""What a person can see of the inks: those that change no pixel of the page are no objects."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as c

from diagrammar.scene.geometry import Rect
from diagrammar.scene.pdf import Ink
from diagrammar.scene.text import SMALLEST_SIZE_PT

SCALE = 2.0  # pixels per bp: enough to see a hairline, cheap enough for every page
LARGEST_SIDE_PX = 4000
MOST_SINGLE_CHECKS = 300  # renders of one crop each; beyond that the cheap checks decide alone

Pixels = npt.NDArray[np.uint32]  # one number a pixel: 0xXXRRGGBB


@dataclass
class PageView:
    """A page that can be rendered with some of its inks switched off."""

    page: pdfium.PdfPage
    inks: Sequence[Ink]

    def __post_init__(self) -> None:
        self.width, self.height = self.page.get_size()
        self.scale = min(SCALE, LARGEST_SIDE_PX / max(self.width, self.height, 1.0))
        self.full = self._render()

    def _render(self) -> Pixels:
        bitmap = self.page.render(
            scale=self.scale,
            draw_annots=False,
            fill_color=(255, 255, 255, 255),
            force_bitmap_format=c.FPDFBitmap_BGRx,
        )
        pixels: Pixels = np.ascontiguousarray(bitmap.to_numpy()).view(np.uint32)[:, :, 0] & np.uint32(
            0xFFFFFF
        )
        bitmap.close()
        return pixels

    def region(self, box: Rect, margin_px: int) -> tuple[slice, slice]:
        """Rows and columns that a box covers, with a margin."""
        rows, columns = self.full.shape[:2]
        top = max(0, int((self.height - box.y1) * self.scale) - margin_px)
        bottom = min(rows, int((self.height - box.y0) * self.scale) + 1 + margin_px)
        left = max(0, int(box.x0 * self.scale) - margin_px)
        right = min(columns, int(box.x1 * self.scale) + 1 + margin_px)
        return slice(top, max(bottom, top)), slice(left, max(right, left))

    def without(self, inks: Sequence[Ink]) -> Pixels:
        """The page rendered without these inks."""
        handles = [_handle(ink) for ink in inks]
        for handle in handles:
            c.FPDFPageObj_SetIsActive(handle, False)
        try:
            return self._render()
        finally:
            for handle in handles:
                c.FPDFPageObj_SetIsActive(handle, True)

    def mean_color(self, inks: Sequence[Ink]) -> str:
        """The mean colour of the pixels that these inks paint, in steps of 8: the colour of a shading or a surface."""
        boxes = [ink.box for ink in inks if ink.box is not None]
        region = self.region(
            Rect(*np.array(boxes)[:, :2].min(axis=0), *np.array(boxes)[:, 2:].max(axis=0)), 1
        )
        changed = self.full[region] != self.without(inks)[region]
        alone = self.without([ink for ink in self.inks if not any(ink is own for own in inks)])[region]
        seen = alone[changed] if changed.any() else alone.ravel()
        if not seen.size:
            return "#000000"
        channels = [((seen >> shift) & 0xFF).mean() for shift in (16, 8, 0)]
        red, green, blue = (min(255, int(round(float(v) / 8) * 8)) for v in channels)
        return f"#{red:02x}{green:02x}{blue:02x}"


def _handle(ink: Ink) -> Any:
    return ctypes.cast(ctypes.c_void_p(ink.handle), c.FPDF_PAGEOBJECT)


def visible_inks(view: PageView, inks: Sequence[Ink]) -> list[Ink]:
    """The inks that show: painted, opaque enough, legible, and different from what is behind or above them."""
    shown = [ink for ink in inks if ink.box is not None and ink.alpha > 1 / 510 and _legible(ink)]
    texts = [ink for ink in shown if ink.kind == "text"]
    hidden = _hidden_texts(view, texts) | _hidden_shapes(view, shown)
    return [ink for ink in shown if id(ink) not in hidden]


def _legible(ink: Ink) -> bool:
    return ink.kind != "text" or not ink.glyphs or max(g.size for g in ink.glyphs) >= SMALLEST_SIZE_PT


def _is_flat(pixels: Pixels) -> bool:
    if pixels.size == 0:
        return True
    first = pixels[0, 0]
    middle = pixels[pixels.shape[0] // 2]  # most inks show in their middle row: look there first
    return not np.any(middle != first) and not np.any(pixels != first)


def _hidden_texts(view: PageView, texts: Sequence[Ink]) -> set[int]:
    """Texts whose place looks the same without them. Those that share their place are asked one by one."""
    if not texts:
        return set()
    bare = view.without(texts)
    boxes = np.array([ink.box for ink in texts], dtype=float)
    hidden = set()
    single_checks = 0
    for index, ink in enumerate(texts):
        region = view.region(Rect(*boxes[index]), 0)
        if np.array_equal(view.full[region], bare[region]):
            hidden.add(id(ink))
        elif single_checks < MOST_SINGLE_CHECKS and _shares_place(index, boxes):
            single_checks += 1
            if np.array_equal(view.full[region], view.without([ink])[region]):
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


def _hidden_shapes(view: PageView, inks: Sequence[Ink]) -> set[int]:
    """Shapes whose place looks the same without them, among those that may well be hidden.

    Suspects stand on one flat colour, are pale fills without a border, or lie under a later opaque fill.
    """
    hidden = set()
    single_checks = 0
    boxes = np.array([ink.box for ink in inks], dtype=float).reshape(-1, 4)
    opaque = np.array(
        [ink.kind == "path" and ink.fill is not None and ink.fill_alpha > 0.99 for ink in inks], bool
    )
    for index, ink in enumerate(inks):
        if ink.kind == "text":
            continue
        region = view.region(Rect(*boxes[index]), 1)
        flat = _is_flat(view.full[region])
        pale = ink.kind == "path" and ink.stroke is None and ink.fill is not None and _pale(ink.fill)
        if not (flat or pale or _is_covered(index, boxes, opaque)):
            continue
        single_checks += 1
        if single_checks > MOST_SINGLE_CHECKS:
            if flat:
                hidden.add(id(ink))
        elif np.array_equal(view.full[region], view.without([ink])[region]):
            hidden.add(id(ink))
    return hidden


def _is_covered(index: int, boxes: npt.NDArray[np.float64], opaque: npt.NDArray[np.bool_]) -> bool:
    """A later opaque fill spans the whole box."""
    x0, y0, x1, y1 = boxes[index]
    later = boxes[index + 1 :]
    spans = (later[:, 0] <= x0) & (later[:, 1] <= y0) & (later[:, 2] >= x1) & (later[:, 3] >= y1)
    return bool(np.any(spans & opaque[index + 1 :]))


def _pale(color: str) -> bool:
    return all(int(color[i : i + 2], 16) >= 0xF8 for i in (1, 3, 5))
