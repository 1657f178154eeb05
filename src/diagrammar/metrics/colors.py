"""metrics: which colour of the truth goes with which of the candidate, within one group."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from diagrammar.metrics.ciede2000 import similarity

# Source: Diagram-MMU, appendix C.2, edge cases. Which side it counts is not said: here the larger one.
EXHAUSTIVE_UP_TO = 6
# The exact optimum of more colours takes seconds; a group as large is a surface or a cloud of points.
OPTIMAL_UP_TO = 1000
_ROWS = 256  # compared at a time: the formula needs a dozen numbers for each pair


class ColorPair(NamedTuple):
    """Positions in the two lists, and how alike the colours are, 0..1."""

    truth: int
    candidate: int
    similarity: float


def assign(truth: Sequence[str], candidate: Sequence[str]) -> list[ColorPair]:
    """One-to-one pairs, as many as the shorter list has: the best up to 6 colours a side, greedy above."""
    if not truth or not candidate:
        return []
    if max(len(truth), len(candidate)) <= EXHAUSTIVE_UP_TO:
        return _best(truth, candidate)
    return _greedy(truth, candidate)


def assign_best(truth: Sequence[str], candidate: Sequence[str]) -> list[ColorPair]:
    """One-to-one pairs, as many as the shorter list has, of the largest total similarity; greedy above 1,000."""
    if not truth or not candidate:
        return []
    if max(len(truth), len(candidate)) > OPTIMAL_UP_TO:
        return _greedy(truth, candidate)
    from scipy.optimize import linear_sum_assignment

    alike = similarity(truth, candidate)
    rows, columns = linear_sum_assignment(alike, maximize=True)
    return [ColorPair(int(n), int(m), float(alike[n, m])) for n, m in zip(rows, columns, strict=True)]


def assign_alike(truth: Sequence[str], candidate: Sequence[str], *, at_least: float) -> list[ColorPair]:
    """The most alike pair first, then the most alike of what is left, down to a similarity of `at_least`."""
    return [pair for pair in _greedy(truth, candidate) if pair.similarity >= at_least]


def _best(truth: Sequence[str], candidate: Sequence[str]) -> list[ColorPair]:
    if len({*truth, *candidate}) == 1:  # nearly every group: all of it black
        return [ColorPair(place, place, 1.0) for place in range(min(len(truth), len(candidate)))]
    alike = similarity(truth, candidate)
    if len(truth) > len(candidate):
        alike = alike.T
    rows = np.arange(alike.shape[0])
    choices = _choices(*alike.shape)
    best = choices[int(np.argmax(alike[rows, choices].sum(axis=1)))]
    pairs = [(int(row), int(column)) for row, column in zip(rows, best, strict=True)]
    if len(truth) > len(candidate):
        return [ColorPair(column, row, float(alike[row, column])) for row, column in pairs]
    return [ColorPair(row, column, float(alike[row, column])) for row, column in pairs]


@cache
def _choices(few: int, many: int) -> NDArray[np.intp]:
    """All ways to give each of `few` rows a column of its own among `many`: at most 720."""
    return np.array(list(permutations(range(many), few)), dtype=np.intp)


def _greedy(truth: Sequence[str], candidate: Sequence[str]) -> list[ColorPair]:
    """The most alike pair first, then the most alike of what is left, and so on.

    Equal colours are therefore always paired, and the total depends neither on the order of drawing nor on which
    side is which. A surface may have thousands of patches in as many colours, a scatter plot thousands of points in
    one: distinct colours are paired, as often as both sides have them.
    """
    truth_left, candidate_left = _positions(truth), _positions(candidate)
    pairs: list[ColorPair] = []

    def pair_up(ours: str, theirs: str, alike: float) -> None:
        while truth_left[ours] and candidate_left[theirs]:
            pairs.append(ColorPair(truth_left[ours].popleft(), candidate_left[theirs].popleft(), alike))

    for color in truth_left.keys() & candidate_left.keys():
        pair_up(color, color, 1.0)
    our_colors = sorted(color for color, places in truth_left.items() if places)
    their_colors = sorted(color for color, places in candidate_left.items() if places)
    if our_colors and their_colors:
        starts = range(0, len(our_colors), _ROWS)
        alike = np.concatenate([similarity(our_colors[n : n + _ROWS], their_colors) for n in starts])
        counts = [len(truth_left[color]) for color in our_colors]
        other_counts = [len(candidate_left[color]) for color in their_colors]
        for row, column in _best_first(_rank(our_colors, their_colors, alike), counts, other_counts):
            pair_up(our_colors[row], their_colors[column], float(alike[row, column]))
    return pairs


def _best_first(rank: NDArray[np.int64], rows: list[int], columns: list[int]) -> Iterator[tuple[int, int]]:
    """Row and column of the greedy pairs; `rows` and `columns` are how often each may be paired. Uses up its input.

    A row and a column that are each other's best of what is left are a greedy pair, whatever the others do, so
    that many are found at a time.
    """
    of_row, of_column = rank.argmax(axis=1), rank.argmax(axis=0)
    open_rows, open_columns = np.arange(len(rows)), np.arange(len(columns))
    while open_rows.size and open_columns.size:
        mutual = open_rows[of_column[of_row[open_rows]] == open_rows]
        for row, column in zip(mutual.tolist(), of_row[mutual].tolist(), strict=True):
            yield row, column
            times = min(rows[row], columns[column])
            rows[row] -= times
            columns[column] -= times
            if not rows[row]:
                rank[row, :] = -1
            if not columns[column]:
                rank[:, column] = -1
        open_rows, open_columns = np.flatnonzero(rows), np.flatnonzero(columns)
        orphans = open_rows[~np.isin(of_row[open_rows], open_columns)]
        of_row[orphans] = rank[orphans].argmax(axis=1)
        orphans = open_columns[~np.isin(of_column[open_columns], open_rows)]
        of_column[orphans] = rank[:, orphans].argmax(axis=0)


def _rank(ours: Sequence[str], theirs: Sequence[str], alike: NDArray[np.float64]) -> NDArray[np.int64]:
    """Whole numbers in the order of likeness, which is kept to nine digits.

    Pairs that are equally alike are ordered by a hash of their two colours, whichever of them is the truth's.
    """
    first, second = (np.array([int(color[1:], 16) for color in side]) for side in (ours, theirs))
    low, high = np.minimum(first[:, None], second), np.maximum(first[:, None], second)
    hashed: NDArray[np.int64] = (low * 40_503 + high * 2_654_435_761) % (1 << 32)
    kept: NDArray[np.int64] = (alike * 1e9).round().astype(np.int64)
    return (kept << 32) | hashed


def _positions(colors: Sequence[str]) -> dict[str, deque[int]]:
    positions_by_color: dict[str, deque[int]] = {}
    for position, color in enumerate(colors):
        positions_by_color.setdefault(color, deque()).append(position)
    return positions_by_color
