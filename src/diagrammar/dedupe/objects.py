"""Whether two scenes draw the same objects at the same places, whatever the scale."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diagrammar.records.scenes import DataPointData, Scene, SceneObject

Boxes = NDArray[np.float32]

TOLERANCE = 0.02  # of the drawing's larger side


@dataclass(frozen=True, eq=False)
class Layout:
    """What a scene draws: which objects, and where."""

    what: bytes  # digest of the objects' types, texts and colours, in sorted order
    where: Boxes  # a row of left, top, right, bottom for each in that order, in parts of the larger side


def layout(scene: Scene) -> Layout:
    """Types, texts and colours as one digest; boxes scaled so that the larger side is 1."""
    scale = max(*scene.size_pt, 1e-6)
    entries = sorted((_what(thing), _where(thing, scale)) for thing in scene.counted)
    digest = hashlib.blake2b("\n".join(what for what, _ in entries).encode(), digest_size=16).digest()
    return Layout(digest, np.array([where for _, where in entries], dtype=np.float32).reshape(-1, 4))


def same_layout(one: Layout, other: Layout) -> bool:
    """The same objects, each edge of each box within TOLERANCE."""
    return (
        one.what == other.what
        and one.where.shape == other.where.shape
        and bool(np.all(np.abs(one.where - other.where) <= TOLERANCE))
    )


def _what(thing: SceneObject) -> str:
    point: Sequence[object] = ()
    if isinstance(thing.data, DataPointData):
        point = (thing.data.x, thing.data.y, thing.data.z)
    return repr((thing.type_key, thing.text, thing.fill, thing.stroke, point))


def _where(thing: SceneObject, scale: float) -> tuple[float, float, float, float]:
    if thing.box_pt is None:
        return (-1.0, -1.0, -1.0, -1.0)
    # Equal objects are sorted by place: rounded, so that a hair's breadth does not swap two of them.
    left, top, right, bottom = (round(edge / scale, 2) for edge in thing.box_pt)
    return (left, top, right, bottom)
