"""corpus, all steps behind collecting: collections of Diagrams -> one corpus of Refined records. Next: bench, publish.

    OUT/records.jsonl, artefacts/    the corpus, in the order of the sources
    OUT/rejected/                    what was turned away, why, and its picture where it draws one
    OUT/stages/refined/              what compiles (and its rejected/)
    OUT/stages/sifted/               of these what is trivial, none of the six domains or a near-duplicate

The stages are resumable; the corpus itself is written at the end, from them alone, in an order and without times,
so that two runs give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diagrammar.corpus.clock import Clock
from diagrammar.corpus.draw import draw_balanced
from diagrammar.corpus.refine import refine
from diagrammar.corpus.sift import sift
from diagrammar.errors import BadInput
from diagrammar.parallel import PoolEngine
from diagrammar.records.corpus import CURATED, Refined, Rejected
from diagrammar.records.diagrams import Diagram
from diagrammar.store import Setting, Stage, open_stage, read_manifest

Step = Literal["refine", "sift", "write"]


@dataclass(frozen=True)
class Plan:
    """What is to be made of what. All but the last three decide what the corpus holds."""

    collected: tuple[Path, ...]
    out: Path
    sample: int | None = None
    seed: int = 0
    timeout_s: float = 60.0
    workers: int | None = None
    trust: bool = False
    engine: PoolEngine = "process"


@dataclass(frozen=True)
class Progress:
    """One more diagram went through a step."""

    step: Step
    done: int
    total: int
    failed: int  # turned away by this step so far


@dataclass(frozen=True)
class _Folders:
    corpus: Stage[Refined]
    rejected: Stage[Rejected]
    refined: Stage[Refined]
    unrefined: Stage[Rejected]
    sifted: Stage[Rejected]


def curate(plan: Plan) -> Iterator[Progress]:
    """Goes through every step that is not done yet. Raises BadInput for collections that do not go together."""
    diagrams = read_collections(plan)
    folders = _open(plan)
    clock = Clock(plan.out / "stages" / "seconds.json")
    place = {diagram.id: number for number, diagram in enumerate(diagrams)}
    with folders.corpus, folders.rejected, folders.refined, folders.unrefined, folders.sifted:
        with clock.running("refine"):
            yield from _refined(plan, diagrams, folders, clock)
        refined = sorted(folders.refined, key=lambda record: place[record.id])
        with clock.running("sift"):
            yield from _sifted(plan, refined, folders, clock)
        kept = [record for record in refined if record.id not in folders.sifted.done]
        with clock.running("write"):
            turned_away = sorted([*folders.unrefined, *folders.sifted], key=lambda record: place[record.id])
            _write(kept, turned_away, folders)
            yield Progress("write", len(kept), len(kept), 0)
        _close(folders, clock)


def read_collections(plan: Plan) -> list[Diagram]:
    """All diagrams in the order of the collections; with `sample`, the ones drawn by the seed."""
    diagrams: list[Diagram] = []
    for folder in plan.collected:
        stage = open_stage(folder, Diagram, stage="collect")
        if not stage.manifest.complete:
            raise BadInput(f"{folder}: was not finished; run its `diagrammar collect` again")
        diagrams += stage
    twice = [name for name, count in Counter(diagram.id for diagram in diagrams).items() if count > 1]
    if twice:
        raise BadInput(f"the collections share {len(twice)} ids, such as {twice[0]!r}; give each source once")
    if plan.sample is None:
        return diagrams
    drawn = {diagram.id for diagram in draw_balanced(diagrams, plan.sample, plan.seed)}
    return [diagram for diagram in diagrams if diagram.id in drawn]


def _open(plan: Plan) -> _Folders:
    refined = _made_with(plan)
    sifted = refined | {"code": _own_version()}
    stages = plan.out / "stages"
    # The corpus first: a folder that is not one is refused before anything is written.
    return _Folders(
        corpus=Stage(plan.out, Refined, stage=CURATED, made_with=sifted),
        rejected=Stage(plan.out / "rejected", Rejected, stage="rejected", made_with=sifted),
        refined=Stage(stages / "refined", Refined, stage="refine", made_with=refined),
        unrefined=Stage(stages / "refined" / "rejected", Rejected, stage="rejected", made_with=refined),
        sifted=Stage(stages / "sifted", Rejected, stage="sift", made_with=sifted),
    )


def _made_with(plan: Plan) -> dict[str, Setting]:
    """What each collection was made of, and the options that reach the compile."""
    made: dict[str, Setting] = {"timeout_s": plan.timeout_s}
    for number, folder in enumerate(plan.collected, start=1):
        manifest = read_manifest(folder)
        made |= {f"collect{number}_{key}": value for key, value in manifest.made_with.items()}
        made[f"collect{number}_records"] = manifest.records
    if plan.sample is not None:
        made |= {"sample": plan.sample, "seed": plan.seed}
    return made


def _refined(plan: Plan, diagrams: Sequence[Diagram], folders: _Folders, clock: Clock) -> Iterator[Progress]:
    refined, unrefined = folders.refined, folders.unrefined
    for _ in refine(
        diagrams, refined, unrefined, seed=plan.seed, timeout_s=plan.timeout_s, workers=plan.workers,
        trust=plan.trust, engine=plan.engine,
    ):  # fmt: skip
        yield Progress("refine", len(refined) + len(unrefined), len(diagrams), len(unrefined))
        clock.tick()
    for stage in (refined, unrefined):
        if not stage.manifest.complete:
            stage.close()


def _sifted(plan: Plan, refined: Sequence[Refined], folders: _Folders, clock: Clock) -> Iterator[Progress]:
    """Decided anew where it was stopped: it takes seconds, and each decision hangs on those before it."""
    if folders.sifted.manifest.complete:
        return
    failed = 0
    for done, outcome in enumerate(
        sift(refined, folders.refined.folder, workers=plan.workers, engine=plan.engine), start=1
    ):
        if isinstance(outcome, Rejected):
            failed += 1
            if outcome.id not in folders.sifted.done:
                folders.sifted.append(outcome)
        yield Progress("sift", done, len(refined), failed)
        clock.tick()
    folders.sifted.close()


def _write(kept: Sequence[Refined], turned_away: Sequence[Rejected], folders: _Folders) -> None:
    """What is there already is the beginning of the same list, since the order is always the same."""
    fresh = [record.model_copy(update={"seconds": 0.0}) for record in kept]
    for record in fresh:
        folders.corpus.take(record.picture, folders.refined)
        folders.corpus.take(record.scene, folders.refined)
    rejected = [record.model_copy(update={"seconds": 0.0}) for record in turned_away]
    for refused in rejected:
        if refused.picture:
            holder = folders.refined if refused.id in folders.sifted.done else folders.unrefined
            folders.rejected.take(refused.picture, holder)
    folders.corpus.extend(record for record in fresh if record.id not in folders.corpus.done)
    folders.rejected.extend(record for record in rejected if record.id not in folders.rejected.done)


def _close(folders: _Folders, clock: Clock) -> None:
    domains = Counter(str(record.diagram.domain) for record in folders.corpus)
    reasons = Counter(record.reason for record in folders.rejected)
    counts: dict[str, Setting] = {"rejected": len(folders.rejected)}
    counts |= {f"domain_{name}": count for name, count in sorted(domains.items())}
    counts |= {f"seconds_{name}": round(seconds, 1) for name, seconds in clock.seconds.items()}
    folders.rejected.close(**{f"reason_{name}": count for name, count in sorted(reasons.items())})
    folders.corpus.close(**counts)


def _own_version() -> str:
    """The hash of the rules that sift: a corpus begun with other ones is not continued with these."""
    here = Path(__file__).parent
    rules = [here / "sift.py", here / "trivial.py", *sorted((here.parent / "dedupe").glob("*.py"))]
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in rules if path.exists()))
    return digest.hexdigest()[:16]
