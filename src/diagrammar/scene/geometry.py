"""Points, transforms and tight boxes of what PDF paths paint. Page frame: bp, y upwards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Matrix(NamedTuple):
    """A PDF transform: x' = a x + c y + e, y' = b x + d y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def apply(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def then(self, outer: Matrix) -> Matrix:
        """The transform that applies self first, then outer."""
        e, f = outer.apply(self.e, self.f)
        return Matrix(
            outer.a * self.a + outer.c * self.b,
            outer.b * self.a + outer.d * self.b,
            outer.a * self.c + outer.c * self.d,
            outer.b * self.c + outer.d * self.d,
            e,
            f,
        )

    @property
    def scale(self) -> float:
        """Mean linear scale, what a line width is multiplied by."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


class Rect(NamedTuple):
    """A box in the page frame: x0 <= x1, y0 <= y1, y upwards."""

    x0: float
    y0: float
    x1: float
    y1: float

    def union(self, other: Rect) -> Rect:
        return Rect(
            min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1)
        )

    def padded(self, margin: float) -> Rect:
        return Rect(self.x0 - margin, self.y0 - margin, self.x1 + margin, self.y1 + margin)

    def clipped(self, clip: Rect) -> Rect | None:
        """The part inside the clip, None where nothing of the box is inside."""
        x0, y0 = max(self.x0, clip.x0), max(self.y0, clip.y0)
        x1, y1 = min(self.x1, clip.x1), min(self.y1, clip.y1)
        return Rect(x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else None


class Segment(NamedTuple):
    """One PDF path operator: 'm', 'l' with one point, 'c' with three; `closes` where a subpath is closed after it."""

    op: str
    points: tuple[tuple[float, float], ...]
    closes: bool = False


class Subpath(NamedTuple):
    """A run of segments from one move to the next."""

    segments: tuple[Segment, ...]

    @property
    def vertices(self) -> tuple[tuple[float, float], ...]:
        return tuple(segment.points[-1] for segment in self.segments)

    @property
    def closed(self) -> bool:
        """Closed by an operator, or because it comes back to where it began."""
        if self.segments[-1].closes:
            return True
        (x0, y0), (x1, y1) = self.vertices[0], self.vertices[-1]
        return len(self.segments) > 2 and math.hypot(x1 - x0, y1 - y0) < 0.01

    @property
    def is_rectangle(self) -> bool:
        """An axis-parallel rectangle."""
        corners = self.vertices
        if any(segment.op == "c" for segment in self.segments) or not self.closed:
            return False
        if len(corners) == 5 and math.dist(corners[0], corners[-1]) < 0.01:
            corners = corners[:-1]
        if len(corners) != 4:
            return False
        sides = zip(corners, (*corners[1:], corners[0]), strict=True)
        return all(min(abs(p[0] - q[0]), abs(p[1] - q[1])) < 0.01 for p, q in sides)


def bounds(points: Iterable[tuple[float, float]]) -> Rect:
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs), max(ys))


def _cubic_extremes(p0: float, p1: float, p2: float, p3: float) -> tuple[float, float]:
    """Smallest and largest value of one coordinate of a cubic Bezier curve."""
    low, high = min(p0, p3), max(p0, p3)
    if low <= min(p1, p2) and high >= max(p1, p2):
        return low, high
    a, b, c = -p0 + 3 * p1 - 3 * p2 + p3, 2 * (p0 - 2 * p1 + p2), p1 - p0
    if abs(a) < 1e-12:
        roots = [-c / b] if abs(b) > 1e-12 else []
    else:
        square = b * b - 4 * a * c
        roots = [(-b + s * math.sqrt(square)) / (2 * a) for s in (1, -1)] if square >= 0 else []
    for t in roots:
        if 0 < t < 1:
            value = (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t * t * p2 + t**3 * p3
            low, high = min(low, value), max(high, value)
    return low, high


def path_box(subpaths: Sequence[Subpath]) -> Rect | None:
    """The tight box of the curves themselves, without any line width; None for an empty path."""
    box: Rect | None = None
    for subpath in subpaths:
        here = subpath.segments[0].points[-1]
        for segment in subpath.segments:
            if segment.op == "c":
                (x1, y1), (x2, y2), (x3, y3) = segment.points
                xl, xh = _cubic_extremes(here[0], x1, x2, x3)
                yl, yh = _cubic_extremes(here[1], y1, y2, y3)
                part = Rect(xl, yl, xh, yh)
            else:
                part = bounds([here, segment.points[-1]])
            box = part if box is None else box.union(part)
            here = segment.points[-1]
    return box
