"""metrics: how far a drawing has to be moved to lie on the one that it was made from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import median

from diagrammar.metrics.counted import Item
from diagrammar.records.scenes import Box, Scene

_BIN_PT = 0.25
# More look-alikes than that, points of a cloud, say nothing about the place of any one of them.
_MAX_LOOK_ALIKES = 64
Key = tuple[str, str, float, float]


def find_shift(source: Scene, other: Scene) -> tuple[float, float]:
    """(dx, dy) in bp that lays most objects of `other` on those of `source` of the same type, text and size.

    A scene's origin is the corner of its ink, so that an object added at the left moves all others. Zero
    where nothing is in common, or where no other shift fits more objects.
    """
    moves = list(_moves(source, other))
    votes = Counter(_bins(moves))
    if not votes:
        return 0.0, 0.0
    column, row = max(votes, key=lambda bin_: (votes[bin_], -abs(bin_[0]) - abs(bin_[1]), bin_))
    near = [move for move in moves if max(abs(_bin(move[0]) - column), abs(_bin(move[1]) - row)) <= 1]
    dx, dy = median(x for x, _ in near), median(y for _, y in near)
    return (dx, dy) if max(abs(dx), abs(dy)) > _BIN_PT / 2 else (0.0, 0.0)


def shift(items: tuple[Item[Box], ...], by: tuple[float, float]) -> tuple[Item[Box], ...]:
    """The boxes, moved."""
    return items if by == (0.0, 0.0) else tuple(Item(item.value.shifted(*by), item.owner) for item in items)


def _moves(source: Scene, other: Scene) -> Iterator[tuple[float, float]]:
    theirs_by_key = _by_key(other)
    for key, ours in _by_key(source).items():
        theirs = theirs_by_key.get(key, [])
        if len(ours) <= _MAX_LOOK_ALIKES and len(theirs) <= _MAX_LOOK_ALIKES:
            yield from ((one.left - two.left, one.top - two.top) for one in ours for two in theirs)


def _by_key(scene: Scene) -> dict[Key, list[Box]]:
    boxes: dict[Key, list[Box]] = defaultdict(list)
    for thing in scene.counted:
        if thing.box_pt is not None:
            box = thing.box_pt
            boxes[(thing.type_key, thing.text, round(box.width, 1), round(box.height, 1))].append(box)
    return boxes


def _bins(moves: list[tuple[float, float]]) -> Iterator[tuple[int, int]]:
    """The bin of each move, and its neighbours: two moves that differ by a hair vote for the same one."""
    for dx, dy in moves:
        yield from ((_bin(dx) + x, _bin(dy) + y) for x in (-1, 0, 1) for y in (-1, 0, 1))


def _bin(distance: float) -> int:
    return round(distance / _BIN_PT)
