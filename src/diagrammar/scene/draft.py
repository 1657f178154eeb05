"""The draft of a scene object, and what a path's own ink says of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diagrammar.records.scenes import Kind, ObjectData, PathData, TextRun
from diagrammar.scene.geometry import Rect
from diagrammar.scene.group import Drawn
from diagrammar.scene.ink import Ink
from diagrammar.scene.text import read_text


@dataclass
class Draft:
    """A scene object before its box is moved to the ink's origin; boxes and points are in the page frame."""

    kind: Kind
    subtype: str | None = None
    name: str = ""
    text: str = ""
    runs: tuple[TextRun, ...] = ()
    fill: str | None = None
    stroke: str | None = None
    opacity: float = 1.0
    box: Rect | None = None
    parent: int | None = None  # position in the list of drafts
    data: ObjectData | None = None


ShadingColor = Callable[[Sequence[Ink]], str]


def fill_of(inks: Sequence[Ink], shading_color: ShadingColor) -> str | None:
    """The first filling among the inks; a shading's is its mean colour."""
    for ink in inks:
        if ink.kind == "shading":
            return shading_color([ink])
        if ink.kind == "path" and ink.fill:
            return ink.fill
    return None


def stroke_of(inks: Sequence[Ink]) -> str | None:
    return next((ink.stroke for ink in inks if ink.stroke), None)


def opacity_of(inks: Sequence[Ink]) -> float:
    return round(max((ink.alpha for ink in inks), default=1.0), 3)


def path_draft(item: Drawn, shading_color: ShadingColor) -> Draft:
    """One path. Main ink first, tips after: what comes after the first stroked ink decides nothing."""
    before = [ink for ink in item.before if ink.kind != "text"]
    inks = [ink for ink in item.inks if ink.kind != "text"] or before
    stroked = next((n for n, ink in enumerate(inks) if ink.stroke), len(inks) - 1)
    main, tips = inks[: stroked + 1], inks[stroked + 1 :]
    line = main[-1] if main and main[-1].stroke else None
    fill = fill_of(main, shading_color) or (fill_of(before, shading_color) if item.inks else None)
    subpaths = main[0].subpaths if main else ()
    closed = fill is not None or (bool(subpaths) and all(subpath.closed for subpath in subpaths))
    mode, tip_ends = (item.line.part(0), item.line.part(1)) if item.line and item.kind == "P" else ("", "")
    text, runs = read_text(item.glyphs)
    return Draft(
        kind="path",
        subtype="closed" if closed else "open",
        text=text,
        runs=runs,
        fill=fill,
        stroke=stroke_of(main) or stroke_of(before),
        opacity=opacity_of(item.all_inks),
        box=item.box,
        data=PathData(
            closed=closed,
            dashed=any(ink.dashed for ink in main),
            line_width_pt=round(line.line_width, 3) if line else None,
            arrows=_arrows(tip_ends, line, tips) if line and not closed else "",
            shaded=any(ink.kind == "shading" for ink in main),
            pattern="t" in mode,
        ),
    )


def _arrows(tips: str, line: Ink, after: Sequence[Ink]) -> str:
    """At which ends a tip is drawn: TeX names the ends that carry one, but a tip may paint nothing (a cap)."""
    painted = [ink.box for ink in after if ink.kind == "path" and ink.box and ink.subpaths != line.subpaths]
    if not painted or not line.subpaths:
        return ""
    if tips == "<>":
        start, end = line.subpaths[0].vertices[0], line.subpaths[-1].vertices[-1]
        centers = [((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2) for box in painted]
        at_start = [math.dist(center, start) <= math.dist(center, end) for center in centers]
        tips = ("<" if any(at_start) else "") + (">" if not all(at_start) else "")
    return {"<": "<-", ">": "->", "<>": "<->"}.get(tips, "")
