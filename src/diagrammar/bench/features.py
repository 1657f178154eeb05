"""bench, step 4: stored pictures -> what Inception sees in each, once: what FID and KID are made of. Next: sets."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diagrammar.bench.draw import Drawings
from diagrammar.errors import BadInput
from diagrammar.metrics.pictures import prepare
from diagrammar.metrics.pictures.networks import FeaturePair, features_of
from diagrammar.metrics.pictures.weights import INCEPTION, signature_of
from diagrammar.metrics.protocol import Metric
from diagrammar.parallel import WorkerLost, map_items
from diagrammar.records.runs import Evaluated, Seen
from diagrammar.records.scores import NotComputed
from diagrammar.store import Stage

STAGE = "seen"


@dataclass(frozen=True)
class Picture:
    """A stored picture on its way to the network."""

    name: str
    png: bytes


class Features:
    """The features of a folder's pictures, by picture; what is there is not computed again."""

    def __init__(self, drawings: Drawings) -> None:
        self.drawings = drawings

    @cached_property
    def stage(self) -> Stage[Seen]:
        # By content: neither TeX nor the reader matters once a picture is there.
        made_with = {"picture": prepare.SIGNATURE, "weights": signature_of(INCEPTION)}
        key = hashlib.sha256(repr(made_with).encode()).hexdigest()[:10]
        return Stage(self.folder / f"{STAGE}-{key}", Seen, stage=STAGE, made_with=made_with)

    @property
    def folder(self) -> Path:
        return self.drawings.stage.folder.parent

    @cached_property
    def by_picture(self) -> dict[str, Seen]:
        return {seen.id: seen for seen in self.stage}

    def picture(self, drawn_id: str) -> str | None:
        """The artefact's name of what this program draws."""
        note = self.drawings.by_id[drawn_id].picture
        return note.png if note else None

    def of(self, picture: str) -> NDArray[np.float32] | NotComputed:
        """The features of a picture, or why there are none."""
        seen = self.by_picture[picture]
        if seen.features is None:
            return NotComputed(reason=seen.reason)
        found: NDArray[np.float32] = np.load(io.BytesIO(self.stage.get(seen.features)), allow_pickle=False)
        return found

    def keep(self, picture: str, features: bytes | str) -> None:
        """Stores features as .npy, or in words why there are none."""
        if isinstance(features, str):
            seen = Seen(id=picture, reason=features)
        else:
            seen = Seen(id=picture, features=self.stage.put(features, ".npy"))
        self.stage.append(seen)
        self.by_picture[picture] = seen


@dataclass(frozen=True)
class OfSet:
    """A number of many answers: how many pairs of pictures it is of, and why others are not in it."""

    value: float | NotComputed
    n: int
    failed: int  # answers that draw nothing, and so have no picture
    not_computed: int
    tasks: int


def see_missing(
    wanted: Mapping[Features, Iterable[str]],
    *,
    workers: int | None = None,
    seen: Callable[[str], None] = lambda _: None,
) -> None:
    """Computes the features of these pictures (artefacts of each folder's drawings) where they are not there."""
    places: dict[str, list[Features]] = {}
    for features, pictures in wanted.items():
        for name in dict.fromkeys(pictures):
            if name not in features.by_picture:
                places.setdefault(name, []).append(features)
    items = (Picture(name, found[0].drawings.stage.get(name)) for name, found in places.items())
    for picture, found in map_items(_see, items, workers=workers):
        told = (
            f"its features could not be computed: {found.reason}" if isinstance(found, WorkerLost) else found
        )
        for features in places[picture.name]:
            features.keep(picture.name, told)
        seen(picture.name)
    for features in wanted:
        features.stage.close()


def _see(picture: Picture) -> bytes | str:
    try:
        features = features_of(INCEPTION, picture.png)
    except BadInput as error:
        return str(error)
    buffer = io.BytesIO()
    np.save(buffer, features, allow_pickle=False)
    return buffer.getvalue()


def score_sets(
    answers: Sequence[Evaluated], truths: Features, candidates: Features, metrics: Mapping[str, Metric[Any]]
) -> dict[str, OfSet]:
    """Each metric of all the answers that draw something, with what is not in it."""
    pairs: list[FeaturePair] = []
    tasks: set[str] = set()
    reasons: list[NotComputed] = []
    failed = 0
    for answer in answers:
        candidate = candidates.picture(answer.candidate) if answer.candidate else None
        truth = truths.picture(answer.truth)
        if truth is None:
            reasons.append(NotComputed(reason="the truth does not compile"))
            continue
        if candidate is None:
            failed += 1
            continue
        ours, theirs = truths.of(truth), candidates.of(candidate)
        if isinstance(ours, NotComputed):
            reasons.append(ours)
        elif isinstance(theirs, NotComputed):
            reasons.append(theirs)
        else:
            pairs.append(FeaturePair(ours, theirs))
            tasks.add(answer.task_id)
    nothing = reasons[0] if reasons and not pairs else None
    return {
        name: OfSet(nothing or metric.pool(pairs), len(pairs), failed, len(reasons), len(tasks))
        for name, metric in metrics.items()
    }
