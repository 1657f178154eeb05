"""Distances of sets of pictures; golden values were computed by torchmetrics (scripts/crosscheck.py)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from diagrammar.metrics.pictures.frechet import frechet_distance
from diagrammar.metrics.pictures.kernel import kernel_distance

GOLDEN = json.loads((Path(__file__).parent / "pictures.json").read_text())


def draw_features(truths: int, candidates: int, length: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """As scripts/crosscheck.py draws them."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(truths, length)), rng.normal(0.3, 1.5, size=(candidates, length))


def kid(
    truth: np.ndarray, candidate: np.ndarray, *, subset_size: int = 1000, subsets: int = 1, seed: int = 0
):
    return kernel_distance(
        truth, candidate, subset_size=subset_size, subsets=subsets, rng=np.random.default_rng(seed)
    )


@pytest.mark.parametrize(("truths", "candidates", "length", "seed", "expected"), GOLDEN["fid"])
def test_fid_is_torchmetrics(truths: int, candidates: int, length: int, seed: int, expected: float) -> None:
    found = frechet_distance(*draw_features(truths, candidates, length, seed))
    assert found == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("length", [1, 2, 5])  # fewer features than pictures, as many, more
def test_fid_of_two_pictures_a_side_by_hand(length: int) -> None:
    truth, candidate = np.zeros((2, length)), np.zeros((2, length))
    truth[:, 0], candidate[:, 0] = [0, 2], [3, 7]
    # means 1 and 5, variances 2 and 8: 16 + 2 + 8 - 2 * 4
    assert frechet_distance(truth, candidate) == pytest.approx(18, abs=1e-12)


def test_fid_of_spreads_that_share_no_direction_is_their_sum() -> None:
    truth, candidate = np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([[0.0, -2.0], [0.0, 2.0]])
    assert frechet_distance(truth, candidate) == pytest.approx(2 + 8, abs=1e-12)


def test_fid_is_the_same_whether_sets_are_small_or_large_beside_the_features() -> None:
    truth, candidate = draw_features(30, 20, 8, 7)  # more pictures than features
    padded = [np.hstack([side, np.zeros((len(side), 90))]) for side in (truth, candidate)]
    assert frechet_distance(*padded) == pytest.approx(frechet_distance(truth, candidate), rel=1e-10)


@pytest.mark.parametrize("length", [4, 2048])
def test_fid_of_a_set_with_itself_is_next_to_nothing_and_never_below(length: int) -> None:
    features = np.random.default_rng(3).normal(size=(40, length)).astype(np.float32)
    assert 0 <= frechet_distance(features, features) < 1e-9
    assert 0 <= frechet_distance(features, features[::-1]) < 1e-9


@pytest.mark.parametrize(("truths", "candidates", "length", "seed", "expected"), GOLDEN["kid"])
def test_kid_is_torchmetrics(truths: int, candidates: int, length: int, seed: int, expected: float) -> None:
    assert kid(*draw_features(truths, candidates, length, seed)) == pytest.approx(expected, rel=1e-9)


def test_kid_by_hand() -> None:
    truth, candidate = np.array([[0.0], [1.0]]), np.array([[2.0], [3.0]])
    # kernel (x y + 1)^3: within 1 and 343, across 1, 1, 27 and 64
    assert kid(truth, candidate) == pytest.approx(1 + 343 - 2 * 93 / 4)


def test_kid_takes_sets_of_different_sizes() -> None:
    truth, candidate = np.array([[0.0], [0.0], [0.0]]), np.array([[1.0], [1.0]])
    assert kid(truth, candidate) == pytest.approx(1 + 8 - 2)


def test_kid_of_drawn_subsets_is_near_that_of_all_and_repeats() -> None:
    truth, candidate = draw_features(120, 120, 6, 11)
    whole = kid(truth, candidate)
    drawn = kid(truth, candidate, subset_size=50, subsets=100)
    assert drawn == kid(truth, candidate, subset_size=50, subsets=100)
    assert drawn != kid(truth, candidate, subset_size=50, subsets=100, seed=1)
    assert drawn == pytest.approx(whole, rel=0.1)


def test_kid_does_not_grow_as_sets_shrink_where_fid_does() -> None:
    rng = np.random.default_rng(13)
    large = rng.normal(size=(2, 400, 64))  # the same distribution on both sides
    small = [rng.normal(size=(2, 8, 64)) for _ in range(100)]
    assert np.mean([frechet_distance(*sides) for sides in small]) > 5 * frechet_distance(*large)
    assert abs(np.mean([kid(*sides) for sides in small])) < 0.05
    assert abs(kid(*large)) < 0.01
