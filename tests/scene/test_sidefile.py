"""The side file: only lines of this compile count, and numbers read as pgf writes them."""

from __future__ import annotations

import pytest

from diagrammar.scene.sidefile import read_limits, read_number, read_side_file, write_number

NONCE = "abcdefghijklmnop"


def side(*lines: str) -> str:
    return "".join(f"{NONCE} {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1Y2.5e1]", 25.0),
        ("2Y1.6666e0]", -1.6666),
        ("0Y0.0e0]", 0.0),
        ("3Y0.0e0]", None),  # not a number
        ("4Y0.0e0]", None),  # infinite
        ("-20.5", -20.5),
        ("1e3", 1000.0),
        ("u", None),
        ("nan", None),
        ("", None),
    ],
)
def test_numbers_read_as_pgf_writes_them(text: str, value: float | None) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (2015.0, "2015"),
        (123456.0, "123456"),
        (0.99999, "1"),
        (0.66666, "0.6667"),
        (-2.5, "-2.5"),
        (0.1 + 0.2, "0.3"),
        (1e-5, "1e-05"),
        (1013.25, "1013"),
    ],
)
def test_numbers_are_written_with_four_digits_and_integers_in_full(value: float, text: str) -> None:
    assert write_number(value) == text


def test_limits_end_at_what_is_no_number() -> None:
    assert read_limits("0,1,5,-5,,") == ((0.0, 1.0), (-5.0, 5.0))
    assert read_limits("0,u,1,2") == ()


def test_lines_of_another_compile_are_ignored() -> None:
    text = side("B|c", "N|1|circle||||\\a") + "ponmlkjihgfedcba N|2|star||||\\b\nN|3|star||||\\c\n"
    read = read_side_file(text, NONCE)
    assert list(read.line_by_id) == [1]
    assert read.line_by_id[1].part(0) == "circle"
    assert read.has_circuitikz


def test_points_belong_to_the_plots_of_their_own_axis() -> None:
    text = side(
        "D|0|0|nn|1Y1.0e0]|1Y2.0e0]||1|2|", "S|7|0|0,3,0,4|c", "A|8|2|0,3,0,4|c",
        "D|0|0|tg|0|2.302585||u|10|", "S|9|0|-1,1,0,5|c",
    )  # fmt: skip
    groups = read_side_file(text, NONCE).group_by_series
    assert [point.values for point in groups[7].points.values()] == [(1.0, 2.0)]
    assert [point.values for point in groups[9].points.values()] == [("u", 10.0)]
    assert groups[9].points[0].positions == (0.0, 2.302585)


def test_a_logarithmic_value_without_its_text_comes_from_its_logarithm() -> None:
    text = side("D|0|0|ng|1|4.60517||1|x^2|", "S|1|0|0,2,0,9|c")
    (point,) = read_side_file(text, NONCE).group_by_series[1].points.values()
    assert point.values[1] == pytest.approx(100, rel=1e-5)


@pytest.mark.parametrize(
    "garbage",
    ["", "\0\1", NONCE, f"{NONCE} ", f"{NONCE} D|", f"{NONCE} S|1", f"{NONCE} N|x|y", f"{NONCE} K|²|1"],
)
def test_a_broken_side_file_is_read_without_complaint(garbage: str) -> None:
    assert not any(group.points for group in read_side_file(garbage, NONCE).group_by_series.values())
