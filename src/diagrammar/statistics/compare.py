"""statistics: two models' scores by task -> which is better, by how much, and whether chance could do it.

Source: paired by task; the sign-flip test is Fisher's randomisation test for pairs (The Design of Experiments, 1935),
its drawn form with one added to both counts as Phipson and Smyth 2010; Holm 1979 for many pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import fsum

import numpy as np
from numpy.typing import NDArray

from diagrammar.records.scores import NotComputed
from diagrammar.statistics.bootstrap import LEVEL, RESAMPLES, SEED, Interval, mean_interval

Floats = NDArray[np.float64]
ScoresByTask = Mapping[str, Sequence[float]]  # the attempts at a task; none where it is not computed

# Up to so many tasks that differ, every way to flip them is tried: 2^14.
MAX_EXACT = 14
FLIPS = 10_000
_CELLS_AT_ONCE = 1_000_000
_SAME = 1e-12


@dataclass(frozen=True)
class Comparison:
    """The first model against the second on the tasks that both have a score for."""

    difference: float  # mean of first minus second
    interval: Interval | NotComputed
    p: float  # two-sided, that the two are exchangeable on every task
    p_holm: float | None  # the same for one of many comparisons
    wins: int  # tasks on which the first is better
    ties: int
    losses: int
    n: int
    only_first: int  # tasks that the second has no score for, left out
    only_second: int


def compare(
    first: ScoresByTask,
    second: ScoresByTask,
    *,
    lower_is_better: bool = False,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison | NotComputed:
    """The comparison; a task with several attempts counts with their mean."""
    ours, theirs = (_mean_by_task(scores) for scores in (first, second))
    common = sorted(ours.keys() & theirs.keys())  # in one order, so that the draws are the same each time
    if not common:
        return NotComputed(reason="no task has a score of both")
    differences = np.array([ours[task] - theirs[task] for task in common])
    differences[np.abs(differences) < _SAME] = 0.0
    gains = -differences if lower_is_better else differences
    interval = mean_interval([[d] for d in differences], level=level, resamples=resamples, seed=seed)
    return Comparison(
        difference=fsum(differences) / len(common),
        interval=interval,
        p=flip_p(differences, seed=seed),
        p_holm=None,
        wins=int((gains > 0).sum()),
        ties=int((gains == 0).sum()),
        losses=int((gains < 0).sum()),
        n=len(common),
        only_first=len(ours) - len(common),
        only_second=len(theirs) - len(common),
    )


def compare_all(
    scores_by_model: Sequence[ScoresByTask],
    *,
    lower_is_better: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[tuple[int, int], Comparison | NotComputed]:
    """Each two models once, the better one first, with Holm's p over all of them."""
    found: dict[tuple[int, int], Comparison | NotComputed] = {}
    for one, other in combinations(range(len(scores_by_model)), 2):
        first, second = scores_by_model[one], scores_by_model[other]
        pair = compare(first, second, lower_is_better=lower_is_better, resamples=resamples, seed=seed)
        if isinstance(pair, Comparison) and (pair.difference > 0 if lower_is_better else pair.difference < 0):
            found[other, one] = _turned(pair)
        else:
            found[one, other] = pair
    compared = {place: pair for place, pair in found.items() if isinstance(pair, Comparison)}
    adjusted = holm([pair.p for pair in compared.values()])
    for (place, pair), p in zip(compared.items(), adjusted, strict=True):
        found[place] = replace(pair, p_holm=p)
    return found


def _turned(pair: Comparison) -> Comparison:
    """The second model against the first."""
    turned_interval = pair.interval
    if isinstance(turned_interval, Interval):
        turned_interval = Interval(-turned_interval.high, -turned_interval.low, turned_interval.level)
    return replace(
        pair,
        difference=-pair.difference, interval=turned_interval,
        wins=pair.losses, losses=pair.wins,
        only_first=pair.only_second, only_second=pair.only_first,
    )  # fmt: skip


def flip_p(differences: Sequence[float] | Floats, *, flips: int = FLIPS, seed: int = SEED) -> float:
    """How often a mean at least as far from 0 comes out where each difference may as well be its negative.

    In 0..1. All ways to flip are tried for up to 14 differences that are not 0, beyond that `flips` drawn ones.
    """
    given = np.asarray(differences, dtype=np.float64)
    moved = given[given != 0]
    reached = abs(float(moved.sum())) - _SAME * max(1.0, float(np.abs(moved).sum()))
    if len(moved) <= MAX_EXACT:
        numbers = np.arange(2 ** len(moved))
        signs = 1.0 - 2.0 * ((numbers[:, None] >> np.arange(len(moved))) & 1)
        return float((np.abs(signs @ moved) >= reached).mean())
    signs_drawn = _signs(len(given), flips, seed)
    at_once = max(1, _CELLS_AT_ONCE // len(given))
    as_far = sum(
        int((np.abs(signs_drawn[begun : begun + at_once].astype(np.float64) @ given) >= reached).sum())
        for begun in range(0, flips, at_once)
    )
    return (as_far + 1) / (flips + 1)


@lru_cache(maxsize=4)
def _signs(tasks: int, flips: int, seed: int) -> NDArray[np.int8]:
    """[flip, task]: 1 or -1. Kept, as each pair of models of a report takes the same."""
    return 1 - 2 * np.random.default_rng(seed).integers(0, 2, size=(flips, tasks), dtype=np.int8)


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p made larger, so that among all of them a false alarm is as rare as in one."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def _mean_by_task(scores_by_task: ScoresByTask) -> dict[str, float]:
    return {task: fsum(scores) / len(scores) for task, scores in scores_by_task.items() if scores}
