"""statistics: scores of answers by task -> how far their mean might lie off, had other tasks been drawn.

Tasks are drawn, not answers: several attempts of one task stay together (a cluster bootstrap). Many columns of scores
share the draws, which makes a whole report as cheap as one of its numbers.

Source: Efron 1987, "Better bootstrap confidence intervals" (BCa); Efron and Tibshirani 1993, chapter 14.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from diagrammar.records.scores import NotComputed

Floats = NDArray[np.float64]
Method = Literal["bca", "percentile"]

LEVEL = 0.95
RESAMPLES = 5_000
SEED = 1
# Of fewer tasks the resamples are so few different ones that their spread tells little.
MIN_TASKS = 5
_CELLS_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class Interval:
    """Where the mean of all tasks of the kind is to be expected."""

    low: float
    high: float
    level: float = LEVEL


def mean_interval(
    scores_by_task: Sequence[Sequence[float]],
    *,
    level: float = LEVEL,
    method: Method = "bca",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval | NotComputed:
    """The interval of the mean over all answers; a task's scores are those of its attempts."""
    sums = np.array([[sum(scores)] for scores in scores_by_task], dtype=np.float64).reshape(-1, 1)
    counts = np.array([[len(scores)] for scores in scores_by_task], dtype=np.float64).reshape(-1, 1)
    (found,) = mean_intervals(sums, counts, level=level, method=method, resamples=resamples, seed=seed)
    return found


def mean_intervals(
    sums: Floats,
    counts: Floats,
    *,
    level: float = LEVEL,
    method: Method = "bca",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Interval | NotComputed]:
    """An interval per column of means; [task, column] holds the sum and the number of a task's scores.

    The number is 0 where a task has no score in a column. Bounds are those of `method`: BCa, or plain
    percentiles of the resampled means.
    """
    tasks = (counts > 0).sum(axis=0)
    enough = np.flatnonzero(tasks >= MIN_TASKS)
    found: list[Interval | NotComputed] = [
        NotComputed(reason=f"{n} task{'' if n == 1 else 's'}; an interval takes {MIN_TASKS}") for n in tasks
    ]
    if not enough.size:
        return found
    sums, counts = sums[:, enough], counts[:, enough]
    means = sums.sum(axis=0) / counts.sum(axis=0)
    resampled = _resampled_means(sums, counts, resamples, seed)
    for column, place in enumerate(enough):
        drawn = resampled[:, column]
        shares = np.array([(1 - level) / 2, (1 + level) / 2])
        if method == "bca":
            without = _means_without_one(sums[:, column], counts[:, column])
            shares = _corrected(shares, drawn, float(means[column]), without)
        low, high = np.nanquantile(drawn, shares)
        found[place] = Interval(float(low), float(high), level)
    return found


def _resampled_means(sums: Floats, counts: Floats, resamples: int, seed: int) -> Floats:
    """[resample, column]; not a number where a resample holds no task with a score in the column."""
    times = _times_drawn(len(sums), resamples, seed)
    at_once = max(1, _CELLS_AT_ONCE // len(sums))
    parts = []
    for begun in range(0, resamples, at_once):
        part = times[begun : begun + at_once].astype(np.float64)
        total, number = part @ sums, part @ counts
        parts.append(np.divide(total, number, out=np.full_like(total, np.nan), where=number > 0))
    return np.concatenate(parts)


@lru_cache(maxsize=16)
def _times_drawn(tasks: int, resamples: int, seed: int) -> NDArray[np.uint16]:
    """[resample, task]: how often the task was drawn, of as many draws as there are tasks.

    Kept, as a report asks for the same draws again and again: each model's, each pair's.
    """
    rng = np.random.default_rng(seed)
    times = np.empty((resamples, tasks), dtype=np.uint16)
    for row in times:
        row[:] = np.bincount(rng.integers(0, tasks, size=tasks), minlength=tasks)
    return times


def _means_without_one(sums: Floats, counts: Floats) -> Floats:
    """The means that leave out one task each, of those that have a score."""
    scored = counts > 0
    sums, counts = sums[scored], counts[scored]
    return np.asarray((sums.sum() - sums) / (counts.sum() - counts), dtype=np.float64)


def _corrected(shares: Floats, drawn: Floats, mean: float, without: Floats) -> Floats:
    """The shares of the resamples to cut at, corrected for bias and for a spread that changes with the mean."""
    from scipy.special import ndtr, ndtri

    drawn = drawn[~np.isnan(drawn)]
    # Sums in another order differ in the last digit: that is no resample above the mean.
    near = 1e-12 * max(1.0, abs(mean))
    below = ((drawn < mean - near).sum() + (drawn <= mean + near).sum()) / (2 * len(drawn))
    edge = 1 / (2 * len(drawn))
    bias = ndtri(np.clip(below, edge, 1 - edge))
    off = without.mean() - without
    spread = (off**2).sum()
    acceleration = (off**3).sum() / (6 * spread**1.5) if spread > near**2 else 0.0
    shifted = bias + ndtri(shares)
    return np.asarray(ndtr(bias + shifted / (1 - acceleration * shifted)), dtype=np.float64)
