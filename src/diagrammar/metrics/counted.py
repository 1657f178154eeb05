"""metrics: Scene -> what is counted of it. The rules are docs/scene.md, Counting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from diagrammar.records.scenes import Box, Scene, SceneObject

V = TypeVar("V")

# In every object metric's signature: up by one when the counting rules change.
COUNTING = 1
# TikZ's thinnest named line width (ultra thin). A box with a thinner side, such as that of a hairline or of
# a sliver left by a clip, is widened to it: a box without area has no intersection over union, even with
# itself.
MIN_SIDE_PT = 0.1
TEXT_TYPE = "text"


class Item(NamedTuple, Generic[V]):
    """One counted value and the object that it is counted for."""

    value: V
    owner: str


@dataclass(frozen=True)
class Counted:
    """The four multisets of a scene, each in drawing order."""

    types: tuple[Item[str], ...]
    texts: tuple[Item[str], ...]
    colors: Mapping[str, tuple[Item[str], ...]]  # by group: the type key of the object; `text` for text runs
    boxes: tuple[Item[Box], ...]


def count(scene: Scene) -> Counted:
    """What the metrics count of a scene: types, texts, colours by group, boxes."""
    objects = scene.counted
    colors: dict[str, list[Item[str]]] = {}
    for thing in objects:
        for group, color in _colors(thing):
            colors.setdefault(group, []).append(Item(color, thing.id))
    return Counted(
        types=tuple(Item(key, thing.id) for thing in objects for key in _type_keys(thing)),
        texts=tuple(Item(thing.text, thing.id) for thing in objects if thing.text),
        colors={group: tuple(items) for group, items in colors.items()},
        boxes=tuple(Item(solid(thing.box_pt), thing.id) for thing in objects if thing.box_pt is not None),
    )


def _type_keys(thing: SceneObject) -> tuple[str, ...]:
    # Text is a type of its own, beside that of the object that carries it. A data point's "(x, y)" is no ink.
    if thing.text and thing.kind not in ("data_point", "text"):
        return (thing.type_key, TEXT_TYPE)
    return (thing.type_key,)


def _colors(thing: SceneObject) -> list[tuple[str, str]]:
    paints = [(thing.type_key, color) for color in (thing.stroke, thing.fill) if color is not None]
    return paints + [(TEXT_TYPE, run.color) for run in thing.runs]


def solid(box: Box) -> Box:
    """The box with its corners in order and no side shorter than MIN_SIDE_PT, its centre kept."""
    left, right = _side(box.left, box.right)
    top, bottom = _side(box.top, box.bottom)
    return Box(left, top, right, bottom)


def _side(first: float, second: float) -> tuple[float, float]:
    low, high = min(first, second), max(first, second)
    if high - low >= MIN_SIDE_PT:
        return low, high
    centre = (low + high) / 2
    return centre - MIN_SIDE_PT / 2, centre + MIN_SIDE_PT / 2
