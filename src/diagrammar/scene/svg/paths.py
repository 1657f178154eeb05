"""SVG path data and basic shapes -> subpaths of lines and cubics. All twenty commands; arcs become cubics first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree

from diagrammar.scene.geometry import Matrix, Segment, Subpath
from diagrammar.scene.svg.numbers import NUMBER, number, numbers
from diagrammar.scene.svg.tree import kind

Point = tuple[float, float]
COMMAND = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*)")
ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
# A flag of an arc is one digit, whatever stands after it: "0 0110" is 0, 0, 1, 10.
ARC = re.compile(
    rf"\s*,?\s*({NUMBER.pattern})\s*,?\s*({NUMBER.pattern})\s*,?\s*({NUMBER.pattern})\s*,?\s*([01])\s*,?\s*([01])"
    rf"\s*,?\s*({NUMBER.pattern})\s*,?\s*({NUMBER.pattern})"
)
SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
KAPPA = 4 / 3 * (math.sqrt(2) - 1)


def subpaths_of(element: etree._Element, frame: Matrix) -> tuple[Subpath, ...]:
    """The outline of a basic shape or a path in the page frame; a move with nothing after it is left out."""
    return placed(_outline(element), frame)


def placed(outline: tuple[Subpath, ...], frame: Matrix) -> tuple[Subpath, ...]:
    """The outline under a transform."""
    return tuple(
        Subpath(tuple(Segment(s.op, tuple(frame.apply(*p) for p in s.points), s.closes) for s in subpath.segments))
        for subpath in outline
    )  # fmt: skip


def _outline(element: etree._Element) -> tuple[Subpath, ...]:
    get = element.get
    match kind(element):
        case "path":
            return path_data(get("d") or "")
        case "rect":
            x, y, w, h = (number(get(name)) for name in ("x", "y", "width", "height"))
            return _polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], closed=True)
        case "circle":
            r = number(get("r"))
            return _ellipse(number(get("cx")), number(get("cy")), r, r)
        case "ellipse":
            return _ellipse(number(get("cx")), number(get("cy")), number(get("rx")), number(get("ry")))
        case "line":
            ends = [(number(get("x1")), number(get("y1"))), (number(get("x2")), number(get("y2")))]
            return _polygon(ends, closed=False)
        case "polyline" | "polygon" as name:
            values = numbers(get("points") or "")
            corners = list(zip(values[::2], values[1::2], strict=False))
            return _polygon(corners, closed=name == "polygon")
    return ()


def _polygon(corners: list[Point], *, closed: bool) -> tuple[Subpath, ...]:
    if len(corners) < 2:
        return ()
    segments = [Segment("l", (corner,)) for corner in corners[1:]]
    segments[-1] = Segment("l", (corners[-1],), closed)
    return (Subpath((Segment("m", (corners[0],)), *segments)),)


def _ellipse(cx: float, cy: float, rx: float, ry: float) -> tuple[Subpath, ...]:
    if rx <= 0 or ry <= 0:
        return ()
    segments = [Segment("m", ((cx + rx, cy),))]
    for quarter in range(4):
        a, b = math.pi / 2 * quarter, math.pi / 2 * (quarter + 1)
        p, q = (math.cos(a), math.sin(a)), (math.cos(b), math.sin(b))
        points = ((p[0] - KAPPA * p[1], p[1] + KAPPA * p[0]), (q[0] + KAPPA * q[1], q[1] - KAPPA * q[0]), q)
        segments.append(Segment("c", tuple((cx + rx * x, cy + ry * y) for x, y in points), quarter == 3))
    return (Subpath(tuple(segments)),)


@lru_cache(maxsize=4096)
def path_data(text: str) -> tuple[Subpath, ...]:
    """The subpaths that a `d` attribute draws. What follows an error is left out, as SVG says."""
    return tuple(_Drawing().run(text))


class _Drawing:
    def __init__(self) -> None:
        self.here: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.control: Point | None = None  # the last one, which S and T mirror
        self.control_of = ""
        self.segments: list[Segment] = []

    def run(self, text: str) -> Iterator[Subpath]:
        for command, arguments in COMMAND.findall(text):
            op, relative = command.upper(), command.islower()
            if op == "Z":
                yield from self._close()
                continue
            groups = _groups(op, arguments)
            for position, values in enumerate(groups):
                name = "L" if op == "M" and position else op
                if name == "M":
                    yield from self._take()
                self._draw(name, values, relative)
            if not groups:
                break
        yield from self._take()

    def _take(self) -> Iterator[Subpath]:
        if len(self.segments) > 1:
            yield Subpath(tuple(self.segments))
        self.segments = []

    def _close(self) -> Iterator[Subpath]:
        if self.segments:
            last = self.segments[-1]
            self.segments[-1] = Segment(last.op, last.points, True)
        yield from self._take()
        self.here, self.control = self.start, None

    def _draw(self, op: str, values: list[float], relative: bool) -> None:
        x0, y0 = self.here if relative else (0.0, 0.0)
        if op == "A":
            rx, ry, turn, large, sweep, x, y = values
            curves = arc(self.here, (rx, ry), turn, large != 0, sweep != 0, (x0 + x, y0 + y))
            for curve in curves:
                self._add("c", curve)
            if not curves:
                self._add("l", ((x0 + x, y0 + y),))
            self.control = None
            return
        if op == "H":
            points: tuple[Point, ...] = ((x0 + values[0], self.here[1]),)
        elif op == "V":
            points = ((self.here[0], y0 + values[0]),)
        else:
            points = tuple((x0 + x, y0 + y) for x, y in zip(values[::2], values[1::2], strict=True))
        if op == "M":
            self.segments = [Segment("m", points)]
            self.here = self.start = points[0]
            self.control = None
        elif op in "LHV":
            self._add("l", points)
            self.control = None
        elif op in "CS":
            if op == "S":
                points = (self._mirrored("C"), *points)
            self.control, self.control_of = points[1], "C"
            self._add("c", points)
        else:
            middle = points[0] if op == "Q" else self._mirrored("Q")
            end = points[-1]
            self.control, self.control_of = middle, "Q"
            self._add("c", (_third(self.here, middle), _third(end, middle), end))

    def _mirrored(self, kind: str) -> Point:
        if self.control is None or self.control_of != kind:
            return self.here
        return 2 * self.here[0] - self.control[0], 2 * self.here[1] - self.control[1]

    def _add(self, op: str, points: tuple[Point, ...]) -> None:
        if not self.segments:  # after Z a path goes on from where its subpath began
            self.segments = [Segment("m", (self.here,))]
        self.segments.append(Segment(op, points))
        self.here = points[-1]


def _groups(op: str, arguments: str) -> list[list[float]]:
    if op == "A":
        return [[float(part) for part in found] for found in ARC.findall(arguments)]
    values, size = numbers(arguments), ARITY[op]
    return [values[i : i + size] for i in range(0, len(values) - size + 1, size)]


def _third(end: Point, control: Point) -> Point:
    return end[0] + 2 / 3 * (control[0] - end[0]), end[1] + 2 / 3 * (control[1] - end[1])


def arc(
    start: Point, radii: Point, turn: float, large: bool, sweep: bool, end: Point
) -> list[tuple[Point, ...]]:
    """An elliptical arc as cubics of at most an eighth of a turn each; none where it is a straight line.

    Source: SVG 1.1, appendix F.6 (from endpoints to centre). Cubics can then be put through any transform.
    """
    rx, ry = abs(radii[0]), abs(radii[1])
    if start == end or rx == 0 or ry == 0:
        return []
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x1, y1 = cos * dx + sin * dy, -sin * dx + cos * dy
    too_small = (x1 / rx) ** 2 + (y1 / ry) ** 2
    if too_small > 1:
        rx, ry = rx * math.sqrt(too_small), ry * math.sqrt(too_small)
    below = (rx * y1) ** 2 + (ry * x1) ** 2
    root = math.sqrt(max(0.0, (rx * ry) ** 2 - below) / below) * (-1 if large == sweep else 1)
    cx1, cy1 = root * rx * y1 / ry, -root * ry * x1 / rx
    cx = cos * cx1 - sin * cy1 + (start[0] + end[0]) / 2
    cy = sin * cx1 + cos * cy1 + (start[1] + end[1]) / 2
    first = math.atan2((y1 - cy1) / ry, (x1 - cx1) / rx)
    angle = math.atan2((-y1 - cy1) / ry, (-x1 - cx1) / rx) - first
    if sweep and angle < 0:
        angle += math.tau
    elif not sweep and angle > 0:
        angle -= math.tau
    pieces = max(1, math.ceil(abs(angle) / (math.pi / 4) - 1e-9))
    step = angle / pieces
    handle = 4 / 3 * math.tan(step / 4)
    frame = Matrix(rx * cos, rx * sin, -ry * sin, ry * cos, cx, cy)
    curves = []
    for piece in range(pieces):
        a, b = first + piece * step, first + (piece + 1) * step
        p, q = (math.cos(a), math.sin(a)), (math.cos(b), math.sin(b))
        unit = ((p[0] - handle * p[1], p[1] + handle * p[0]), (q[0] + handle * q[1], q[1] - handle * q[0]), q)
        curves.append(tuple(frame.apply(*point) for point in unit))
    curves[-1] = (*curves[-1][:2], end)
    return curves
