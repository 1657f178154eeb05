import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagrammar.metrics.ciede2000 import delta_e, lab, similarity

# The published test data of Sharma, Wu, Dalal, 2005: hues astride 0/360, near-neutral pairs, the blue region.
SHARMA = [
    tuple(map(float, row))
    for row in list(csv.reader((Path(__file__).parent / "sharma2005.tsv").open(), delimiter="\t"))[1:]
]
COLOR = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


def test_all_34_published_pairs_are_there():
    assert len(SHARMA) == 34


@pytest.mark.parametrize("row", SHARMA)
def test_published_difference_is_met_to_the_fourth_digit(row):
    first, second, expected = np.array(row[:3]), np.array(row[3:6]), row[6]
    assert abs(delta_e(first, second) - expected) < 1e-4
    assert abs(delta_e(second, first) - expected) < 1e-4


@pytest.mark.parametrize(
    ("color", "expected"),
    [
        # Widely published CIELAB values of the sRGB primaries under D65, to two digits.
        ("#ffffff", (100, 0, 0)),
        ("#000000", (0, 0, 0)),
        ("#ff0000", (53.24, 80.09, 67.20)),
        ("#00ff00", (87.74, -86.18, 83.18)),
        ("#0000ff", (32.30, 79.19, -107.86)),
    ],
)
def test_srgb_color_has_its_published_lab_value(color, expected):
    assert lab([color])[0] == pytest.approx(expected, abs=0.01)


def test_black_and_white_are_not_alike_at_all():
    assert (
        similarity(["#000000"], ["#ffffff"]) == 0.0
    )  # dE is 100: a hundred steps of lightness, weight 1 at L = 50


def test_colors_farther_apart_than_black_and_white_are_clamped():
    difference = delta_e(lab(["#0000ff"])[0], lab(["#ffff00"])[0])
    assert difference > 100
    assert similarity(["#0000ff"], ["#ffff00"]) == 0.0


@given(COLOR)
def test_a_color_is_exactly_like_itself(color):
    assert similarity([color], [color]) == 1.0


@given(COLOR, COLOR)
def test_similarity_is_symmetric_and_within_its_range(first, second):
    there, back = similarity([first], [second])[0, 0], similarity([second], [first])[0, 0]
    assert there == back
    assert 0.0 <= there <= 1.0
    assert (there == 1.0) == (first == second)
