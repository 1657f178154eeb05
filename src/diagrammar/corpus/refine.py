"""corpus, step 2: Diagram -> Refined | Rejected. Next: bench/tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from diagrammar.corpus.draw import order_by_domain, quotas
from diagrammar.corpus.screen import screen
from diagrammar.errors import ToolMissing
from diagrammar.parallel import PoolEngine, WorkerLost, map_items
from diagrammar.records.corpus import Refined, Rejected, RejectReason
from diagrammar.records.diagrams import Compiled, Diagram, Domain, TexFailure
from diagrammar.records.scenes import Scene
from diagrammar.store import Setting, Stage, read_manifest

DPI = 300


@dataclass(frozen=True)
class Job:
    """One diagram and how it may be compiled."""

    diagram: Diagram
    timeout_s: float
    trust: bool


@dataclass(frozen=True)
class Undiagrammed:
    """What compiles and draws no object of a picture, with what it shows, before it is stored."""

    rejected: Rejected
    png: bytes


@dataclass(frozen=True)
class Drawn:
    """What a kept diagram draws, before it is stored."""

    compiled: Compiled
    scene: Scene
    png: bytes
    dpi: float
    left_pt: float
    top_pt: float


def stages_of(
    out: Path, collected: Path, *, limit: int | None, seed: int, timeout_s: float
) -> tuple[Stage[Refined], Stage[Rejected]]:
    """The stages of the kept diagrams and, in the folder `rejected`, of the others; created or reopened."""
    # What was collected is told by its own manifest, so that a copy of the folder serves as well.
    source = read_manifest(collected)
    made_with: dict[str, Setting] = {f"collect_{key}": value for key, value in source.made_with.items()}
    made_with["timeout_s"] = timeout_s
    if limit is not None:
        made_with |= {"limit": limit, "seed": seed}
    kept = Stage(out, Refined, stage="refine", made_with=made_with)
    return kept, Stage(out / "rejected", Rejected, stage="rejected", made_with=made_with)


def refine(
    diagrams: Sequence[Diagram],
    kept: Stage[Refined],
    turned_away: Stage[Rejected],
    *,
    limit: int | None = None,
    seed: int = 0,
    timeout_s: float = 60,
    workers: int | None = None,
    trust: bool = False,
    engine: PoolEngine = "process",
) -> Iterator[Refined | Rejected]:
    """Compiles what is not done yet, stores each outcome and yields it, as they are ready.

    With `limit`, stops at that many kept, equally many of each domain as can be: the first ones that pass in
    the order drawn by the seed, whatever the order in which they are ready. Raises ToolMissing where TeX cannot
    be isolated.
    """
    queues = order_by_domain(diagrams, seed)
    while batch := next_batch(queues, kept.done, turned_away.done, limit=limit):
        jobs = [Job(diagram, timeout_s, trust) for diagram in batch]
        for job, outcome in map_items(refine_one, jobs, workers=workers, engine=engine):
            if isinstance(outcome, WorkerLost):
                outcome = Rejected(
                    id=job.diagram.id, diagram=job.diagram, reason="worker_lost", message=outcome.reason
                )
            if isinstance(outcome, Drawn):
                record = stored(job.diagram, outcome, kept)
                kept.append(record)
                yield record
            else:
                refused = outcome if isinstance(outcome, Rejected) else _with_picture(outcome, turned_away)
                turned_away.append(refused)
                yield refused


def next_batch(
    queues: dict[Domain, list[Diagram]], kept: set[str], turned_away: set[str], *, limit: int | None
) -> list[Diagram]:
    """What has to be compiled now: of each domain the next ones, as many as its share still lacks."""
    fresh = {d: [x for x in q if x.id not in kept and x.id not in turned_away] for d, q in queues.items()}
    if limit is None:
        return [diagram for queue in fresh.values() for diagram in queue]
    passed = {d: sum(x.id in kept for x in queue) for d, queue in queues.items()}
    share = quotas({d: passed[d] + len(fresh[d]) for d in queues}, limit)
    lacking = {d: max(0, share[d] - passed[d]) for d in queues}
    return [diagram for d, queue in fresh.items() for diagram in queue[: lacking[d]]]


def refine_one(job: Job) -> Drawn | Undiagrammed | Rejected:
    """What the diagram draws, or why it is turned away."""
    from diagrammar.scene.picture import read_drawing
    from diagrammar.tex import compile_tex

    if refused := screen(job.diagram.code):
        reason, message = refused
        return Rejected(id=job.diagram.id, diagram=job.diagram, reason=reason, message=message)
    compiled = compile_tex(job.diagram.code, timeout_s=job.timeout_s, trust=job.trust)
    if isinstance(compiled, TexFailure):
        if compiled.kind == "isolation_required":
            raise ToolMissing(f"{compiled.message}; {compiled.hint}")
        return Rejected(
            id=job.diagram.id, diagram=job.diagram, reason=compiled.kind, message=compiled.message,
            line=compiled.line, hint=compiled.hint, engine=compiled.engine, seconds=round(compiled.seconds, 2),
        )  # fmt: skip
    try:
        scene, picture = read_drawing(compiled, dpi=DPI)
    except Exception as error:  # noqa: BLE001 - one strange PDF among thousands: counted and kept to be looked at
        return _rejected(job.diagram, compiled, "reader_failed", f"{type(error).__name__}: {error}")
    if not scene.counted:
        why = "it draws nothing that counts"
        return Undiagrammed(_rejected(job.diagram, compiled, "no_objects", why), picture.png)
    if all(thing.kind == "text" for thing in scene.counted):
        why = "it sets text outside every picture and draws nothing"
        return Undiagrammed(_rejected(job.diagram, compiled, "text_only", why), picture.png)
    return Drawn(compiled, scene, picture.png, picture.dpi, picture.left_pt, picture.top_pt)


def stored(diagram: Diagram, drawn: Drawn, stage: Stage[Refined]) -> Refined:
    """The record of a kept diagram, its picture and scene put into the stage."""
    return Refined(
        id=diagram.id,
        diagram=diagram,
        picture=stage.put(drawn.png, ".png"),
        scene=stage.put(drawn.scene.model_dump_json().encode(), ".json"),
        left_pt=drawn.left_pt,
        top_pt=drawn.top_pt,
        dpi=drawn.dpi,
        engine=drawn.compiled.engine,
        repairs=drawn.compiled.repairs,
        marked=drawn.compiled.marked,
        objects=len(drawn.scene.counted),
        seconds=round(drawn.compiled.seconds, 2),
    )


def _with_picture(outcome: Undiagrammed, stage: Stage[Rejected]) -> Rejected:
    return outcome.rejected.model_copy(update={"picture": stage.put(outcome.png, ".png")})


def _rejected(diagram: Diagram, compiled: Compiled, reason: RejectReason, message: str) -> Rejected:
    return Rejected(
        id=diagram.id, diagram=diagram, reason=reason, message=message, engine=compiled.engine,
        seconds=round(compiled.seconds, 2),
    )  # fmt: skip
