"""scene, step 1: PDF pages -> Ink, what PDFium says is painted and under which marks. Next: assemble."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as c

from diagrammar.scene.geometry import Matrix, Rect, Segment, Subpath, bounds, path_box
from diagrammar.scene.glyphs import glyphs_by_object
from diagrammar.scene.ink import DUST_PT, Glyph, Ink, MarkRef
from diagrammar.scene.outlines import address

_OBJECT_KIND = {1: "text", 2: "path", 3: "image", 4: "shading", 5: "form"}
INVISIBLE_TEXT_MODE = 3


@contextmanager
def open_pdf(pdf: bytes) -> Iterator[pdfium.PdfDocument]:
    document = pdfium.PdfDocument(pdf)
    try:
        yield document
    finally:
        document.close()


def read_page(page: pdfium.PdfPage, number: int, tag: str) -> list[Ink]:
    """Every painted object of a page in drawing order, forms opened; `tag` names the marks that count."""
    text_page = c.FPDFText_LoadPage(page.raw)
    try:
        reader = _PageReader(page, number, tag.encode(), glyphs_by_object(text_page))
        count = c.FPDFPage_CountObjects(page.raw)
        return list(
            reader.walk(partial(c.FPDFPage_GetObject, page.raw), count, (), Matrix(), reader.page_box, 1.0)
        )
    finally:
        c.FPDFText_ClosePage(text_page)


class _PageReader:
    def __init__(self, page: pdfium.PdfPage, number: int, tag: bytes, glyphs: dict[int, list[Glyph]]) -> None:
        self.number = number
        self.tag = tag
        self.glyphs = glyphs
        width, height = page.get_size()
        self.page_box = Rect(0.0, 0.0, width, height)
        left, bottom, _, _ = page.get_mediabox()
        self.shift = Matrix(e=-left, f=-bottom)

    def walk(
        self, get: Callable[[int], Any], count: int, marks: tuple[MarkRef, ...],
        outer: Matrix, clip: Rect | None, alpha: float,
    ) -> Iterator[Ink]:  # fmt: skip
        for index in range(count):
            handle = get(index)
            kind = _OBJECT_KIND.get(c.FPDFPageObj_GetType(handle))
            if kind is None:
                continue
            chain = marks + self._marks(handle)
            visible = _clip_box(handle, outer, clip)
            if kind == "form":
                inner = _matrix(handle).then(outer)
                share = alpha * _color(c.FPDFPageObj_GetFillColor, handle)[1]
                content = partial(c.FPDFFormObj_GetObject, handle)
                yield from self.walk(
                    content, c.FPDFFormObj_CountObjects(handle), chain, inner, visible, share
                )
            elif kind == "path":
                yield self._path(handle, chain, outer, visible, alpha)
            elif kind == "text":
                yield self._text(handle, chain, outer, visible, alpha)
            else:
                yield self._picture(handle, kind, chain, outer, visible, alpha)

    def _marks(self, handle: Any) -> tuple[MarkRef, ...]:
        found = []
        for index in range(c.FPDFPageObj_CountMarks(handle)):
            mark = c.FPDFPageObj_GetMark(handle, index)
            if _mark_name(mark) != self.tag:
                continue
            value = ctypes.c_int()
            if c.FPDFPageObjMark_GetParamIntValue(mark, b"I", value):
                found.append(MarkRef(value.value, address(mark)))
        return tuple(found)

    def _path(
        self, handle: Any, marks: tuple[MarkRef, ...], outer: Matrix, clip: Rect | None, alpha: float
    ) -> Ink:
        fill_mode, stroked = ctypes.c_int(), ctypes.c_int()
        c.FPDFPath_GetDrawMode(handle, fill_mode, stroked)
        matrix = _matrix(handle)
        frame = matrix.then(outer)
        subpaths = _subpaths(handle, frame)
        width = ctypes.c_float()
        c.FPDFPageObj_GetStrokeWidth(handle, width)
        line_width = width.value * frame.scale
        fill, fill_alpha = _color(c.FPDFPageObj_GetFillColor, handle)
        stroke, stroke_alpha = _color(c.FPDFPageObj_GetStrokeColor, handle)
        box = path_box(subpaths) if fill_mode.value or stroked.value else None
        if box is not None and stroked.value:
            box = box.padded(line_width / 2)
        if box is not None and max(box.x1 - box.x0, box.y1 - box.y0) < DUST_PT:
            box = None  # chemfig's arrows leave such filled points behind
        return Ink(
            kind="path", page=self.number, marks=marks, matrix=frame, handle=address(handle),
            box=box.clipped(clip) if box is not None and clip is not None else None, cut=_is_cut(box, clip),
            fill=fill if fill_mode.value else None, stroke=stroke if stroked.value else None,
            fill_alpha=fill_alpha * alpha, stroke_alpha=stroke_alpha * alpha,
            line_width=line_width, dashed=bool(stroked.value) and c.FPDFPageObj_GetDashCount(handle) > 0,
            subpaths=subpaths,
        )  # fmt: skip

    def _text(
        self, handle: Any, marks: tuple[MarkRef, ...], outer: Matrix, clip: Rect | None, alpha: float
    ) -> Ink:
        fill, fill_alpha = _color(c.FPDFPageObj_GetFillColor, handle)
        place = address(handle)
        painted = c.FPDFTextObj_GetTextRenderMode(handle) != INVISIBLE_TEXT_MODE
        glyphs = tuple(
            Glyph(g.char, g.box, g.origin, g.advance_end, g.size, g.angle, g.font, fill, fill_alpha * alpha)
            for g in self.glyphs.get(place, ())
        )
        box = _union([g.box for g in glyphs]) or _object_box(handle, outer)
        return Ink(
            kind="text", page=self.number, marks=marks, matrix=_matrix(handle).then(outer), handle=place,
            box=box.clipped(clip) if painted and box and clip else None,
            fill=fill, fill_alpha=fill_alpha * alpha, glyphs=glyphs,
        )  # fmt: skip

    def _picture(
        self,
        handle: Any,
        kind: str,
        marks: tuple[MarkRef, ...],
        outer: Matrix,
        clip: Rect | None,
        alpha: float,
    ) -> Ink:
        box = _object_box(handle, outer)
        return Ink(
            kind="image" if kind == "image" else "shading", page=self.number, marks=marks,
            matrix=_matrix(handle).then(outer), handle=address(handle),
            box=box.clipped(clip) if box and clip else None, cut=_is_cut(box, clip),
            fill_alpha=_color(c.FPDFPageObj_GetFillColor, handle)[1] * alpha,
        )  # fmt: skip


def _mark_name(mark: Any) -> bytes:
    buffer = ctypes.create_string_buffer(128)
    length = ctypes.c_ulong()
    wide = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    c.FPDFPageObjMark_GetName(mark, wide, 128, length)
    return bytes(buffer.raw[: max(0, length.value - 2) : 2])


def _matrix(handle: Any) -> Matrix:
    raw = c.FS_MATRIX()
    return (
        Matrix(raw.a, raw.b, raw.c, raw.d, raw.e, raw.f) if c.FPDFPageObj_GetMatrix(handle, raw) else Matrix()
    )


def _color(get: Any, handle: Any) -> tuple[str, float]:
    """(#rrggbb, alpha 0 to 1); black where PDFium knows none."""
    r, g, b, a = (ctypes.c_uint(v) for v in (0, 0, 0, 255))
    get(handle, r, g, b, a)
    return f"#{r.value:02x}{g.value:02x}{b.value:02x}", a.value / 255


def _object_box(handle: Any, outer: Matrix) -> Rect | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not c.FPDFPageObj_GetBounds(handle, left, bottom, right, top):
        return None
    corners = [(x, y) for x in (left.value, right.value) for y in (bottom.value, top.value)]
    return bounds(outer.apply(x, y) for x, y in corners)


def _segment_points(
    get: Callable[[int], Any], count: int, frame: Matrix
) -> Iterator[tuple[int, tuple[float, float], bool]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = get(index)
        c.FPDFPathSegment_GetPoint(segment, x, y)
        yield (
            c.FPDFPathSegment_GetType(segment),
            frame.apply(x.value, y.value),
            bool(c.FPDFPathSegment_GetClose(segment)),
        )


def _subpaths(handle: Any, frame: Matrix) -> tuple[Subpath, ...]:
    count = c.FPDFPath_CountSegments(handle)
    runs: list[list[Segment]] = []
    curve: list[tuple[float, float]] = []
    for op, point, closes in _segment_points(partial(c.FPDFPath_GetPathSegment, handle), count, frame):
        if op == c.FPDF_SEGMENT_MOVETO:
            runs.append([Segment("m", (point,), closes)])
        elif not runs:
            continue
        elif op == c.FPDF_SEGMENT_BEZIERTO:
            curve.append(point)
            if len(curve) == 3:
                runs[-1].append(Segment("c", tuple(curve), closes))
                curve = []
        else:
            runs[-1].append(Segment("l", (point,), closes))
    return tuple(Subpath(tuple(run)) for run in runs if len(run) > 1)


def _clip_box(handle: Any, outer: Matrix, clip: Rect | None) -> Rect | None:
    """The box of what the clips leave; None where they leave nothing."""
    path = c.FPDFPageObj_GetClipPath(handle)
    count = c.FPDFClipPath_CountPaths(path) if path else 0
    for index in range(max(count, 0)):
        if clip is None:
            return None
        segments = c.FPDFClipPath_CountPathSegments(path, index)
        get = partial(c.FPDFClipPath_GetPathSegment, path, index)
        points = [point for _, point, _ in _segment_points(get, segments, outer)]
        clip = clip.clipped(bounds(points)) if points else None
    return clip


def _is_cut(box: Rect | None, clip: Rect | None) -> bool:
    return box is not None and clip is not None and box.clipped(clip) != box


def _union(boxes: list[Rect]) -> Rect | None:
    total: Rect | None = None
    for box in boxes:
        total = box if total is None else total.union(box)
    return total
