"""pass@k and the best of k are the means over every set of k answers: all of them are counted out."""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import mean

import pytest

from diagrammar.records.scores import NotComputed
from diagrammar.statistics.attempts import best_of_k, mean_best_of_k, mean_pass_at_k, pass_at_k

SMALL = [(n, k) for n in range(1, 9) for k in range(1, n + 1)]


@pytest.mark.parametrize(("n", "k"), SMALL)
def test_pass_at_k_is_the_share_of_sets_with_a_pass(n, k):
    for passed in range(n + 1):
        sets = list(combinations([True] * passed + [False] * (n - passed), k))
        assert pass_at_k(n, passed, k) == pytest.approx(sum(map(any, sets)) / len(sets), abs=1e-15)


@pytest.mark.parametrize(("n", "k"), SMALL)
def test_the_best_of_k_is_the_mean_of_the_sets_best(n, k):
    random = Random(100 * n + k)
    scores = [round(random.random(), 1) for _ in range(n)]  # with equal ones among them
    sets = list(combinations(scores, k))
    assert best_of_k(scores, k) == pytest.approx(mean(map(max, sets)), abs=1e-14)
    assert best_of_k(scores, k, lower_is_better=True) == pytest.approx(mean(map(min, sets)), abs=1e-14)


def test_many_answers_are_exact():
    # by hand: 1 - 199/200, and with k = 100 half of the sets hold the one that passes
    assert pass_at_k(200, 1, 1) == pytest.approx(1 / 200, rel=1e-12)
    assert pass_at_k(200, 1, 100) == pytest.approx(0.5, rel=1e-12)


def test_one_of_k_is_the_mean_and_all_of_them_the_best():
    scores = [0.25, 1.0, 0.0, 0.5]
    assert best_of_k(scores, 1) == pytest.approx(mean(scores))
    assert best_of_k(scores, 4) == 1.0
    assert pass_at_k(4, 1, 4) == 1.0


def test_more_than_there_are_is_not_computed():
    assert pass_at_k(3, 1, 4) == NotComputed(reason="k = 4, but there are only 3 answers")
    assert best_of_k([0.5], 2) == NotComputed(reason="k = 2, but there are only 1 answers")
    assert isinstance(mean_best_of_k([[1.0, 0.0], [1.0]], 2), NotComputed)
    assert mean_best_of_k([], 1) == NotComputed(reason="no tasks")


def test_means_are_over_tasks():
    scores = [[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]]
    # by hand: of each task one pair, which passes at 0.5 in two of three tasks; single answers 1/2, 1, 0
    assert mean_pass_at_k(scores, 2, at_least=0.5) == pytest.approx(2 / 3)
    assert mean_pass_at_k(scores, 1, at_least=0.5) == pytest.approx(1 / 2)
    assert mean_best_of_k(scores, 2) == pytest.approx(0.5)
