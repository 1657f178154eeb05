"""corpus, step 1: a source -> Diagram, part by part. Next: refine.

A part that was read to its end is written down in the folder `read`, with what was skipped of it, after its
diagrams are on the disk. So a killed collection goes on behind the last part that was written down.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from diagrammar.corpus.draw import Drawable, draw_evenly, drawable
from diagrammar.corpus.reading.source import Opened, Part, Piece
from diagrammar.errors import BadInput
from diagrammar.records.corpus import PartRead, Skipped
from diagrammar.records.diagrams import Diagram
from diagrammar.store import Setting, Stage

# What is read is written in batches, each with one wait for the disk.
BATCH_PARTS = 200
BATCH_CHARACTERS = 4_000_000
BATCH_S = 2.0


@dataclass
class Collected:
    """What a collection holds: counts, for the manifest and for people."""

    diagrams: int = 0
    found: int = 0  # before a draw
    by_domain: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    def counts(self) -> dict[str, Setting]:
        """As the manifest has them."""
        domains: dict[str, Setting] = {
            f"domain_{name}": count for name, count in sorted(self.by_domain.items())
        }
        return domains | {f"skipped_{name}": count for name, count in sorted(self.skipped.items())}


@dataclass(frozen=True)
class Collection:
    """The stage folders of a collection. With a limit, all that is found is in `found`, and the draw in `stage`."""

    stage: Stage[Diagram]
    found: Stage[Diagram]
    read: Stage[PartRead]
    limit: int | None
    seed: int

    def __iter__(self) -> Iterator[Piece]:
        """What it holds: the diagrams in order, then what was skipped."""
        yield from self.stage
        for part in self.read:
            yield from part.skipped


def open_collection(
    out: Path, opened: Opened, *, source: str, options: dict[str, Setting], limit: int | None, seed: int
) -> Collection:
    """The folders, created or reopened; refused where they were made of something else."""
    made_with: dict[str, Setting] = {"source": source, "digest": opened.digest, **options}
    drawn = dict(made_with) if limit is None else made_with | {"limit": limit, "seed": seed}
    stage = Stage(out, Diagram, stage="collect", made_with=drawn)
    found = stage if limit is None else Stage(out / "found", Diagram, stage="found", made_with=made_with)
    return Collection(
        stage, found, Stage(out / "read", PartRead, stage="read", made_with=made_with), limit, seed
    )


def collect(opened: Opened, collection: Collection) -> Iterator[tuple[Part, PartRead]]:
    """Reads the parts that were not read yet, stores what they hold, and yields each with what came of it."""
    batch: list[PartRead] = []
    diagrams: list[Diagram] = []
    began, size = time.monotonic(), 0
    for part in opened.parts():
        if part.id in collection.read.done or any(read.id == part.id for read in batch):
            continue
        pieces = _pieces(part)
        found = [piece for piece in pieces if isinstance(piece, Diagram)]
        skipped = tuple(piece for piece in pieces if isinstance(piece, Skipped))
        read = PartRead(id=part.id, diagrams=len(found), skipped=skipped)
        diagrams += found
        batch.append(read)
        size += sum(len(diagram.code) for diagram in found)
        if len(batch) >= BATCH_PARTS or size >= BATCH_CHARACTERS or time.monotonic() - began > BATCH_S:
            _write(collection, diagrams, batch)
            batch, diagrams, began, size = [], [], time.monotonic(), 0
        yield part, read
    _write(collection, diagrams, batch)


def close(collection: Collection) -> Collected:
    """Draws where a limit was given, marks the folders as finished, and says what they hold."""
    told = Collected(found=len(collection.found))
    if collection.limit is not None:
        _draw(collection, collection.limit)
        collection.found.close()
    for diagram in collection.stage:
        told.diagrams += 1
        told.by_domain[str(diagram.domain)] += 1
    for part in collection.read:
        told.skipped.update(piece.reason for piece in part.skipped)
    collection.read.close()
    collection.stage.close(**told.counts())
    return told


def _pieces(part: Part) -> list[Piece]:
    try:
        return _apart(list(part.read()))
    except BadInput as error:
        return [Skipped(where=part.id, reason="unreadable", message=str(error))]
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        # One strange part among thousands is counted and can be looked at; the others are unharmed.
        message = f"{type(error).__name__}: {str(error)[:200]}"
        return [Skipped(where=part.id, reason="reader_failed", message=message)]


def _apart(pieces: list[Piece]) -> list[Piece]:
    """The pieces with a number behind an id that came before, as two examples on one line have it."""
    seen: Counter[str] = Counter()
    apart: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Diagram):
            seen[piece.id] += 1
            if seen[piece.id] > 1:
                piece = piece.model_copy(update={"id": f"{piece.id}-{seen[piece.id]}"})
        apart.append(piece)
    return apart


def _write(collection: Collection, diagrams: list[Diagram], batch: list[PartRead]) -> None:
    """The diagrams first: a part that is written down has all of them on the disk."""
    # A kill between the two leaves diagrams of a part that is read again.
    fresh = {diagram.id: diagram for diagram in diagrams if diagram.id not in collection.found.done}
    collection.found.extend(fresh.values())
    collection.read.extend(batch)


def _draw(collection: Collection, limit: int) -> None:
    light: list[Drawable] = [drawable(diagram) for diagram in collection.found]
    place = {chosen.id: number for number, chosen in enumerate(draw_evenly(light, limit, collection.seed))}
    chosen = sorted((d for d in collection.found if d.id in place), key=lambda d: place[d.id])
    collection.stage.extend(diagram for diagram in chosen if diagram.id not in collection.stage.done)
