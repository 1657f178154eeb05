"""The composites are those of the paper's tables, row by row."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from diagrammar.records.scores import NotComputed
from diagrammar.statistics.composites import COMPOSITES, compose

HERE = Path(__file__).parent
# What rounding of the printed parts to two digits, and of the result, can add up to.
ROUNDING = 0.0101


def table(name: str) -> dict[str, dict[str, float]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(lines[1:], delimiter="\t")
    return {
        row["model"]: {key: float(value) for key, value in row.items() if key != "model" and value}
        for row in rows
    }


MAIN, PARSING, EDITING = table("table_5.tsv"), table("table_g1.tsv"), table("table_g2.tsv")


def test_the_tables_are_whole():
    assert len(MAIN) == 12 and set(MAIN) == set(PARSING)
    assert set(MAIN) - set(EDITING) == {"TikZero+ 10B"}  # the paper has no edits of it


def numbers(row: dict[str, float]) -> dict[str, float | NotComputed]:
    """A printed row as ours: all from 0 to 1 but for FID."""
    return {name: value if name == "fid" else value / 100 for name, value in row.items()}


@pytest.mark.parametrize("model", PARSING)
def test_sc_and_fl_of_parsing(model):
    row = numbers(PARSING[model])
    assert 100 * compose("sc", row) == pytest.approx(MAIN[model]["p_sc"], abs=ROUNDING)
    assert compose("fl", row) == pytest.approx(MAIN[model]["p_fl"], abs=ROUNDING)


@pytest.mark.parametrize("model", EDITING)
def test_sc_and_fl_of_editing(model):
    row = numbers(EDITING[model])
    assert 100 * compose("sc", row) == pytest.approx(MAIN[model]["e_sc"], abs=ROUNDING)
    assert compose("fl", row) == pytest.approx(MAIN[model]["e_fl"], abs=ROUNDING)


@pytest.mark.parametrize("model", PARSING)
def test_all_of_parsing(model):
    row = numbers(PARSING[model])
    row["crystalbleu"] = row["cbleu"]
    assert 100 * compose("all", row) == pytest.approx(MAIN[model]["p_all"], abs=ROUNDING)


@pytest.mark.parametrize("model", EDITING)
def test_all_of_editing_is_no_mean_of_what_the_paper_prints(model):
    # The reason for the label: neither part of the edits, nor their mean, gives the printed All.
    main = MAIN[model]
    parts = {
        "preserve": (main["e_f1_preserve"], main["e_cbleu_preserve"]),
        "edit": (main["e_f1_edit"], main["e_cbleu_edit"]),
    }
    parts["mean"] = tuple(sum(pair) / 2 for pair in zip(*parts.values(), strict=True))
    for f1, code in parts.values():
        assert abs((f1 + code + main["e_sc"]) / 3 - main["e_all"]) > 0.3


def test_what_is_not_computed_is_said_once_and_whole():
    lacking = NotComputed(reason="no weights (see doctor)")
    values = {"f1_avg": 0.5, "crystalbleu": 0.25, "ssim": 1.0, "clip": lacking, "lpips": 0.5}
    assert compose("sc", values) == NotComputed(reason="no clip: no weights (see doctor)")
    assert compose("all", values) == NotComputed(reason="no clip: no weights (see doctor)")
    assert compose("fl", values) == NotComputed(reason="no fid: it was not asked for")
    assert compose("all", {**values, "clip": 0.5}) == pytest.approx(0.5)  # by hand: (.5 + .25 + .75) / 3


def test_only_fl_is_better_when_lower():
    assert [name for name, composite in COMPOSITES.items() if composite.lower_is_better] == ["fl"]
