"""The scale is right: reference models score what is known beforehand, on every metric and domain."""

from __future__ import annotations

import json

import pytest

from diagrammar.bench.evaluate import missing_texts, open_runs
from diagrammar.records.diagrams import DOMAINS

METRICS = ("f1_avg", "crystalbleu", "f1_type", "f1_text", "f1_color", "f1_bbox", "ssim")
MODELS = ("oracle", "noisy-0.4", "blank-page", "blank")


@pytest.fixture(scope="module")
def folders(bench, diagrammar, tmp_path_factory, no_weights):
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
    counted = {"n": n, "tasks": n, "not_computed": 0}
    interval = {True: [1.0, 1.0], False: None}[n == 12]  # two tasks are too few for one
    right = {"value": 1.0, "interval": pytest.approx(interval, abs=1e-12), "failed": 0}
    assert scores["oracle"][domain][metric] == {**right, **counted}
    wrong = {"value": 0.0, "interval": interval and [0.0, 0.0], "failed": n}
    assert scores["blank"][domain][metric] == {**wrong, **counted}


@pytest.mark.parametrize(("domain", "metric"), CELLS)
def test_a_blank_page_scores_the_share_where_both_sides_are_empty(scores, domain, metric):
    # by hand: the ring, one of two graphs and one of twelve in all, has no text; nothing else is empty
    empty = {None: 1 / 12, "graph": 1 / 2}.get(domain, 0.0)
    expected = {"f1_text": empty, "f1_avg": empty / 4}.get(metric, 0.0)
    if metric == "ssim":  # a picture's white is alike
        assert 0.3 < scores["blank-page"][domain][metric]["value"] < 0.95
    else:
        assert scores["blank-page"][domain][metric]["value"] == pytest.approx(expected, abs=1e-12)
    assert scores["blank-page"][domain][metric]["failed"] == 0


@pytest.mark.parametrize(("domain", "metric"), CELLS)
def test_noise_scores_strictly_between(scores, domain, metric):
    assert 0 < scores["noisy-0.4"][domain][metric]["value"] < 1


def test_the_printed_table_is_the_reports(folders, scores):
    rows = [line.split() for line in folders[2].splitlines()]
    oracle = next(row for row in rows if row[:1] == ["reference/oracle"])
    chance = f"{100 * scores['oracle'][None]['f1_color_chance']['value']:.1f}"
    assert 40 < float(chance) < 70
    # F1 avg, CrystalBLEU, type, text, colour and its floor, box, SSIM
    assert oracle == ["reference/oracle", "12", "0", *["100.0"] * 5, chance, *["100.0"] * 2]
    assert folders[2].rstrip().endswith(f"report: {folders[1] / 'index.html'}")
    assert "Not computed: All, SC, FL, CLIP, LPIPS, FID, KID: no weights" in folders[2]
    assert "| reference/blank | 12 | 12 | 0.0 [0.0, 0.0] |" in (folders[1] / "table.md").read_text()


def test_each_two_models_are_compared_on_all_tasks(folders):
    written = json.loads((folders[1] / "report.json").read_text())
    comparisons = {
        model["model"].removeprefix("reference/"): model["comparisons"] for model in written["models"]
    }
    found = {
        (better, row["better_than"].removeprefix("reference/")): row
        for better, by_number in comparisons.items()
        for row in by_number.get("f1_avg", ())
    }
    order = ("oracle", "noisy-0.4", "blank-page", "blank")
    assert set(found) == {(one, other) for at, one in enumerate(order) for other in order[at + 1 :]}
    whole = found["oracle", "blank"]
    assert (whole["difference"], whole["wins"], whole["ties"], whole["losses"]) == (1.0, 12, 0, 0)
    assert whole["p"] == pytest.approx(2 / 2**12) and whole["p_holm"] == pytest.approx(6 * 2 / 2**12)
    assert (whole["tasks"], whole["only_first"], whole["only_second"]) == (12, 0, 0)
    few = found["blank-page", "blank"]  # they differ on one diagram only
    assert (few["wins"], few["ties"], few["p"]) == (1, 11, 1.0)


def test_a_machine_gets_the_same_facts(folders, diagrammar):
    told = diagrammar(
        "report", *(folders[0] / model for model in MODELS), "--out", folders[1], "--json"
    ).stdout
    written = json.loads((folders[1] / "report.json").read_text())["models"]
    for line, model in zip(told.splitlines(), written, strict=True):
        del model["answers"]
        assert json.loads(line) == {**model, "page": str(folders[1] / "index.html")}


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
