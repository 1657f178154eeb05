"""The draw: n of the installed manuals' examples by a seed, as `diagrammar collect manuals` reads them."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import Literal

from diagrammar.corpus.sources.manuals import collect_manual, installed_manuals
from diagrammar.records.diagrams import Diagram

Draw = Literal["balanced", "proportional"]


def draw_documents(n: int, seed: int, draw: Draw) -> list[Diagram]:
    """N examples, or all there are, package by turns; the first m of n are the draw of m.

    balanced: equally many of each package, what one cannot give going to the others. proportional: all alike.
    Within its package every example is as likely as any other: nothing is preferred or left out.
    """
    by_package = _collected()
    shuffle = random.Random(seed).shuffle
    if draw == "proportional":
        every = [diagram for diagrams in by_package.values() for diagram in diagrams]
        shuffle(every)
        return every[:n]
    for diagrams in by_package.values():
        shuffle(diagrams)
    longest = max(map(len, by_package.values()), default=0)
    turns = [queue[turn] for turn in range(longest) for queue in by_package.values() if turn < len(queue)]
    return turns[:n]


def package_of(diagram_id: str) -> str:
    """The manual that an example is from: its id begins with it."""
    return diagram_id.split(".", 1)[0]


def _collected() -> dict[str, list[Diagram]]:
    by_package: dict[str, list[Diagram]] = {}
    for manual, sources in installed_manuals():
        found = [piece for piece in collect_manual(manual, sources) if isinstance(piece, Diagram)]
        if not found:
            print(f"{manual.package}: no manual source found; run scripts/setup.sh", file=sys.stderr)
            continue
        by_package[manual.package] = sorted(found, key=lambda diagram: diagram.id)
    return by_package


def count_by_package(ids: Sequence[str]) -> str:
    """`chemfig 50, circuitikz 50, ...`"""
    names = [package_of(name) for name in ids]
    return ", ".join(f"{name} {names.count(name)}" for name in sorted(set(names)))
