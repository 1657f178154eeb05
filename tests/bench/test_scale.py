"""The scale is right: reference models score what is known beforehand, on every metric and domain."""

from __future__ import annotations

import json

import pytest

from diagrammar.bench.evaluate import missing_texts, open_runs
from diagrammar.bench.report.summary import METRICS
from diagrammar.records.diagrams import DOMAINS

MODELS = ("oracle", "noisy-0.4", "blank-page", "blank")


@pytest.fixture(scope="module")
def folders(bench, diagrammar, tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    for model in MODELS:
        diagrammar("run", bench, "--model", f"reference/{model}", "--out", runs / model)
    report = runs / "report"
    told = diagrammar("report", *(runs / model for model in MODELS), "--out", report).stdout
    return runs, report, told


@pytest.fixture(scope="module")
def scores(folders):
    """Model -> domain or None -> metric -> mean."""
    written = json.loads((folders[1] / "report.json").read_text())
    return {
        model["model"].removeprefix("reference/"): {None: model["scores"], **model["by_domain"]}
        for model in written["models"]
    }


CELLS = [(domain, metric) for domain in (None, *DOMAINS) for metric in METRICS]


@pytest.mark.parametrize(("domain", "metric"), CELLS)
def test_the_oracle_scores_100_and_a_blank_answer_0(scores, domain, metric):
    n = 12 if domain is None else 2
    assert scores["oracle"][domain][metric] == {"value": 1.0, "n": n, "failed": 0, "not_computed": 0}
    assert scores["blank"][domain][metric] == {"value": 0.0, "n": n, "failed": n, "not_computed": 0}


@pytest.mark.parametrize(("domain", "metric"), CELLS)
def test_a_blank_page_scores_the_share_where_both_sides_are_empty(scores, domain, metric):
    # by hand: the ring, one of two graphs and one of twelve in all, has no text; nothing else is empty
    empty = {None: 1 / 12, "graph": 1 / 2}.get(domain, 0.0)
    expected = {"f1_text": empty, "f1_avg": empty / 4}.get(metric, 0.0)
    assert scores["blank-page"][domain][metric]["value"] == pytest.approx(expected, abs=1e-12)
    assert scores["blank-page"][domain][metric]["failed"] == 0


@pytest.mark.parametrize(("domain", "metric"), CELLS)
def test_noise_scores_strictly_between(scores, domain, metric):
    assert 0 < scores["noisy-0.4"][domain][metric]["value"] < 1


def test_the_printed_table_is_the_reports(folders, scores):
    rows = [line.split() for line in folders[2].splitlines()]
    oracle = next(row for row in rows if row[:1] == ["reference/oracle"])
    assert oracle == ["reference/oracle", "12", "0", *["100.0"] * len(METRICS)]
    assert folders[2].rstrip().endswith(f"report: {folders[1] / 'index.html'}")
    assert "| reference/blank | 12 | 12 | 0.0 |" in (folders[1] / "table.md").read_text()


def test_a_second_report_compiles_and_scores_nothing(folders, diagrammar):
    runs, report, told = folders
    opened = open_runs([runs / model for model in MODELS])
    assert missing_texts(opened) == 0
    assert all(len(run.scores) == 12 for run in opened)
    again = diagrammar("report", *(runs / model for model in MODELS), "--out", report)
    assert again.stdout == told and "scored 0 of 48" in again.stderr


def test_the_pictures_of_the_page_are_there_and_no_old_ones(folders, diagrammar):
    old, other = (folders[1] / "pictures" / name for name in (f"{'0' * 64}.png", "mine.png"))
    old.write_bytes(b"of an earlier report")
    other.write_bytes(b"not of a report")
    diagrammar("report", *(folders[0] / model for model in MODELS), "--out", folders[1])
    assert other.exists() and not old.exists()
    page = (folders[1] / "index.html").read_text()
    named = {part.partition('"')[0] for part in page.split('src="')[1:]}
    assert len(named) > 12 and all((folders[1] / name).is_file() for name in named)
