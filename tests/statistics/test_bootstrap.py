"""Intervals agree with scipy's own bootstrap, and hold the truth as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from diagrammar.records.scores import NotComputed
from diagrammar.statistics.bootstrap import MIN_TASKS, Interval, mean_interval, mean_intervals

METHODS = [("bca", "BCa"), ("percentile", "percentile")]


def skewed(n: int, seed: int) -> np.ndarray:
    """Scores as a metric gives them: some answers draw nothing, most are good."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.15, 0.0, rng.beta(5, 1.5, n))


@pytest.mark.parametrize(("method", "scipys"), METHODS)
def test_an_interval_is_scipys(method, scipys):
    scores = skewed(60, seed=3)
    ours = mean_interval([[s] for s in scores], method=method, resamples=40_000)
    theirs = stats.bootstrap(
        (scores,), np.mean, method=scipys, n_resamples=40_000, rng=np.random.default_rng(5)
    ).confidence_interval
    # other draws: the bounds themselves vary by about a hundredth of the interval's width
    width = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.02 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.02 * width)


@pytest.mark.parametrize(("method", "scipys"), METHODS)
def test_attempts_of_a_task_stay_together(method, scipys):
    rng = np.random.default_rng(8)
    counts = rng.integers(1, 5, 40)
    by_task = [
        list(np.clip(rng.normal(level, 0.05, n), 0, 1))
        for level, n in zip(rng.random(40), counts, strict=True)
    ]
    ours = mean_interval(by_task, method=method, resamples=40_000)
    sums = np.array([sum(scores) for scores in by_task])

    def ratio(sums, counts, axis):
        return sums.sum(axis=axis) / counts.sum(axis=axis)

    theirs = stats.bootstrap(
        (sums, counts), ratio, paired=True, vectorized=True, method=scipys, n_resamples=40_000,
        rng=np.random.default_rng(5), batch=1000,
    ).confidence_interval  # fmt: skip
    width = theirs.high - theirs.low
    assert ours.low == pytest.approx(theirs.low, abs=0.02 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.02 * width)
    # answers drawn one by one would look far surer than they are
    loose = mean_interval([[score] for scores in by_task for score in scores], method=method)
    assert loose.high - loose.low < 0.8 * width


def test_a_few_tasks_agree_with_every_resample_there_is():
    scores = [0.1, 0.2, 0.4, 0.8, 1.0]
    every = np.array(np.meshgrid(*[scores] * 5)).reshape(5, -1).mean(axis=0)  # 5^5 resamples
    ours = mean_interval([[s] for s in scores], method="percentile", resamples=200_000)
    assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(every, [0.025, 0.975])), abs=0.021)


def test_the_truth_lies_inside_as_often_as_promised():
    truth = 0.85 * 5 / 6.5  # of `skewed`: a beta's mean, and 15 % zeros
    inside = 0
    for seed in range(400):
        found = mean_interval([[s] for s in skewed(60, seed)], resamples=1000)
        inside += found.low <= truth <= found.high
    assert 0.92 <= inside / 400 <= 0.975  # binomial: .95 +- .025 with certainty


def test_the_same_seed_gives_the_same_interval():
    tasks = [[s] for s in skewed(30, seed=1)]
    assert mean_interval(tasks, seed=7) == mean_interval(tasks, seed=7) != mean_interval(tasks, seed=8)


def test_columns_share_the_draws_and_may_lack_scores():
    full, other = skewed(50, seed=1), skewed(50, seed=2)
    counts = np.ones((50, 3))
    counts[10:, 1] = 0  # forty tasks lack a score there, and all but two in the last column
    counts[2:, 2] = 0
    found = mean_intervals(np.stack([full, other, full], axis=1) * counts, counts)
    assert found[0] == mean_interval([[s] for s in full])
    alone = mean_interval([[s] for s in other[:10]], resamples=40_000)
    assert found[1].low == pytest.approx(alone.low, abs=0.06) and found[1].high == pytest.approx(
        alone.high, abs=0.06
    )
    assert found[2] == NotComputed(reason=f"2 tasks; an interval takes {MIN_TASKS}")


def test_equal_scores_give_an_interval_of_no_width():
    assert mean_interval([[0.1, 0.1]] * 9) == Interval(pytest.approx(0.1), pytest.approx(0.1))


def test_one_odd_task_does_not_break_it():
    found = mean_interval([[1.0]] * 9 + [[0.0]])
    assert 0 < found.low < 0.9 < found.high <= 1


def test_nothing_has_no_interval():
    assert isinstance(mean_interval([]), NotComputed)
    assert mean_interval([[1.0]]) == NotComputed(reason=f"1 task; an interval takes {MIN_TASKS}")
