"""metrics: F1 of whole objects: the same type, text, colours and place in one and the same object.

Ours. The paper's four dimensions are counted apart, so that two labels that have changed places cost nothing there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from diagrammar.metrics.ciede2000 import similarity
from diagrammar.metrics.counted import Item, solid
from diagrammar.metrics.matching import MIN_IOU, as_array, iou
from diagrammar.metrics.objects import reading
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.protocol import Metric
from diagrammar.metrics.rules import PAPER
from diagrammar.records.scenes import Scene, SceneObject
from diagrammar.records.scores import Case

# What two objects have to share exactly to be compared at all: type, text, what is painted, whether there is ink.
Key = tuple[str, str, bool, bool, int, bool]


def _compare(case: Case) -> Overlap:
    assert case.truth.scene is not None and case.candidate.scene is not None
    ours, theirs = _by_key(case.truth.scene), _by_key(case.candidate.scene)
    matched = sum(_most_pairs(objects, theirs[key]) for key, objects in ours.items() if key in theirs)
    return Overlap(matched, len(case.candidate.scene.counted), len(case.truth.scene.counted))


def _by_key(scene: Scene) -> dict[Key, list[SceneObject]]:
    objects: dict[Key, list[SceneObject]] = defaultdict(list)
    for thing in scene.counted:
        key = (
            thing.type_key, thing.text, thing.stroke is not None, thing.fill is not None, len(thing.runs),
            thing.box_pt is not None,
        )  # fmt: skip
        objects[key].append(thing)
    return objects


def _most_pairs(ours: Sequence[SceneObject], theirs: Sequence[SceneObject]) -> int:
    """How many of these objects of one key can be paired with one of equal place and alike colours, at most."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    fits = _overlap(ours, theirs)
    for one, other in zip(_colors(ours), _colors(theirs), strict=True):
        fits &= _alike(one, other)
    if fits.shape == (1, 1):
        return int(fits[0, 0])
    return int((maximum_bipartite_matching(csr_array(fits), perm_type="column") >= 0).sum())


def _overlap(ours: Sequence[SceneObject], theirs: Sequence[SceneObject]) -> NDArray[np.bool_]:
    if ours[0].box_pt is None:
        return np.ones((len(ours), len(theirs)), dtype=np.bool_)
    first, second = (
        as_array([Item(solid(o.box_pt), o.id) for o in side if o.box_pt]) for side in (ours, theirs)
    )
    return np.asarray(iou(first, second) >= MIN_IOU)


def _colors(objects: Sequence[SceneObject]) -> list[list[str]]:
    """A list of colours for each paint that objects of one key have."""
    paints = [[o.stroke for o in objects], [o.fill for o in objects]]
    paints += [list(runs) for runs in zip(*([run.color for run in o.runs] for o in objects), strict=True)]
    return [[color for color in colors if color is not None] for colors in paints if colors[0] is not None]


def _alike(ours: Sequence[str], theirs: Sequence[str]) -> NDArray[np.bool_]:
    """Which colours are the same, compared once for each two different ones."""
    first, one_of = np.unique(np.array(ours), return_inverse=True)
    second, other_of = np.unique(np.array(theirs), return_inverse=True)
    same = similarity(first.tolist(), second.tolist()) >= PAPER.same_color
    return np.asarray(same[np.ix_(one_of, other_of)])


METRIC = Metric(
    name="f1_object",
    version=1,
    reads="objects",
    compare=_compare,
    score=lambda overlap: overlap.f1,
    settings=lambda: {**reading(), "iou": str(MIN_IOU), "colors": PAPER.same_colors, "assignment": "optimal"},
    protocol="beside",
    on_example=2 / 5,  # A is whole; B has another shape and text; no line: 1 of 3 and of 2
)
