"""corpus, step 3: Refined -> Refined | Rejected. Next: simplify.

| rejected as | where |
|---|---|
| trivial | `trivial.py`: it has too little structure to be a diagram |
| off_domain | `off_domain.py`: it is something else, such as a calendar |
| duplicate_code | ALIKE_CODE of the runs of three tokens are in both bodies, and the pictures share most of their ink |
| duplicate_objects | the same types, texts and colours at the same places, up to scale |
| duplicate_picture | the two pictures differ in at most ALIKE_INK of their ink |

The first rule that applies decides. Of duplicates the first in the given order stays, and the others name it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from diagrammar.corpus.off_domain import off_domain_why
from diagrammar.corpus.trivial import trivial_why
from diagrammar.dedupe.code import CodeIndex, Shingles, jaccard, shingles
from diagrammar.dedupe.objects import Layout, layout, same_layout
from diagrammar.dedupe.picture import Look, LookIndex, look, unlike
from diagrammar.manuals.reading.blocks import without_comments
from diagrammar.parallel import PoolEngine, WorkerLost, map_items
from diagrammar.records.corpus import Refined, Rejected, RejectReason
from diagrammar.records.scenes import Scene

ALIKE_CODE = 0.9
ALIKE_INK = 0.03
ANOTHER_PICTURE = 0.25  # at least so much of the ink differs: the code is alike, what it draws is not
SHORT_BODY = 12  # runs; a body of fewer calls what the preamble defines, which has to be compared, too
CHUNK = 500


@dataclass(frozen=True)
class Job:
    """One diagram, and where its picture and scene lie."""

    record: Refined
    artefacts: Path


@dataclass(frozen=True, eq=False)
class Features:
    """What sifting asks about a diagram."""

    trivial: str
    off_domain: str
    layout: Layout
    look: Look


def sift(
    refined: Sequence[Refined], folder: Path, *, workers: int | None = None, engine: PoolEngine = "process"
) -> Iterator[Refined | Rejected]:
    """Each diagram, or why it is turned away, in the given order. `folder` is the stage that holds the artefacts."""
    bodies = [shingles(_compared(record.diagram.code)) for record in refined]
    seen = _Seen(refined, bodies)
    for start in range(0, len(refined), CHUNK):
        chunk = refined[start : start + CHUNK]
        jobs = [Job(record, folder / "artefacts") for record in chunk]
        features = {
            job.record.id: outcome
            for job, outcome in map_items(features_of, jobs, workers=workers, engine=engine)
        }
        for place, record in enumerate(chunk, start=start):
            found = features[record.id]
            if isinstance(found, WorkerLost):
                yield _rejected(record, "worker_lost", found.reason)
                continue
            yield _judged(place, found, seen)


def features_of(job: Job) -> Features:
    """What the diagram's scene and picture say."""
    scene = Scene.model_validate_json((job.artefacts / job.record.scene).read_bytes())
    return Features(
        trivial_why(scene),
        off_domain_why(scene, job.record.diagram.code),
        layout(scene),
        look((job.artefacts / job.record.picture).read_bytes()),
    )


class _Seen:
    """The diagrams kept so far, by what duplicates are found with."""

    def __init__(self, refined: Sequence[Refined], bodies: Sequence[Shingles]) -> None:
        self.refined = refined
        self.bodies = bodies
        self.features: dict[int, Features] = {}
        self.code = CodeIndex(bodies, alike=ALIKE_CODE)
        self.looks = LookIndex()
        self.places_with: dict[bytes, list[int]] = {}

    def add(self, place: int, features: Features) -> None:
        self.features[place] = features
        self.code.add(place, self.bodies[place])
        self.looks.add(place, features.look)
        self.places_with.setdefault(features.layout.what, []).append(place)

    def same_code(self, place: int, features: Features) -> tuple[int, float] | None:
        body = self.bodies[place]
        for other in self.code.candidates(body):
            alike = jaccard(body, self.bodies[other])
            if alike >= ALIKE_CODE and unlike(features.look, self.features[other].look) <= ANOTHER_PICTURE:
                return other, alike
        return None

    def same_objects(self, features: Features) -> int | None:
        places: Iterable[int] = self.places_with.get(features.layout.what, ())
        return next((at for at in places if same_layout(features.layout, self.features[at].layout)), None)

    def same_picture(self, features: Features) -> tuple[int, float] | None:
        for other in self.looks.candidates(features.look):
            differs = unlike(features.look, self.features[other].look)
            if differs <= ALIKE_INK:
                return other, differs
        return None


def _judged(place: int, features: Features, seen: _Seen) -> Refined | Rejected:
    record = seen.refined[place]
    if features.trivial:
        return _rejected(record, "trivial", features.trivial)
    if features.off_domain:
        return _rejected(record, "off_domain", features.off_domain)
    if code := seen.same_code(place, features):
        like = seen.refined[code[0]].id
        return _rejected(record, "duplicate_code", f"{code[1]:.0%} of the code is that of {like}", like=like)
    if (objects := seen.same_objects(features)) is not None:
        like = seen.refined[objects].id
        return _rejected(record, "duplicate_objects", f"it draws the objects of {like}", like=like)
    if picture := seen.same_picture(features):
        like = seen.refined[picture[0]].id
        message = f"{picture[1]:.1%} of the ink differs from {like}"
        return _rejected(record, "duplicate_picture", message, like=like)
    seen.add(place, features)
    return record


def _rejected(record: Refined, reason: RejectReason, message: str, *, like: str = "") -> Rejected:
    return Rejected(
        id=record.id, diagram=record.diagram, reason=reason, message=message, engine=record.engine,
        seconds=record.seconds, picture=record.picture, like=like,
    )  # fmt: skip


def _compared(code: str) -> str:
    """The body; the whole document where the body only calls what the preamble defines."""
    plain = without_comments(code)
    body = plain.partition(r"\begin{document}")[2] or plain
    return body if len(shingles(body)) >= SHORT_BODY else plain
