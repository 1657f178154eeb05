"""The outlines of a page's glyphs, for boxes of text that stands aslant: PDFium gives the box of the turned box."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as c

from diagrammar.scene.geometry import Matrix, Rect, Segment, Subpath, bounds, path_box

Outline = tuple[Subpath, ...]
STRAIGHT = 1e-3  # of a text matrix: what is smaller turns nothing
SAME_PT = 0.05  # PDFium rounds a glyph's box to thousandths of its size


def address(pointer: Any) -> int:
    """The handle as a number: equal for equal objects while their page is open."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


class Outlines:
    """Glyph outlines of one page, each read once."""

    def __init__(self, text_page: Any) -> None:
        self.text_page = text_page
        self.known: dict[tuple[int, int], Outline] = {}  # in ems

    def tight_box(self, index: int, box: Rect, origin: tuple[float, float]) -> Rect:
        """The tight box of a character: PDFium's `box`, unless the text stands aslant and its outline can be had."""
        raw = c.FS_MATRIX()
        if not c.FPDFText_GetMatrix(self.text_page, index, raw):
            return box
        if max(abs(raw.b), abs(raw.c)) < STRAIGHT or max(abs(raw.a), abs(raw.d)) < STRAIGHT:
            return box
        outline = self._outline(index)
        plain = path_box(outline)
        if plain is None:
            return box
        size = c.FPDFText_GetFontSize(self.text_page, index)
        frame = Matrix(size * raw.a, size * raw.b, size * raw.c, size * raw.d, *origin)
        corners = [frame.apply(x, y) for x in (plain.x0, plain.x1) for y in (plain.y0, plain.y1)]
        # PDFium finds outlines by character: the right one has, turned, the box that PDFium gives
        if max(abs(a - b) for a, b in zip(bounds(corners), box, strict=True)) > SAME_PT + 0.02 * (
            box.x1 - box.x0
        ):
            return box
        placed = tuple(
            Subpath(tuple(Segment(s.op, tuple(frame.apply(*p) for p in s.points)) for s in subpath.segments))
            for subpath in outline
        )
        return path_box(placed) or box

    def _outline(self, index: int) -> Outline:
        font = c.FPDFTextObj_GetFont(c.FPDFText_GetTextObject(self.text_page, index))
        code = c.FPDFText_GetUnicode(self.text_page, index)
        key = (address(font), code)
        if key not in self.known:
            self.known[key] = _read(c.FPDFFont_GetGlyphPath(font, code, 1.0))
        return self.known[key]


def _read(path: Any) -> Outline:
    count = c.FPDFGlyphPath_CountGlyphSegments(path) if path else 0
    x, y = ctypes.c_float(), ctypes.c_float()
    runs: list[list[Segment]] = []
    curve: list[tuple[float, float]] = []
    for index in range(max(count, 0)):
        segment = c.FPDFGlyphPath_GetGlyphPathSegment(path, index)
        c.FPDFPathSegment_GetPoint(segment, x, y)
        op, point = c.FPDFPathSegment_GetType(segment), (x.value, y.value)
        if op == c.FPDF_SEGMENT_MOVETO:
            runs.append([Segment("m", (point,))])
        elif runs and op == c.FPDF_SEGMENT_BEZIERTO:
            curve.append(point)
            if len(curve) == 3:
                runs[-1].append(Segment("c", tuple(curve)))
                curve = []
        elif runs:
            runs[-1].append(Segment("l", (point,)))
    return tuple(Subpath(tuple(run)) for run in runs if len(run) > 1)
