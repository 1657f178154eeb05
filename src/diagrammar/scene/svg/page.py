"""scene/svg, step 2: a page's tree -> Painted, what is painted and under which marks. Next: visible."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from lxml import etree

from diagrammar.scene.geometry import Matrix, Rect, Segment, Subpath, path_box
from diagrammar.scene.ink import DUST_PT, Glyph, Ink, MarkRef
from diagrammar.scene.sidefile import PageFrame
from diagrammar.scene.svg.fonts import Shape, Typeface, read_typefaces
from diagrammar.scene.svg.gradients import Gradient, pattern_color, read_gradient
from diagrammar.scene.svg.numbers import number
from diagrammar.scene.svg.paths import SHAPES, placed, subpaths_of
from diagrammar.scene.svg.style import Clip, State, inherit
from diagrammar.scene.svg.tree import HREF, Tree, UnreadableSvg, kind, walk

INCH_PT = 72.0  # DVI's origin is one inch from the page's left and top
PT_IN_BP = 72.27 / 72
# What is defined here and painted elsewhere, or not at all.
NOT_PAINTED = frozenset(
    {"defs", "clipPath", "mask", "pattern", "symbol", "marker", "linearGradient", "radialGradient", "font", "style",
     "metadata", "title", "desc", "script", "animate", "animateTransform", "animateMotion", "set", "foreignObject",
     "filter"}
)  # fmt: skip


@dataclass(frozen=True)
class Painted:
    """An ink with what it takes to paint it again: outlines in the page frame, clips, and a shading's gradient."""

    ink: Ink
    outline: tuple[Subpath, ...]
    clips: tuple[Clip, ...]
    even_odd: bool = False
    gradient: Gradient | None = None
    patterned: bool = False  # its fill leaves gaps: what lies under it shows


def read_page(tree: Tree, number: int, tag: str, frame: PageFrame) -> list[Painted]:
    """Everything a page paints, in order. `tag` is the class of the marks that count."""
    return list(_PageReader(tree, number, tag, frame).read())


class _PageReader:
    def __init__(self, tree: Tree, number: int, tag: str, frame: PageFrame) -> None:
        self.tree = tree
        self.number = number
        self.tag = tag
        self.typefaces = read_typefaces(tree)
        width, height, top = frame
        self.start = State(
            # SVG's y runs down from DVI's origin; the page frame's runs up from the lower left corner
            frame=Matrix(1.0, 0.0, 0.0, -1.0, INCH_PT, height - INCH_PT + top),
            clip=Rect(0.0, 0.0, width, height),
        )
        self.marks: list[MarkRef] = []
        self.begun = 0
        self.painted = 0

    def read(self) -> Iterator[Painted]:
        states = [self.start]
        skipped = NOT_PAINTED | {"tspan"}
        for event, element in walk(self.tree.root, skipped):
            if event == "end":
                states.pop()
                continue
            if element.get("class") == self.tag and kind(element) == "g":
                self._mark(element)
                states.append(states[-1])
                continue
            state = inherit(states[-1], element, self.tree)
            states.append(state)
            if state.shown:
                yield from self._paint(element, state)

    def _mark(self, element: etree._Element) -> None:
        value = element.get("data-n")
        if value is None:
            if self.marks:
                self.marks.pop()
        else:
            self.begun += 1
            self.marks.append(
                MarkRef(int(value) if value.isdecimal() and len(value) < 10 else -1, self.begun)
            )

    def _paint(self, element: etree._Element, state: State) -> Iterator[Painted]:
        name = kind(element)
        if name in SHAPES:
            yield from self._shape(element, state)
        elif name == "text":
            yield from self._text(element, state)
        elif name == "use":
            yield from self._use(element, state)
        elif name == "image":
            corners = [number(element.get(key)) for key in ("x", "y", "width", "height")]
            x, y, w, h = corners
            yield from self._picture(_rectangle(x, y, w, h, state.frame), state, "image", None)

    def _use(self, element: etree._Element, state: State) -> Iterator[Painted]:
        """The shape that a <use> refers to, painted as the <use> says."""
        reference = element.get(HREF) or element.get("href") or ""
        target = self.tree.target(reference)
        if target is None:
            raise UnreadableSvg(f"<use> refers to {reference}, which the page does not define")
        shift = Matrix(e=number(element.get("x")), f=number(element.get("y")))
        moved = replace(state, frame=shift.then(state.frame))
        states = [moved]
        # one level is all that pgf writes; a <use> in what is used is left out, so that none can go in a circle
        for event, part in walk(target, NOT_PAINTED | {"tspan", "use"}):
            if event == "end":
                states.pop()
                continue
            states.append(inherit(states[-1], part, self.tree))
            if states[-1].shown and kind(part) in SHAPES:
                yield from self._shape(part, states[-1])

    def _shape(self, element: etree._Element, state: State) -> Iterator[Painted]:
        outline = subpaths_of(element, state.frame)
        if not outline:
            return
        fill, gradient = self._fill(element, state)
        if gradient is not None:
            yield from self._picture(outline, state, "shading", gradient)
            fill = None
            if state.stroke == "none":
                return
        stroke = self._plain(state.stroke)
        width = state.line_width * state.frame.scale
        box = path_box(outline) if fill or stroke else None
        if box is not None and stroke:
            box = box.padded(width / 2)
        if box is not None and max(box.x1 - box.x0, box.y1 - box.y0) < DUST_PT:
            box = None
        ink = Ink(
            kind="path", page=self.number, marks=tuple(self.marks), handle=self._next(),
            # TeX tells its points in the unit of a PDF picture, where pgf's SVG picture has TeX's points
            matrix=Matrix(a=PT_IN_BP, d=PT_IN_BP).then(state.frame),
            box=_left(box, state.clip), cut=_is_cut(box, state.clip), fill=fill, stroke=stroke,
            fill_alpha=state.fill_alpha * state.group_alpha, stroke_alpha=state.stroke_alpha * state.group_alpha,
            line_width=width, dashed=stroke is not None and state.dashed, subpaths=outline,
        )  # fmt: skip
        yield Painted(ink, outline, state.clips, state.even_odd, patterned=self._is_patterned(state))

    def _fill(self, element: etree._Element, state: State) -> tuple[str | None, Gradient | None]:
        if not state.fill.startswith("url("):
            return self._plain(state.fill), None
        target = self.tree.target(state.fill)
        if target is None:
            return None, None
        if kind(target) == "pattern":
            return pattern_color(target, self.tree), None
        box = path_box(subpaths_of(element, Matrix()))
        return None, read_gradient(target, self.tree, box, state.frame) if box else None

    def _is_patterned(self, state: State) -> bool:
        target = self.tree.target(state.fill) if state.fill.startswith("url(") else None
        return target is not None and kind(target) == "pattern"

    def _plain(self, paint: str) -> str | None:
        return None if paint == "none" or paint.startswith("url(") else paint

    def _picture(
        self,
        outline: tuple[Subpath, ...],
        state: State,
        what: Literal["image", "shading"],
        gradient: Gradient | None,
    ) -> Iterator[Painted]:
        box = path_box(outline)
        ink = Ink(
            kind=what, page=self.number, marks=tuple(self.marks), matrix=state.frame, handle=self._next(),
            box=_left(box, state.clip), cut=_is_cut(box, state.clip),
            fill_alpha=state.fill_alpha * state.group_alpha,
        )  # fmt: skip
        yield Painted(ink, outline, state.clips, gradient=gradient)

    def _text(self, element: etree._Element, state: State) -> Iterator[Painted]:
        pen = [number(element.get("x")), number(element.get("y"))]
        found: list[tuple[Glyph, tuple[Subpath, ...]]] = []
        self._line(element, state, pen, found)
        if not found:
            return
        box: Rect | None = None
        for glyph, _ in found:
            box = glyph.box if box is None else box.union(glyph.box)
        first = found[0][0]
        ink = Ink(
            kind="text", page=self.number, marks=tuple(self.marks), matrix=state.frame, handle=self._next(),
            box=_left(box, state.clip), fill=first.color, fill_alpha=first.alpha,
            glyphs=tuple(glyph for glyph, _ in found),
        )  # fmt: skip
        yield Painted(ink, tuple(s for _, outline in found for s in outline), state.clips)

    def _line(
        self, element: etree._Element, state: State, pen: list[float],
        found: list[tuple[Glyph, tuple[Subpath, ...]]],
    ) -> None:  # fmt: skip
        """The glyphs of a text or tspan, each where the pen has come to; the pen goes on."""
        self._run(element.text, state, pen, found)
        for child in element:
            if kind(child) == "tspan":
                for axis, name in enumerate(("x", "y")):
                    if child.get(name) is not None:
                        pen[axis] = number(child.get(name))
                inner = inherit(state, child, self.tree)
                if inner.shown:
                    self._line(child, inner, pen, found)
            self._run(child.tail, state, pen, found)

    def _run(
        self, text: str | None, state: State, pen: list[float], found: list[tuple[Glyph, tuple[Subpath, ...]]]
    ) -> None:
        typeface = self.typefaces.get(state.font.split(" ")[0])
        if not text or typeface is None:
            return
        font, scale = typeface.font, typeface.size / typeface.font.units
        for code in text:
            if code == "\n":
                continue
            shape = font.shape_by_code.get(code) or Shape(code, font.advance, "")
            self._glyph(shape, typeface, state, pen, scale, found)
            pen[0] += shape.advance * scale

    def _glyph(
        self, shape: Shape, typeface: Typeface, state: State, pen: list[float], scale: float,
        found: list[tuple[Glyph, tuple[Subpath, ...]]],
    ) -> None:  # fmt: skip
        if not shape.char or shape.char.isspace():
            return
        x, y = pen
        frame = Matrix(scale, 0.0, 0.0, -scale, x, y).then(state.frame)
        outline = placed(shape.outline, frame)
        origin = state.frame.apply(x, y)
        box = path_box(outline) or Rect(*origin, *origin)
        fill = typeface.fill or self._plain(state.fill) or "#000000"
        # what stands after a glyph begins at the pen or beyond its ink: an italic f, an integral
        reach = max(shape.advance, shape.box.x1 if shape.box else 0.0) * scale
        for char in shape.char:
            glyph = Glyph(
                char=char, box=box, origin=origin,
                advance_end=state.frame.apply(x + reach, y),
                size=typeface.size * state.frame.scale, angle=math.atan2(state.frame.b, state.frame.a) % math.tau,
                font=typeface.font.name.upper(), color=fill, alpha=state.fill_alpha * state.group_alpha,
            )  # fmt: skip
            found.append((glyph, outline))
            outline = ()

    def _next(self) -> int:
        self.painted += 1
        return self.painted


def _rectangle(x: float, y: float, w: float, h: float, frame: Matrix) -> tuple[Subpath, ...]:
    corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    segments = [Segment("m" if n == 0 else "l", (frame.apply(*p),), n == 3) for n, p in enumerate(corners)]
    return (Subpath(tuple(segments)),)


def _left(box: Rect | None, clip: Rect | None) -> Rect | None:
    return box.clipped(clip) if box is not None and clip is not None else None


def _is_cut(box: Rect | None, clip: Rect | None) -> bool:
    return box is not None and clip is not None and box.clipped(clip) != box
