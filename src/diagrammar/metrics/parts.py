"""metrics: an edit's source, truth and candidate -> what had to stay and what had to change.

Source: Diagram-MMU, appendix C.2, preserve/edit splits. docs/metrics.md, Parts of an edit, says what that leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from diagrammar.metrics.counted import Item

V = TypeVar("V")
Part = Literal["whole", "preserve", "edit"]
# Two lists -> positions of the items that are the same thing unchanged, each used once.
Same = Callable[[Sequence[Item[V]], Sequence[Item[V]]], list[tuple[int, int]]]


@dataclass(frozen=True)
class Split(Generic[V]):
    """The items of one dimension: kept ones are the source's, edited ones are not.

    `removed` are those of the source that the truth no longer has.
    """

    truth_kept: tuple[Item[V], ...]
    candidate_kept: tuple[Item[V], ...]
    truth_edited: tuple[Item[V], ...]
    candidate_edited: tuple[Item[V], ...]
    removed: tuple[Item[V], ...]


def split(
    source: Sequence[Item[V]], truth: Sequence[Item[V]], candidate: Sequence[Item[V]], *, same: Same[V]
) -> Split[V]:
    """What each side kept of the source; and each side without what source and truth have in common.

    So an object that the edit removes and the candidate still has is an edit of the candidate, a wrong one.
    """
    common = same(source, truth)
    shared = [source[place] for place in sorted(place for place, _ in common)]
    candidate_kept = {place for _, place in same(source, candidate)}
    return Split(
        truth_kept=_only(truth, {place for _, place in common}),
        candidate_kept=_only(candidate, candidate_kept),
        truth_edited=_without(truth, {place for _, place in common}),
        candidate_edited=_without(candidate, {place for _, place in same(shared, candidate)}),
        removed=_without(source, {place for place, _ in common}),
    )


def _only(items: Sequence[Item[V]], places: set[int]) -> tuple[Item[V], ...]:
    return tuple(item for place, item in enumerate(items) if place in places)


def _without(items: Sequence[Item[V]], places: set[int]) -> tuple[Item[V], ...]:
    return tuple(item for place, item in enumerate(items) if place not in places)
