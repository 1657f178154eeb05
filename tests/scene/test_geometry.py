"""Tight boxes of curves, against dense sampling; transforms, against arithmetic."""

from __future__ import annotations

import math
import random

import pytest

from diagrammar.scene.geometry import Matrix, Rect, Segment, Subpath, path_box


def curve(*points: tuple[float, float]) -> Subpath:
    return Subpath((Segment("m", (points[0],)), Segment("c", points[1:])))


@pytest.mark.parametrize("seed", range(20))
def test_the_box_of_a_curve_is_that_of_its_dense_sampling(seed: int) -> None:
    rng = random.Random(seed)
    p = [(rng.uniform(-50, 50), rng.uniform(-50, 50)) for _ in range(4)]
    samples = []
    for step in range(20_001):
        t = step / 20_000
        weights = ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
        samples.append(tuple(sum(w * q[axis] for w, q in zip(weights, p, strict=True)) for axis in (0, 1)))
    xs, ys = zip(*samples, strict=True)
    assert path_box([curve(*p)]) == pytest.approx((min(xs), min(ys), max(xs), max(ys)), abs=1e-3)


def test_a_turned_ellipse_has_its_own_box_and_not_its_control_points() -> None:
    # half axes a = 20, b = 10, turned by 30 degrees: half width is the root of (a cos)^2 + (b sin)^2
    k = 4 / 3 * math.tan(math.pi / 8)
    turn = Matrix(math.cos(math.pi / 6), math.sin(math.pi / 6), -math.sin(math.pi / 6), math.cos(math.pi / 6))
    quarter = [((1, 0), (1, k), (k, 1), (0, 1)), ((0, 1), (-k, 1), (-1, k), (-1, 0)),
               ((-1, 0), (-1, -k), (-k, -1), (0, -1)), ((0, -1), (k, -1), (1, -k), (1, 0))]  # fmt: skip
    box = path_box([curve(*(turn.apply(20 * x, 10 * y) for x, y in part)) for part in quarter])
    half_width = math.hypot(20 * math.cos(math.pi / 6), 10 * math.sin(math.pi / 6))
    half_height = math.hypot(20 * math.sin(math.pi / 6), 10 * math.cos(math.pi / 6))
    assert box == pytest.approx((-half_width, -half_height, half_width, half_height), abs=0.02)


def test_matrices_compose_inner_first() -> None:
    inner, outer = Matrix(e=4, f=4), Matrix(a=0.5, d=0.5)
    assert inner.then(outer).apply(2, 0) == (3.0, 2.0)  # (2 + 4) / 2, (0 + 4) / 2
    assert outer.then(inner).apply(2, 0) == (5.0, 4.0)


def test_a_box_outside_its_clip_is_none_and_one_at_its_edge_is_flat() -> None:
    box = Rect(0, 0, 2, 2)
    assert box.clipped(Rect(3, 3, 4, 4)) is None
    assert box.clipped(Rect(2, 0, 4, 4)) == Rect(2, 0, 2, 2)


def test_a_path_that_comes_back_is_closed_and_a_rectangle_is_told_from_a_kite() -> None:
    def through(*points: tuple[float, float]) -> Subpath:
        return Subpath((Segment("m", (points[0],)), *(Segment("l", (point,)) for point in points[1:])))

    assert through((0, 0), (1, 0), (1, 1), (0, 0)).closed
    assert not through((0, 0), (1, 0), (1, 1)).closed
    assert through((0, 0), (2, 0), (2, 1), (0, 1), (0, 0)).is_rectangle
    assert not through((0, 0), (2, 1), (4, 0), (2, -1), (0, 0)).is_rectangle
