"""Two models on the same tasks: the test agrees with scipy's, and no task is lost on the way."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from diagrammar.records.scores import NotComputed
from diagrammar.statistics.bootstrap import Interval
from diagrammar.statistics.compare import compare, compare_all, flip_p, holm


def by_task(scores):
    return {f"t{at}": [score] for at, score in enumerate(scores)}


@pytest.mark.parametrize("seed", range(4))
def test_few_tasks_are_flipped_in_every_way(seed):
    differences = np.round(np.random.default_rng(seed).normal(0.1, 0.3, 8), 1)  # with ties and zeros
    flipped = [abs(np.dot(signs, differences)) for signs in product((1, -1), repeat=8)]
    expected = np.mean([mean >= abs(differences.sum()) - 1e-9 for mean in flipped])
    assert flip_p(differences) == pytest.approx(expected)
    theirs = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert flip_p(differences) == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize("shift", [0.0, 0.04, 0.2])
def test_many_tasks_agree_with_scipy(shift):
    differences = np.random.default_rng(2).normal(shift, 0.2, 80)
    theirs = stats.permutation_test(
        (differences,), lambda d, axis: d.mean(axis=axis), permutation_type="samples", vectorized=True,
        n_resamples=20_000, rng=np.random.default_rng(3),
    )  # fmt: skip
    assert flip_p(differences) == pytest.approx(theirs.pvalue, abs=0.02)  # both are drawn


def test_no_difference_is_no_evidence():
    assert flip_p([0.0, 0.0]) == flip_p([]) == 1.0
    assert flip_p([0.1]) == 1.0  # one task never tells
    assert flip_p([0.1] * 6) == pytest.approx(2 / 2**6)


def test_a_comparison_by_hand():
    first = {"a": [1.0, 0.5], "b": [0.5], "c": [0.2], "d": [0.9], "e": [0.4], "only": [1.0]}
    second = {"a": [0.5], "b": [0.5], "c": [0.3], "d": [0.3], "e": [0.1], "none": [0.0], "lost": []}
    found = compare(first, second)
    # differences .25, 0, -.1, .6, .3
    assert found.difference == pytest.approx(0.21)
    assert (found.wins, found.ties, found.losses, found.n) == (3, 1, 1, 5)
    assert (found.only_first, found.only_second) == (1, 1)
    assert found.p == pytest.approx(2 * 2 / 2**4)  # by hand: of 16 sums, +-1.25 and +-1.05 reach 1.05
    assert isinstance(found.interval, Interval) and found.interval.low < 0.21 < found.interval.high


def test_lower_wins_where_lower_is_better():
    found = compare(by_task([0.1, 0.2, 0.5]), by_task([0.3, 0.2, 0.4]), lower_is_better=True)
    assert (found.wins, found.ties, found.losses) == (1, 1, 1)
    assert found.difference == pytest.approx(-0.1 / 3)


def test_a_paired_interval_is_narrower_than_two_apart():
    rng = np.random.default_rng(4)
    hard = rng.random(60)
    first, second = hard * 0.9 + 0.1, hard * 0.9 + rng.normal(0.05, 0.02, 60)
    found = compare(by_task(first), by_task(second))
    assert found.interval.high - found.interval.low < 0.02 < np.std(hard) / np.sqrt(60)
    theirs = stats.bootstrap((first - second,), np.mean, rng=np.random.default_rng(1)).confidence_interval
    assert (found.interval.low, found.interval.high) == pytest.approx((theirs.low, theirs.high), abs=0.0005)


def test_nothing_in_common_is_not_compared():
    assert compare({"a": [1.0]}, {"b": [1.0]}) == NotComputed(reason="no task has a score of both")


def test_holm_by_hand():
    # .01 * 4 = .04, .02 * 3 = .06, .03 * 2 = .06, .5; in any order
    assert holm([0.01, 0.02, 0.03, 0.5]) == pytest.approx([0.04, 0.06, 0.06, 0.5])
    assert holm([0.5, 0.03, 0.01, 0.02]) == pytest.approx([0.5, 0.06, 0.04, 0.06])
    assert holm([0.4, 0.9]) == pytest.approx([0.8, 0.9]) and holm([0.7, 0.6]) == [1.0, 1.0] and holm([]) == []


def test_each_pair_of_models_is_compared_once_the_better_one_first():
    rng = np.random.default_rng(6)
    models = [by_task(np.clip(rng.normal(level, 0.1, 30), 0, 1)) for level in (0.3, 0.6, 0.5)]
    found = compare_all([*models, {"elsewhere": [1.0]}])
    assert {place for place in found if 3 not in place} == {(1, 0), (2, 0), (1, 2)}
    assert all(isinstance(pair, NotComputed) for place, pair in found.items() if 3 in place)
    real = [pair for place, pair in found.items() if 3 not in place]
    assert all(pair.difference > 0 and pair.p <= pair.p_holm for pair in real)
    assert found[1, 0].wins == compare(models[0], models[1]).losses
    upside_down = compare_all(models, lower_is_better=True)
    assert set(upside_down) == {(0, 1), (0, 2), (2, 1)}
