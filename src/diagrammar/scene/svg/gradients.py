"""Gradients and patterns: which colour a shading has where, and which one a pattern is drawn in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from lxml import etree

from diagrammar.scene.geometry import Matrix, Rect
from diagrammar.scene.svg.numbers import number, share
from diagrammar.scene.svg.style import read_color, read_paint
from diagrammar.scene.svg.transforms import read_transform
from diagrammar.scene.svg.tree import HREF, SVG, Tree, kind, walk

Colors = npt.NDArray[np.float64]  # (n, 3), 0 to 255
MAX_REFERENCES = 8


@dataclass(frozen=True)
class Gradient:
    """A linear or radial gradient; `inverse` maps the page frame into the gradient's own square."""

    radial: bool
    ends: tuple[float, ...]  # x1, y1, x2, y2, or cx, cy, r, fx, fy
    offsets: tuple[float, ...]
    colors: tuple[tuple[int, int, int], ...]
    inverse: Matrix

    def at(self, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Colors:
        """The colours at points of the page frame."""
        m = self.inverse
        u, v = m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f
        t = self._radial(u, v) if self.radial else self._linear(u, v)
        table = np.array(self.colors, dtype=float)
        return np.stack([np.interp(t, self.offsets, table[:, channel]) for channel in range(3)], axis=-1)

    def _linear(self, u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        x1, y1, x2, y2 = self.ends
        dx, dy = x2 - x1, y2 - y1
        along: npt.NDArray[np.float64] = ((u - x1) * dx + (v - y1) * dy) / max(dx * dx + dy * dy, 1e-12)
        return np.clip(along, 0.0, 1.0)

    def _radial(self, u: npt.NDArray[np.float64], v: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """How far from the focus towards the circle, 0 to 1. The focus is kept inside the circle."""
        cx, cy, r, fx, fy = self.ends
        away = float(np.hypot(fx - cx, fy - cy))
        if away > 0.99 * r:
            fx, fy = cx + (fx - cx) * 0.99 * r / away, cy + (fy - cy) * 0.99 * r / away
        dx, dy = u - fx, v - fy
        ex, ey = fx - cx, fy - cy
        a = dx * dx + dy * dy
        b = ex * dx + ey * dy
        c = ex * ex + ey * ey - r * r
        # |focus + k (point - focus) - centre| = r has one positive k; the point lies at 1 / k of the way
        return np.clip(a / np.maximum(-b + np.sqrt(np.maximum(b * b - a * c, 0.0)), 1e-12), 0.0, 1.0)


def read_gradient(element: etree._Element, tree: Tree, box: Rect, frame: Matrix) -> Gradient | None:
    """The gradient for a shape whose box, in its own units, is `box`; None where the element is none."""
    name = kind(element)
    if name not in ("linearGradient", "radialGradient"):
        return None
    stops = [stop for part in _chain(element, tree) for stop in part.iterfind(f"{SVG}stop")]
    if not stops:
        return None
    offsets = np.maximum.accumulate([share(stop.get("offset"), 0.0) for stop in stops])
    colors = [read_color(stop.get("stop-color") or "#000") for stop in stops]
    if element.get("gradientUnits") == "userSpaceOnUse":
        square = Matrix()
    else:
        square = Matrix(box.x1 - box.x0, 0.0, 0.0, box.y1 - box.y0, box.x0, box.y0)
    inverse = inverted(read_transform(element.get("gradientTransform") or "").then(square).then(frame))
    if inverse is None:
        return None
    get = element.get
    if name == "linearGradient":
        ends: tuple[float, ...] = (
            share_or(get("x1"), 0),
            share_or(get("y1"), 0),
            share_or(get("x2"), 1),
            share_or(get("y2"), 0),
        )
    else:
        cx, cy, r = share_or(get("cx"), 0.5), share_or(get("cy"), 0.5), share_or(get("r"), 0.5)
        ends = (cx, cy, r, share_or(get("fx"), cx), share_or(get("fy"), cy))
    return Gradient(
        name == "radialGradient", ends, tuple(offsets.tolist()), tuple(rgb(c) for c in colors), inverse
    )


def share_or(text: str | None, default: float) -> float:
    """A coordinate of a gradient: a number, or a share of its square in percent."""
    if text is None:
        return default
    return number(text, default) / (100 if text.strip().endswith("%") else 1)


def rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def inverted(m: Matrix) -> Matrix | None:
    """The transform that undoes `m`; None where there is none."""
    det = m.a * m.d - m.b * m.c
    if abs(det) < 1e-12:
        return None
    a, b, c, d = m.d / det, -m.b / det, -m.c / det, m.a / det
    return Matrix(a, b, c, d, -(a * m.e + c * m.f), -(b * m.e + d * m.f))


def pattern_color(pattern: etree._Element, tree: Tree) -> str | None:
    """The colour that a pattern draws in: pgf names it on a group in the pattern; None where it paints nothing."""
    for part in _chain(pattern, tree):
        for event, element in walk(part, frozenset()):
            if event != "start":
                continue
            for name in ("fill", "stroke"):
                paint = element.get(name)
                if (
                    paint is not None
                    and (color := read_paint(paint)) != "none"
                    and not color.startswith("url(")
                ):
                    return color
    return None


def _chain(element: etree._Element, tree: Tree) -> list[etree._Element]:
    """The element and what it takes its content from."""
    chain = [element]
    while len(chain) < MAX_REFERENCES and (reference := chain[-1].get(HREF)):
        target = tree.target(reference)
        if target is None or any(target is known for known in chain):
            break
        chain.append(target)
    return chain
