"""Path data, arcs and transforms as SVG means them; the addresses are those of faults reported of other readers."""

from __future__ import annotations

import math

import pytest
from lxml import etree

from diagrammar.scene.geometry import Matrix, Rect, path_box
from diagrammar.scene.svg.gradients import Gradient, inverted
from diagrammar.scene.svg.names import characters
from diagrammar.scene.svg.paths import path_data, placed, subpaths_of
from diagrammar.scene.svg.transforms import read_transform

SVG = "xmlns='http://www.w3.org/2000/svg'"


def box(data: str, transform: str = "") -> Rect:
    found = path_box(placed(path_data(data), read_transform(transform)))
    assert found is not None
    return found


def sampled(
    start: tuple[float, float],
    radii: tuple[float, float],
    turn: float,
    flags: tuple[int, int],
    end: tuple[float, float],
    m: Matrix,
) -> Rect:
    """The box of 20,000 points of an arc. The centre is found in the frame where the ellipse is the unit circle:
    there it lies on the perpendicular bisector of the chord, on the side that the two flags say."""
    rx, ry = radii
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def to_unit(p: tuple[float, float]) -> tuple[float, float]:
        return (cos * p[0] + sin * p[1]) / rx, (-sin * p[0] + cos * p[1]) / ry

    (ax, ay), (bx, by) = to_unit(start), to_unit(end)
    half = math.dist((ax, ay), (bx, by)) / 2
    away = math.sqrt(max(0.0, 1 - half * half))
    side = 1 if flags[0] != flags[1] else -1
    cx = (ax + bx) / 2 - side * away * (by - ay) / (2 * half)
    cy = (ay + by) / 2 + side * away * (bx - ax) / (2 * half)
    first, last = math.atan2(ay - cy, ax - cx), math.atan2(by - cy, bx - cx)
    while flags[1] and last < first:
        last += math.tau
    while not flags[1] and last > first:
        last -= math.tau
    points = []
    for n in range(20_001):
        t = first + (last - first) * n / 20_000
        u, v = rx * (cx + math.cos(t)), ry * (cy + math.sin(t))
        points.append(m.apply(cos * u - sin * v, sin * u + cos * v))
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs), max(ys))


# svgpathtools 174, 126, 98; svgpath 13: a tilted arc under a mirror, a turn, and unequal scales
@pytest.mark.parametrize(
    "transform", ["", "matrix(1 0 0 -1 10 10)", "scale(1,2)", "rotate(-135)", "skewX(30) translate(3 4)"]
)
@pytest.mark.parametrize(
    ("start", "radii", "turn", "flags", "end"),
    [
        ((0, 0), (20, 10), 30, (0, 1), (25, 15)),
        ((0, 0), (10, 5), 45, (0, 1), (10, 10)),
        ((0, 0), (20, 10), 30, (1, 0), (25, 15)),
        ((3, -2), (7, 9), 100, (1, 1), (5, 6)),
        ((3, -2), (7, 9), -20, (0, 0), (5, 6)),
    ],
)
def test_the_box_of_an_arc_is_that_of_its_points(
    start: tuple[float, float],
    radii: tuple[float, float],
    turn: float,
    flags: tuple[int, int],
    end: tuple[float, float],
    transform: str,
) -> None:
    data = f"M{start[0]} {start[1]}A{radii[0]} {radii[1]} {turn} {flags[0]} {flags[1]} {end[0]} {end[1]}"
    truth = sampled(start, radii, turn, flags, end, read_transform(transform))
    assert box(data, transform) == pytest.approx(truth, abs=0.001)


def test_a_circle_of_two_arcs_keeps_its_size_however_it_is_turned() -> None:
    circle = "M-4 0A4 4 0 1 1 4 0A4 4 0 1 1-4 0Z"
    assert box(circle, "rotate(-135)") == pytest.approx((-4, -4, 4, 4), abs=0.001)


@pytest.mark.parametrize(
    ("packed", "spaced"),
    [
        ("M0 0A5 5 0 0110 0", "M 0 0 A 5 5 0 0 1 10 0"),  # svgpathtools 129, 245; svg.path 53
        ("M0 0a5 5 0 01.5.5", "M 0 0 a 5 5 0 0 1 0.5 0.5"),
        ("M.5.5-1-1", "M 0.5 0.5 L -1 -1"),
        ("M0,0h10v1e1z", "M 0 0 H 10 V 10 Z"),
        ("m1 1 2 0 0 2z", "M1 1 L3 1 L3 3 Z"),
        ("M0 0C1 1 2 1 3 0S5-1 6 0", "M0 0C1 1 2 1 3 0C4-1 5-1 6 0"),
        ("M0 0Q1 2 2 0T4 0", "M0 0Q1 2 2 0Q3 -2 4 0"),
        ("M0 0L1 1S2 2 3 3", "M0 0L1 1C1 1 2 2 3 3"),  # no curve before: the pen's own place
        ("M0 0H1ZM5 5", "M0 0H1Z"),  # pgf leaves a move behind each closed subpath
        ("M1 1H2Zl3 0", "M1 1H2ZM1 1l3 0"),  # after a close the path goes on from its beginning
    ],
)
def test_two_ways_of_writing_are_one_path(packed: str, spaced: str) -> None:
    assert path_data(packed) == path_data(spaced)
    assert path_data(packed)


def test_a_curve_is_as_high_as_it_is_drawn_and_not_as_its_controls() -> None:
    # by hand: 3 * 0.25 * 4 at t = 1/2 of (0,0) (0,4) (4,4) (4,0)
    assert box("M0 0C0 4 4 4 4 0") == pytest.approx((0, 0, 4, 3))
    assert box("M0 0Q2 4 4 0") == pytest.approx((0, 0, 4, 2))


def test_nested_groups_are_applied_from_the_inside_out() -> None:
    # cjlano/svg 8: parent matrix(.5 0 0 .5 10 0), child translate(4 4): (2, 2) goes to (6, 6), then to (13, 3)
    inner = read_transform("translate(4 4)").then(read_transform("matrix(.5 0 0 .5 10 0)"))
    assert inner.apply(2, 2) == pytest.approx((13, 3))
    # as pgf's driver sets a label: the list's last is applied first, and all of it gives the point back in TeX's unit
    label = read_transform("scale(-1.00375,1.00375)translate(-62.2,41.5)scale(-1,-1)")
    assert label.apply(-62.2, 41.5) == pytest.approx((0, 0))
    assert read_transform("rotate(90 1 0)").apply(2, 0) == pytest.approx((1, 1))


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("<rect x='1' y='2' width='3' height='4'/>", (1, 2, 4, 6)),
        ("<circle cx='1' cy='2' r='3'/>", (-2, -1, 4, 5)),
        ("<ellipse cx='0' cy='0' rx='3' ry='1'/>", (-3, -1, 3, 1)),
        ("<line x1='0' y1='5' x2='4' y2='1'/>", (0, 1, 4, 5)),
        ("<polygon points='0,0 4,0 2,3'/>", (0, 0, 4, 3)),
    ],
)
def test_basic_shapes_have_their_boxes(element: str, expected: tuple[float, ...]) -> None:
    shape = etree.fromstring(element.replace(" ", f" {SVG} ", 1))
    assert path_box(subpaths_of(shape, Matrix())) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("A", "A"), ("f_f_i", "ffi"), ("uni03A9", "Ω"), ("u1D4D0", "\U0001d4d0"), ("one.oldstyle", "1"),
        ("integraldisplay", "∫"), ("contintegraltext", "∮"), ("summationtext", "∑"), ("parenleftbigg", "("),
        ("braceright", "}"), (".notdef", ""), ("nosuchglyph", ""), ("", ""),
    ],
)  # fmt: skip
def test_the_name_of_a_glyph_says_what_it_shows(name: str, shown: str) -> None:
    assert characters(name) == shown


def test_a_gradient_has_its_colours_where_its_vector_says() -> None:
    import numpy as np

    stops = {"offsets": (0.0, 1.0), "colors": ((0, 0, 255), (255, 255, 255))}
    linear = Gradient(False, (0, 0, 1, 0), **stops, inverse=inverted(Matrix(a=10, d=10)) or Matrix())
    seen = linear.at(np.array([-5.0, 0.0, 5.0, 20.0]), np.zeros(4))
    assert seen.tolist() == [[0, 0, 255], [0, 0, 255], [127.5, 127.5, 255], [255, 255, 255]]
    radial = Gradient(True, (0, 0, 1, 0.5, 0), **stops, inverse=Matrix())
    # by hand: from the focus (.5, 0) the rim is .5 away to the right and 1.5 to the left
    seen = radial.at(np.array([0.5, 0.75, -0.25, 1.0]), np.zeros(4))
    assert seen[:, 0].tolist() == pytest.approx([0, 127.5, 127.5, 255], abs=0.01)
