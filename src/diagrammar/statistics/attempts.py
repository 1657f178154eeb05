"""statistics: several answers to each task -> what k answers would reach, for every k up to what was asked.

Source: pass@k as Chen et al. 2021, "Evaluating large language models trained on code", section 2.1; the best of k is
the same idea for a score instead of a verdict: the mean over all sets of k of the answers, not over some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, fsum

from diagrammar.records.scores import NotComputed


def pass_at_k(n: int, passed: int, k: int) -> float | NotComputed:
    """How likely at least one of k answers passes, where `passed` of n did; in 0..1, without bias."""
    if not 0 <= passed <= n or k < 1:
        raise ValueError(f"{passed} of {n} answers, k = {k}")
    if k > n:
        return _too_few(n, k)
    return 1.0 - comb(n - passed, k) / comb(n, k)


def best_of_k(scores: Sequence[float], k: int, *, lower_is_better: bool = False) -> float | NotComputed:
    """The score to expect of the best of k answers, where these were given; without bias.

    The mean over all sets of k of the answers: the i-th lowest is the best of C(i-1, k-1) of them.
    """
    n = len(scores)
    if k < 1:
        raise ValueError(f"k = {k}")
    if k > n:
        return _too_few(n, k)
    worst_first = sorted(scores, reverse=lower_is_better)
    weighted = (score * (comb(i - 1, k - 1) / comb(n, k)) for i, score in enumerate(worst_first, start=1))
    return fsum(weighted)


def mean_pass_at_k(
    scores_by_task: Sequence[Sequence[float]], k: int, *, at_least: float
) -> float | NotComputed:
    """The mean over tasks of pass@k, where an answer passes with a score of `at_least`."""
    return _mean(
        scores_by_task, k, lambda scores: pass_at_k(len(scores), sum(s >= at_least for s in scores), k)
    )


def mean_best_of_k(
    scores_by_task: Sequence[Sequence[float]], k: int, *, lower_is_better: bool = False
) -> float | NotComputed:
    """The mean over tasks of the score to expect of the best of k answers."""
    return _mean(scores_by_task, k, lambda scores: best_of_k(scores, k, lower_is_better=lower_is_better))


def _mean(
    scores_by_task: Sequence[Sequence[float]],
    k: int,
    of_task: Callable[[Sequence[float]], float | NotComputed],
) -> float | NotComputed:
    if not scores_by_task:
        return NotComputed(reason="no tasks")
    fewest = min(map(len, scores_by_task))
    if fewest < k:
        # Left out, such a task would change what the mean is of.
        return NotComputed(reason=f"k = {k}, but a task has only {fewest} scored answers")
    values = [value for scores in scores_by_task if not isinstance(value := of_task(scores), NotComputed)]
    return fsum(values) / len(values)


def _too_few(n: int, k: int) -> NotComputed:
    return NotComputed(reason=f"k = {k}, but there are only {n} answers")
