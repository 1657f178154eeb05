"""Controlled damages of a drawing. Each says which dimensions it touches, and so which F1s have to fall.

What stands outside the drawing lies to its right, so that all else stays where it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from diagrammar.records.scenes import Box, Scene, SceneObject, TextRun

Damage = Callable[[Scene, Random], "Damaged | None"]
GAP_PT = 20.0
SPURIOUS = "spurious"


@dataclass(frozen=True)
class Damaged:
    """A drawing after its damage. `touched` are the dimensions in which it differs from what it was."""

    scene: Scene
    touched: frozenset[str]


def drop(scene: Scene, rng: Random) -> Damaged | None:
    """One object less."""
    thing = _one(scene, rng, lambda _: True)
    return thing and Damaged(_with(scene, thing, None), frozenset({"type", *_inked(thing), *_worded(thing)}))


def shift(scene: Scene, rng: Random) -> Damaged | None:
    """One object of several stands elsewhere, where nothing was. One alone would only be on another page margin."""
    thing = _one(scene, rng, lambda thing: thing.box_pt is not None)
    if thing is None or thing.box_pt is None or sum(other.box_pt is not None for other in scene.counted) < 2:
        return None
    moved = thing.model_copy(update={"box_pt": thing.box_pt.shifted(_right(scene) - thing.box_pt.left, 0)})
    return Damaged(_with(scene, thing, moved), frozenset({"bbox"}))


def recolor(scene: Scene, rng: Random) -> Damaged | None:
    """One object has another colour: its stroke, else its fill, else its text."""
    thing = _one(scene, rng, lambda thing: bool(thing.stroke or thing.fill or thing.runs))
    if thing is None:
        return None
    if thing.stroke:
        update: dict[str, object] = {"stroke": _other(thing.stroke)}
    elif thing.fill:
        update = {"fill": _other(thing.fill)}
    else:
        update = {"runs": tuple(run.model_copy(update={"color": _other(run.color)}) for run in thing.runs)}
    return Damaged(_with(scene, thing, thing.model_copy(update=update)), frozenset({"color"}))


def relabel(scene: Scene, rng: Random) -> Damaged | None:
    """One text says something else, in its colours."""
    thing = _one(scene, rng, lambda thing: bool(thing.text))
    if thing is None:
        return None
    changed = thing.model_copy(update={"text": f"{thing.text} {SPURIOUS}"})
    return Damaged(_with(scene, thing, changed), frozenset({"text"}))


def swap(scene: Scene, rng: Random) -> Damaged | None:
    """Two objects, whose texts differ, have each other's text. No dimension ties a text to its object."""
    first = _one(scene, rng, lambda thing: bool(thing.text) and thing.kind != "data_point")
    second = first and _one(
        scene, rng, lambda thing: bool(thing.text) and thing.text != first.text and thing.kind == first.kind
    )
    if first is None or second is None:
        return None
    scene = _with(scene, first, first.model_copy(update={"text": second.text, "runs": second.runs}))
    scene = _with(scene, second, second.model_copy(update={"text": first.text, "runs": first.runs}))
    return Damaged(scene, frozenset())


def change_type(scene: Scene, rng: Random) -> Damaged | None:
    """One object is of another type; its colours go with it."""
    thing = _one(scene, rng, lambda thing: thing.subtype is not None)
    if thing is None:
        return None
    changed = thing.model_copy(update={"subtype": SPURIOUS})
    painted = {"color"} if thing.stroke or thing.fill else set()
    return Damaged(_with(scene, thing, changed), frozenset({"type", *painted}))


def add(scene: Scene, _: Random) -> Damaged:
    """One node more, beside the drawing."""
    right = _right(scene)
    node = SceneObject(
        id=SPURIOUS, kind="node", subtype="rectangle", text=SPURIOUS, stroke="#ff0000",
        runs=(TextRun(text=SPURIOUS, color="#000000"),), box_pt=Box(right, 0, right + 60, 20),
    )  # fmt: skip
    more = scene.model_copy(update={"objects": (*scene.objects, node)})
    return Damaged(more, frozenset({"type", "text", "color", "bbox"}))


def scale(scene: Scene, _: Random) -> Damaged | None:
    """All of it, lines and letters too, three times as large."""
    boxed = [thing.box_pt for thing in scene.counted if thing.box_pt]
    if not boxed:
        return None
    objects = tuple(
        thing.model_copy(update={"box_pt": Box(*(3 * edge for edge in thing.box_pt))})
        if thing.box_pt
        else thing
        for thing in scene.objects
    )
    larger = scene.model_copy(
        update={"objects": objects, "size_pt": (3 * scene.size_pt[0], 3 * scene.size_pt[1])}
    )
    return Damaged(larger, frozenset({"bbox"}))


def drop_text(scene: Scene, _: Random) -> Damaged | None:
    """No words: what has nothing else to show goes with them. Data points keep their coordinates."""
    touched: set[str] = set()
    left: list[SceneObject] = []
    for thing in scene.objects:
        if not thing.text or thing.kind == "data_point":
            left.append(thing)
            continue
        touched |= {"type", "text"} | ({"color"} if thing.runs else set())
        if thing.kind == "text" or (thing.stroke is None and thing.fill is None):
            touched |= {"bbox"} if thing.box_pt else set()
        else:
            left.append(thing.model_copy(update={"text": "", "runs": ()}))
    silent = scene.model_copy(update={"objects": tuple(left)})
    return Damaged(silent, frozenset(touched)) if touched else None


SCENE_DAMAGES: Mapping[str, Damage] = {
    "drop": drop,
    "shift": shift,
    "recolour": recolor,
    "relabel": relabel,
    "swap": swap,
    "type": change_type,
    "add": add,
    "scale": scale,
    "no text": drop_text,
}


def _one(scene: Scene, rng: Random, fits: Callable[[SceneObject], bool]) -> SceneObject | None:
    """A node that fits, or where there is none any other counted object."""
    found: Sequence[SceneObject] = [thing for thing in scene.counted if fits(thing)]
    return rng.choice([thing for thing in found if thing.kind == "node"] or found) if found else None


def _with(scene: Scene, thing: SceneObject, changed: SceneObject | None) -> Scene:
    objects = [changed if other is thing else other for other in scene.objects]
    return scene.model_copy(update={"objects": tuple(o for o in objects if o is not None)})


def _inked(thing: SceneObject) -> set[str]:
    painted = {"color"} if thing.stroke or thing.fill or thing.runs else set()
    return painted | ({"bbox"} if thing.box_pt else set())


def _worded(thing: SceneObject) -> set[str]:
    return {"text"} if thing.text else set()


def _right(scene: Scene) -> float:
    edges = [thing.box_pt.right for thing in scene.objects if thing.box_pt]
    return math.ceil(max(edges, default=0.0)) + GAP_PT


def _other(color: str) -> str:
    """The colour with each of its parts turned to the far end."""
    parts = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join("00" if part > 127 else "ff" for part in parts)
