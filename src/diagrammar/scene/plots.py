"""What the ink of a plot says: its subtype, and where each of its data points stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from diagrammar.scene.geometry import Rect, path_box
from diagrammar.scene.group import Drawn
from diagrammar.scene.ink import Ink
from diagrammar.scene.sidefile import Group, Point

LIMIT_SLACK = 1e-4  # of the axis range: pgf's numbers carry four to five digits
SURFACE_PATCHES = 4


@dataclass(frozen=True)
class PlacedPoint:
    point: Point
    marker: Drawn | None
    box: Rect | None


def series_subtype(inks: Sequence[Ink], *, markers: int, three_dimensional: bool) -> str:
    """line, scatter, bar, area or surface, by what is painted beside the markers."""
    if not inks:
        return "scatter"
    if any(ink.kind in ("shading", "image") for ink in inks):
        return "surface"
    paths = [ink for ink in inks if ink.kind == "path"]
    filled = [ink for ink in paths if ink.fill]
    if filled and (three_dimensional or len({ink.fill for ink in filled}) >= SURFACE_PATCHES):
        return "surface"
    subpaths = [subpath for ink in paths for subpath in ink.subpaths]
    if three_dimensional and sum(subpath.closed for subpath in subpaths) >= SURFACE_PATCHES:
        return "surface"
    if subpaths and all(subpath.is_rectangle for subpath in subpaths):
        return "bar"
    if filled:
        return "area"
    # error bars and stems: a stroke or more for every marker, none that leads from one to the next
    strokes = [subpath for subpath in subpaths if len(subpath.segments) == 2]
    return "scatter" if markers and len(strokes) == len(subpaths) >= markers else "line"


def place_points(series: Drawn, markers: Sequence[Drawn]) -> list[PlacedPoint]:
    """The data points that show, in the order of their coordinates.

    A point shows inside the axis limits; where the plot has no ink but its markers, only with its marker. Points
    without marker or bar need the plot's ink to have as many vertices: TeX's word alone makes no point.
    """
    group = series.group
    if group is None:
        return []
    marker_by_index = {_index(marker): marker for marker in markers}
    inside = [group.points[i] for i in sorted(group.points) if _inside(group.points[i], group)]
    bars = _bar_boxes(series.inks)
    boxes: list[Rect | None] = [*bars] if len(bars) == len(inside) else [None] * len(inside)
    placed = []
    for point, bar in zip(inside, boxes, strict=True):
        marker = marker_by_index.get(point.index)
        if marker is None and not series.inks:
            continue
        placed.append(PlacedPoint(point, marker, marker.box if marker else bar))
    bare = sum(p.box is None for p in placed)
    return (
        placed
        if bare <= _vertices(series.inks, in_space=len(group.limits) > 2)
        else [p for p in placed if p.box is not None]
    )


def _vertices(inks: Sequence[Ink], *, in_space: bool) -> float:
    """How many points the ink can pass through; a shading has no vertices to count."""
    if any(ink.kind in ("shading", "image") or (in_space and _is_shaded_surface(ink)) for ink in inks):
        return math.inf
    return sum(len(subpath.segments) for ink in inks for subpath in ink.subpaths)


def _is_shaded_surface(ink: Ink) -> bool:
    """Pgfplots' interpolated surfaces come as a rectangle that PDFium says is white."""
    return ink.kind == "path" and ink.fill == "#ffffff" and not ink.stroke and bool(ink.subpaths)


def _index(marker: Drawn) -> int:
    part = marker.line.part(0) if marker.line else ""
    return int(part) if part.isascii() and part.isdigit() else -1


def _inside(point: Point, group: Group) -> bool:
    if not group.clipped:
        return True
    for position, (low, high) in zip(point.positions, group.limits, strict=False):
        slack = LIMIT_SLACK * (high - low)
        if position is not None and not low - slack <= position <= high + slack:
            return False
    return True


def _bar_boxes(inks: Sequence[Ink]) -> list[Rect]:
    """The boxes of the bars, borders included, where all the plot's own ink is bars."""
    boxes = []
    for ink in inks:
        if ink.kind != "path" or ink.box is None or not all(subpath.is_rectangle for subpath in ink.subpaths):
            return []
        for subpath in ink.subpaths:
            box = path_box([subpath])
            clipped = box.padded(ink.line_width / 2 if ink.stroke else 0.0).clipped(ink.box) if box else None
            if clipped:
                boxes.append(clipped)
    return boxes
