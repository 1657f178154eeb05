"""corpus, step 3: is what a Scene draws a diagram at all? Rules on its objects, tuned by looking at pictures.

A diagram is a chart, a molecule, a circuit, a solid, or a web: lines that meet marks. A *mark* is a node with text or
a dot, a *line* any other path; a help grid, a frame around all and a backdrop are neither. Two pieces *meet* where
their boxes, padded by REACH_BP, overlap. The first rule that applies decides:

| kept | where |
|---|---|
| chart | an axis with a series of at least 2 points, or with 3 tick labels and something drawn in it |
| scale | at least 4 labels that are numbers, and at least 5 lines |
| molecule | at least 3 bonds, or bonds and atoms that are at least 4 together and 2 of them bonds |
| circuit | at least 2 components in one web |
| solid | an open surface: at least 3 shaded paths that meet |
| web | one web with 2 lines and 3 marks; or 5 lines and 1 mark; or 8 lines |

All else is trivial, and is told apart by what it is: a lone arrow, a frame, a grid, a symbol, text in a node, ...
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from diagrammar.records.scenes import AxisData, Box, PathData, Scene, SceneObject

LINE_REACH_BP = 2.0  # between lines
LABEL_REACH_BP = 8.0  # between a line and a mark
ARROW_REACH_BP = 14.0  # between an arrow and a mark
VERTEX_BP = 30.0  # a node without text up to this size is a point or a vertex, else a line
STRIP = 5.0
MOST_PIECES = 600  # a scene of more pieces is no snippet, and is not searched further
_NUMBER = re.compile(r"[-+−]?[\d.,]+(?:\s*[·×]\s*10[-+−]?\d*|\s*[%°π])?")


@dataclass(frozen=True)
class Web:
    """One group of pieces that meet each other."""

    lines: int
    marks: int
    points: int  # the marks without text
    components: int
    bonds: int
    atoms: int
    shaded: int


def trivial_why(scene: Scene) -> str:
    """What the scene is instead of a diagram, in a few words; "" where it is a diagram."""
    if _is_chart(scene) or _is_scale(scene):
        return ""
    pieces = [thing for thing in scene.counted if thing.box_pt and not is_backdrop(thing, scene)]
    if len(pieces) > MOST_PIECES:
        return ""
    if not _is_colour_bar(scene) and any(_holds(web) for web in webs(pieces)):
        return ""
    return _named(scene, pieces)


def is_mark(thing: SceneObject) -> bool:
    """A node or text that names something, a point, or a vertex without a name."""
    if thing.kind in ("text", "atom"):
        return True
    if thing.kind != "node" or thing.box_pt is None:
        return False
    return bool(thing.text) or max(thing.box_pt.width, thing.box_pt.height) <= VERTEX_BP


def is_circle(thing: SceneObject) -> bool:
    """A circle that is written as a node: as good as a line."""
    return thing.kind == "node" and thing.subtype == "circle" and not is_mark(thing)


def is_backdrop(thing: SceneObject, scene: Scene) -> bool:
    """A grey thin help grid, or a rectangle, filled or not, as large as the whole drawing."""
    if thing.kind != "path" or thing.box_pt is None or not isinstance(thing.data, PathData):
        return False
    width, height = scene.size_pt
    wide = thing.box_pt.width >= 0.6 * width and thing.box_pt.height >= 0.6 * height
    grid = _is_grey(thing.stroke) and (thing.data.line_width_pt or 9) <= 0.25 and not thing.data.closed
    frame = thing.data.closed and thing.box_pt.area >= 0.97 * width * height and thing.fill is not None
    return (wide and grid) or frame


def webs(pieces: Sequence[SceneObject]) -> list[Web]:
    """The groups of pieces that meet, each counted."""
    boxes = [thing.box_pt for thing in pieces if thing.box_pt]
    home = list(range(len(pieces)))

    def root(place: int) -> int:
        while home[place] != place:
            home[place] = home[home[place]]
            place = home[place]
        return place

    by_left = sorted(range(len(pieces)), key=lambda place: boxes[place].left)
    for at, one in enumerate(by_left):
        for other in by_left[at + 1 :]:
            if boxes[other].left > boxes[one].right + ARROW_REACH_BP:
                break
            if _near(boxes[one], boxes[other], _reach(pieces[one], pieces[other])):
                home[root(one)] = root(other)
    groups: dict[int, list[SceneObject]] = {}
    for place, thing in enumerate(pieces):
        groups.setdefault(root(place), []).append(thing)
    return [_counted(group) for group in groups.values()]


def _reach(one: SceneObject, other: SceneObject) -> float:
    """How far two pieces may be apart and still meet; labels never meet each other: a line has to be between."""
    marks = is_mark(one) + is_mark(other)
    if marks == 2:
        return -1.0
    if one.kind == other.kind == "component":
        return 0.0
    if marks and any(isinstance(thing.data, PathData) and thing.data.arrows for thing in (one, other)):
        return ARROW_REACH_BP
    return LABEL_REACH_BP if marks else LINE_REACH_BP


def _near(one: Box, other: Box, reach: float) -> bool:
    return (
        reach >= 0
        and one.left <= other.right + reach
        and other.left <= one.right + reach
        and one.top <= other.bottom + reach
        and other.top <= one.bottom + reach
    )


def _counted(group: Sequence[SceneObject]) -> Web:
    # The same word again and again, as in a row of samples, names one thing.
    words = {thing.text for thing in group if is_mark(thing) and thing.text}
    points = sum(is_mark(thing) and not thing.text for thing in group)
    lines = [thing for thing in group if thing.kind == "path" or is_circle(thing)]
    kinds = Counter(thing.kind for thing in group)
    return Web(
        lines=len(lines),
        marks=len(words) + points,
        points=points,
        components=kinds["component"],
        bonds=kinds["bond"],
        atoms=kinds["atom"],
        shaded=sum(isinstance(thing.data, PathData) and thing.data.shaded for thing in lines),
    )


def _holds(web: Web) -> bool:
    """Whether a web alone is worth to be called a diagram."""
    if web.components:
        labelled = web.marks >= 4 and web.lines >= 1
        return web.components >= 3 or labelled or (web.components == 2 and web.marks >= 2)
    if web.bonds:
        return web.bonds >= 3 or (web.bonds == 2 and web.atoms >= 2)
    if web.shaded >= 3:
        return True
    lines, marks, points = web.lines, web.marks, web.points
    return (
        (lines >= 2 and marks >= 3)
        or (lines == 1 and points >= 2 and marks >= 4)
        or (lines == 1 and points >= 3)
        or (lines >= 5 and marks >= 1)
        or lines >= 8
    )


def _is_chart(scene: Scene) -> bool:
    kinds = Counter(thing.kind for thing in scene.counted)
    labels = sum(bool(thing.text) for thing in scene.counted if thing.kind == "node")
    return kinds["series"] > 0 and (kinds["data_point"] >= 2 or labels >= 3) and not _is_colour_bar(scene)


def _is_colour_bar(scene: Scene) -> bool:
    """Every axis is a strip at least STRIP times as long as wide."""
    strips = [
        max(a.box_pt.width, a.box_pt.height) >= STRIP * min(a.box_pt.width, a.box_pt.height)
        for a in scene.objects
        if a.kind == "axis" and a.box_pt
    ]
    return bool(strips) and all(strips)


def _is_scale(scene: Scene) -> bool:
    numbers = {thing.text for thing in scene.counted if thing.text and _NUMBER.fullmatch(thing.text)}
    lines = sum(thing.kind == "path" for thing in scene.counted)
    return len(numbers) >= 4 and lines >= 5 and not _is_colour_bar(scene)


def _is_grey(colour: str | None) -> bool:
    if colour is None:
        return False
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red == green == blue and red >= 0x60


def _named(scene: Scene, pieces: Sequence[SceneObject]) -> str:
    """What a scene without structure is."""
    if any(isinstance(thing.data, AxisData) for thing in scene.objects):
        return "an axis or a colour bar without a plot"
    kinds = {thing.kind for thing in pieces}
    if not pieces:
        return "a grid or a frame with nothing in it"
    if kinds <= {"atom", "bond"}:
        return "a lone atom or bond"
    if "component" in kinds:
        return "components that are not connected"
    if kinds == {"node"} or kinds == {"node", "text"}:
        return "a lone node" if len(pieces) == 1 else "nodes that nothing joins"
    paths = [thing for thing in pieces if thing.kind == "path"]
    if len(pieces) == 1 and paths and isinstance(paths[0].data, PathData):
        data = paths[0].data
        return "a lone arrow" if data.arrows else "a lone shape" if data.closed else "a lone line"
    return "a few strokes" if len(paths) == len(pieces) else "a sample of few strokes and words"
