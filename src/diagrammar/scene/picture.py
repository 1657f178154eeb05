"""Compiled -> Picture: the PNG of what is drawn, from the same PDF and in the same frame as its Scene."""

from __future__ import annotations

import ctypes
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pypdfium2.raw as c

from diagrammar.records.diagrams import Compiled
from diagrammar.records.scenes import Scene
from diagrammar.scene.geometry import Rect
from diagrammar.scene.pages import PAGE_GAP_PT, build_scene
from diagrammar.scene.pdf import open_pdf
from diagrammar.scene.read import read_pages

if TYPE_CHECKING:
    from PIL import Image
    from pypdfium2 import PdfPage

BORDER_PT = 4.0
LARGEST_SIDE_PX = 16_000


@dataclass(frozen=True)
class Picture:
    """A PNG on white. The scene's (x, y), in bp, is pixel ((x - left_pt) * dpi / 72, (y - top_pt) * dpi / 72)."""

    png: bytes
    dpi: float
    width_px: int
    height_px: int
    left_pt: float
    top_pt: float


def draw_picture(compiled: Compiled, *, dpi: float = 300) -> Picture:
    """The drawing cropped to its ink plus a border of 4 bp, pages below one another as in the Scene.

    An empty drawing gives a white square of the border's size. `dpi` is lowered where a side would exceed 16,000 px.
    """
    return paint(compiled.pdf, [page.ink for page in read_pages(compiled)], dpi=dpi)


def read_drawing(compiled: Compiled, *, dpi: float = 300) -> tuple[Scene, Picture]:
    """The scene and its picture from one reading of the PDF."""
    pages = read_pages(compiled)
    picture = paint(compiled.pdf, [page.ink for page in pages], dpi=dpi)
    return build_scene(pages, marked=compiled.marked), picture


def paint(pdf: bytes, inks: list[Rect | None], *, dpi: float = 300) -> Picture:
    """The picture of the pages' ink boxes (in each page's frame); None stands for an empty page."""
    from PIL import Image

    boxes = [box for box in inks if box is not None]
    width = max((box.x1 - box.x0 for box in boxes), default=0.0)
    height = sum(box.y1 - box.y0 for box in boxes) + PAGE_GAP_PT * max(0, len(boxes) - 1)
    longest = max(width, height) + 2 * BORDER_PT
    dpi = min(dpi, LARGEST_SIDE_PX * 72 / longest)
    scale = dpi / 72
    size = (round((width + 2 * BORDER_PT) * scale), round((height + 2 * BORDER_PT) * scale))
    canvas = Image.new("RGB", size, "white")
    with open_pdf(pdf) as document:
        top = 0.0
        for number, box in enumerate(inks):
            if box is None:
                continue
            part = _render_part(document[number], box, scale)
            canvas.paste(part, (0, round(top * scale)))
            top += box.y1 - box.y0 + PAGE_GAP_PT
    buffer = io.BytesIO()
    canvas.save(buffer, "PNG", dpi=(dpi, dpi), compress_level=3)
    return Picture(buffer.getvalue(), dpi, *size, left_pt=-BORDER_PT, top_pt=-BORDER_PT)


def _render_part(page: PdfPage, box: Rect, scale: float) -> Image.Image:
    """The page around a box, its border included; what lies outside the page is white."""
    from PIL import Image

    page_width, page_height = page.get_size()
    area = box.padded(BORDER_PT)
    width, height = (max(1, round(v * scale)) for v in (area.x1 - area.x0, area.y1 - area.y0))
    bitmap = c.FPDFBitmap_CreateEx(width, height, c.FPDFBitmap_BGRx, None, 0)
    try:
        c.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        left, top = round(-area.x0 * scale), round((area.y1 - page_height) * scale)
        c.FPDF_RenderPageBitmap(
            bitmap, page.raw, left, top, round(page_width * scale), round(page_height * scale), 0, 0
        )
        stride = c.FPDFBitmap_GetStride(bitmap)
        raw = ctypes.string_at(c.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        c.FPDFBitmap_Destroy(bitmap)
    return Image.frombuffer("RGB", (width, height), raw, "raw", "BGRX", stride, 1)
