"""metrics: which colour of the truth goes with which of the candidate, within one group."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from diagrammar.metrics.ciede2000 import similarity

# Source: Diagram-MMU, appendix C.2, edge cases. Which side it counts is not said: here the larger one.
EXHAUSTIVE_UP_TO = 6


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


def _best(truth: Sequence[str], candidate: Sequence[str]) -> list[ColorPair]:
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

    Equal colours are always paired, and the total does not depend on the order of drawing nor on which side
    is which: pairs that are equally alike are taken in the order of their colour codes. A group may hold
    thousands of data points in few colours, so distinct colours are paired, as often as both sides have
    them.
    """
    truth_left, candidate_left = _positions(truth), _positions(candidate)
    truth_colors, candidate_colors = sorted(truth_left), sorted(candidate_left)
    alike = similarity(truth_colors, candidate_colors).round(12)
    order = sorted(
        (-float(alike[i, j]), min(t, c), max(t, c), t, c)
        for i, t in enumerate(truth_colors)
        for j, c in enumerate(candidate_colors)
    )
    pairs: list[ColorPair] = []
    for unlike, _, _, t, c in order:
        ours, theirs = truth_left[t], candidate_left[c]
        while ours and theirs:
            pairs.append(ColorPair(ours.popleft(), theirs.popleft(), -unlike))
    return pairs


def _positions(colors: Sequence[str]) -> dict[str, deque[int]]:
    positions_by_color: dict[str, deque[int]] = {}
    for position, color in enumerate(colors):
        positions_by_color.setdefault(color, deque()).append(position)
    return positions_by_color
