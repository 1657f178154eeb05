"""Glyph runs -> strings: reading order, word spaces, fractions, folded look-alikes (docs/scene.md, Text)."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from diagrammar.records.scenes import TextRun
from diagrammar.scene.geometry import Rect
from diagrammar.scene.ink import Glyph

WORD_GAP_EM = (
    0.15  # TeX's thin space is 0.167 em, its word space at least 0.22 em; italic corrections stay below 0.1
)
NEW_LINE_EM = 0.75  # of the largest size in the text; a script's shift is less, a line's distance more
SMALLEST_SIZE_PT = 1.0  # smaller type cannot be read at 300 dpi

# Look-alike code points -> the one that is compared. NFKC runs before this table.
LOOK_ALIKES = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
        **dict.fromkeys("‘’‚‛`´ʹʼ′‵", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("∗⁎﹡", "*"),
        **dict.fromkeys("∣❘ǀ", "|"),
        **dict.fromkeys("◦∘˚º", "°"),
        **dict.fromkeys("⋅∙•・", "·"),
        **dict.fromkeys("∕⁄", "/"),
        **dict.fromkeys("∼˜", "~"),
        **dict.fromkeys("ˆ", "^"),
        **dict.fromkeys("⟨〈", "〈"),
        **dict.fromkeys("⟩〉", "〉"),
        **dict.fromkeys("∥", "‖"),
        **dict.fromkeys("△", "∆"),
        "ϵ": "ε", "ϕ": "φ", "ϑ": "θ", "ϱ": "ρ", "ϖ": "π", "ς": "σ",
        "ı": "i", "ȷ": "j",
        "♦": "♢", "♥": "♡", "\U0002d7cb": "ϝ",  # pdfTeX names the digamma so
        **{chr(0xF730 + digit): str(digit) for digit in range(10)}, "\uf6be": "j",  # old style digits, dotless j
        "\u00ad": "-", "\x02": "-", "\u200b": "", "\ufeff": "",  # PDFium hands out a hyphen at a line's end as U+0002
    }
)  # fmt: skip

# A spacing accent standing over a letter -> the combining one.
_COMBINING = {
    "´": "\u0301", "`": "\u0300", "ˆ": "\u0302", "^": "\u0302", "¨": "\u0308", "˜": "\u0303", "~": "\u0303",
    "ˇ": "\u030c", "˘": "\u0306", "¯": "\u0304", "˙": "\u0307", "˝": "\u030b", "˚": "\u030a", "¸": "\u0327",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}


@dataclass(frozen=True)
class _Piece:
    """A glyph in the frame of its line: u along the baseline, v across, upwards."""

    char: str
    u0: float
    u1: float
    v: float
    size: float
    color: str
    alpha: float
    low: float
    high: float


def read_text(glyphs: Sequence[Glyph], bars: Sequence[Rect] = ()) -> tuple[str, tuple[TextRun, ...]]:
    """The text a person reads in these glyphs, and the same by colour. `bars` are the fraction bars among them."""
    pieces = _join_accents(_turned(glyphs))
    marks = _turned_bars(glyphs, bars)
    straight = len({round(math.degrees(g.angle) / 3) % 120 for g in glyphs}) <= 1
    joined = list(_with_separators(pieces, marks, straight))
    runs: list[TextRun] = []
    for color, alpha, part in joined:
        if runs and runs[-1].color == color and runs[-1].opacity == alpha:
            runs[-1] = TextRun(text=runs[-1].text + part, color=color, opacity=alpha)
        else:
            runs.append(TextRun(text=part, color=color, opacity=alpha))
    text = fold("".join(part for _, _, part in joined))
    folded = (TextRun(text=fold(r.text), color=r.color, opacity=r.opacity) for r in runs)
    return text, tuple(run for run in folded if run.text)


def fold(text: str) -> str:
    """NFKC, then the look-alike table, then white space collapsed and trimmed."""
    text = unicodedata.normalize("NFKC", text.replace("´", "'").replace("¨", '"'))
    return " ".join(text.translate(LOOK_ALIKES).split())


def split_lines(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Free text cut into lines, and where a gap is wider than three ems."""
    lines: list[list[Glyph]] = []
    for glyph in glyphs:
        if lines:
            last = lines[-1][-1]
            size = max(last.size, glyph.size)
            gap = math.dist(last.advance_end, glyph.origin)
            drop = abs(_across(glyph) - _across(last)) if abs(glyph.angle - last.angle) < 0.05 else 0.0
            if drop <= NEW_LINE_EM * size and gap <= 3 * size:
                lines[-1].append(glyph)
                continue
        lines.append([glyph])
    return lines


def _across(glyph: Glyph) -> float:
    return -math.sin(glyph.angle) * glyph.origin[0] + math.cos(glyph.angle) * glyph.origin[1]


def _turned(glyphs: Sequence[Glyph]) -> list[_Piece]:
    if not glyphs:
        return []
    angle = glyphs[0].angle
    cos, sin = math.cos(angle), math.sin(angle)

    def along(point: tuple[float, float]) -> float:
        return cos * point[0] + sin * point[1]

    def across(point: tuple[float, float]) -> float:
        return -sin * point[0] + cos * point[1]

    pieces = []
    for g in glyphs:
        corners = [(x, y) for x in (g.box.x0, g.box.x1) for y in (g.box.y0, g.box.y1)]
        heights = [across(corner) for corner in corners]
        hangs = "CMEX" in g.font or g.char == "√"  # their origin is at the top: stand them on the maths axis
        v = (min(heights) + max(heights)) / 2 - 0.25 * g.size if hangs else across(g.origin)
        pieces.append(
            _Piece(g.char, along(g.origin), along(g.advance_end), v, g.size, g.color, round(g.alpha, 3),
                   min(heights), max(heights))
        )  # fmt: skip
    return pieces


def _turned_bars(glyphs: Sequence[Glyph], bars: Sequence[Rect]) -> list[tuple[float, float, float]]:
    """Bars as (u0, u1, v) in the frame of the line."""
    if not glyphs:
        return []
    cos, sin = math.cos(glyphs[0].angle), math.sin(glyphs[0].angle)
    turned = []
    for bar in bars:
        ends = (
            [(bar.x0, bar.y0), (bar.x1, bar.y1)] if cos * sin >= 0 else [(bar.x0, bar.y1), (bar.x1, bar.y0)]
        )
        us = [cos * x + sin * y for x, y in ends]
        vs = [-sin * x + cos * y for x, y in ends]
        turned.append((min(us), max(us), sum(vs) / 2))
    return turned


def _join_accents(pieces: list[_Piece]) -> list[_Piece]:
    """Accents that stand over (or strokes that stand in) a neighbouring glyph joined to it."""
    joined: list[_Piece] = []
    waiting: _Piece | None = None
    for piece in pieces:
        if waiting is not None:
            middle = (waiting.u0 + waiting.u1) / 2
            mark = _COMBINING.get(waiting.char, waiting.char)
            overlaps = piece.u0 - 0.1 * piece.size <= middle <= piece.u1 + 0.1 * piece.size
            if (
                overlaps
                and (piece.char.isalpha() or unicodedata.combining(mark))
                and piece.char not in _COMBINING
            ):
                base = _DOTLESS.get(piece.char, piece.char)
                char = unicodedata.normalize("NFC", base + mark)
                joined.append(_Piece(char, piece.u0, piece.u1, piece.v, piece.size, piece.color, piece.alpha,
                                     piece.low, piece.high))  # fmt: skip
                waiting = None
                continue
            joined.append(waiting)
            waiting = None
        if piece.char in _COMBINING or unicodedata.combining(piece.char[0]):
            waiting = piece
        else:
            joined.append(piece)
    return [*joined, waiting] if waiting is not None else joined


def _with_separators(
    pieces: Sequence[_Piece], bars: Sequence[tuple[float, float, float]], straight: bool
) -> Iterable[tuple[str, float, str]]:
    """(colour, opacity, text) of each piece, preceded by the space or slash that belongs before it."""
    largest = max((piece.size for piece in pieces), default=0.0)
    last: _Piece | None = None
    reach = 0.0  # how far the line has come: a fraction or a script may reach further than the last glyph
    for piece in pieces:
        separator = ""
        if last is not None and not straight:
            gap = math.dist((last.u1, last.v), (piece.u0, piece.v))
            separator = " " if gap >= 2 * WORD_GAP_EM * max(last.size, piece.size) else ""
        elif last is not None:
            bar = _bar_between(last, piece, bars)
            if bar is not None:
                separator, reach = "/", max(reach, bar[1])
            elif _starts_line(last, piece, largest):
                separator, reach = " ", piece.u1
            elif last.char != "√" and piece.u0 - reach >= WORD_GAP_EM * max(last.size, piece.size):
                separator = " "
        yield piece.color, piece.alpha, separator + piece.char
        last, reach = piece, max(reach, piece.u1) if last is not None else piece.u1


def _bar_between(
    last: _Piece, piece: _Piece, bars: Sequence[tuple[float, float, float]]
) -> tuple[float, float, float] | None:
    """The fraction bar under `last` and above `piece`, if there is one."""
    for bar in bars:
        u0, u1, v = bar
        if piece.high <= v + 0.5 and last.low >= v - 0.5 and u0 - 1 <= piece.u0 <= u1 and last.u0 <= u1:
            return bar
    return None


def _starts_line(last: _Piece, piece: _Piece, largest: float) -> bool:
    """The piece stands below and back: a new line, not a script or a limit."""
    drop = last.v - piece.v
    return piece.size > 0.75 * largest and drop > NEW_LINE_EM * largest and piece.u0 < last.u1
