"""The characters of a page as PDFium knows them: where each stands, and which text object paints it."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import pypdfium2.raw as c

from diagrammar.scene import oldfonts
from diagrammar.scene.geometry import Matrix, Rect
from diagrammar.scene.ink import Glyph
from diagrammar.scene.outlines import Outlines, address


def glyphs_by_object(text_page: Any) -> dict[int, list[Glyph]]:
    """Characters of the page by the text object that paints them; white space is left to the gaps."""
    found: dict[int, list[Glyph]] = {}
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    loose = c.FS_RECTF()
    fonts = ctypes.create_string_buffer(256)
    flags = ctypes.c_int()
    outlines = Outlines(text_page)
    for index in range(c.FPDFText_CountChars(text_page)):
        place = address(c.FPDFText_GetTextObject(text_page, index))
        if not place or c.FPDFText_IsGenerated(text_page, index) == 1:
            continue
        length = c.FPDFText_GetFontInfo(text_page, index, fonts, 256, flags)
        font = fonts.raw[: max(0, length - 1)].decode("latin-1")
        char = _character(text_page, index, font)
        if not char or char.isspace():
            continue
        c.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
        c.FPDFText_GetCharOrigin(text_page, index, x, y)
        c.FPDFText_GetLooseCharBox(text_page, index, loose)
        size = c.FPDFText_GetFontSize(text_page, index) * _text_scale(text_page, index)
        angle = -c.FPDFText_GetCharAngle(text_page, index) % math.tau  # PDFium counts clockwise
        box = outlines.tight_box(
            index, Rect(left.value, bottom.value, right.value, top.value), (x.value, y.value)
        )
        found.setdefault(place, []).append(
            Glyph(
                char=char,
                box=box,
                origin=(x.value, y.value),
                advance_end=_advance_end(text_page, index, char, (x.value, y.value), loose, angle, size),
                size=size,
                angle=angle,
                font=font,
                color="#000000",
                alpha=1.0,
            )
        )
    return found


def _character(text_page: Any, index: int, font: str) -> str:
    """What the glyph shows; empty for the second half of a pair, which PDFium counts as a character of its own."""
    code = c.FPDFText_GetUnicode(text_page, index)
    if 0xD800 <= code < 0xDC00:
        low = c.FPDFText_GetUnicode(text_page, index + 1)
        return chr(0x10000 + (code - 0xD800) * 0x400 + low - 0xDC00) if 0xDC00 <= low < 0xE000 else "\ufffd"
    if 0xDC00 <= code < 0xE000:
        return ""
    if c.FPDFText_HasUnicodeMapError(text_page, index) == 1 or code == 0:
        return oldfonts.character(font, code) or chr(code)
    return chr(code)


def _text_scale(text_page: Any, index: int) -> float:
    raw = c.FS_MATRIX()
    if not c.FPDFText_GetMatrix(text_page, index, raw):
        return 1.0
    return Matrix(raw.a, raw.b, raw.c, raw.d).scale


def _advance_end(
    text_page: Any, index: int, char: str, origin: tuple[float, float], loose: Any, angle: float, size: float
) -> tuple[float, float]:
    """Where the next glyph would begin. The loose box says it for upright and quarter-turned text, else the font."""
    cos, sin = math.cos(angle), math.sin(angle)
    along = [cos * x + sin * y for x in (loose.left, loose.right) for y in (loose.bottom, loose.top)]
    advance = max(along) - (cos * origin[0] + sin * origin[1])
    if abs(math.sin(2 * angle)) > 1e-3:
        width = ctypes.c_float()
        font = c.FPDFTextObj_GetFont(c.FPDFText_GetTextObject(text_page, index))
        advance = width.value if c.FPDFFont_GetGlyphWidth(font, ord(char), size, width) else size / 2
    return origin[0] + advance * cos, origin[1] + advance * sin
