"""The numbers of a report from answers written by hand: what is in each mean, and what is said of what is not."""

from __future__ import annotations

import pytest

from diagrammar.bench.features import OfSet
from diagrammar.bench.report.attempts import attempts_of
from diagrammar.bench.report.compared import compare_models
from diagrammar.bench.report.facts import model_facts
from diagrammar.bench.report.numbers import BY_NAME, Scored, with_numbers
from diagrammar.bench.report.summary import ModelSummary, summarise
from diagrammar.bench.report.tables import (
    markdown_report,
    overall,
    p_value,
    per_domain,
    remarks,
    with_interval,
)
from diagrammar.records.runs import Evaluated
from diagrammar.records.scores import FailureNote, NotComputed, PairScore, SideFailures, Sides

LACKING = {"clip": "no weights", "lpips": "no weights", "fid": "no weights"}
PARTS = {"f1_avg": 0.5, "crystalbleu": 0.25, "ssim": 0.75, "clip": 0.25, "lpips": 0.5}


def answer(task: str, *, attempt: int = 0, failed: bool = False, reason: str = "", **more) -> Evaluated:
    """An answer with these numbers; one that fails has each metric's failure value."""
    record = {key: more.pop(key) for key in ("kind", "dimension", "domain") if key in more}
    values = {**PARTS, **more}
    if failed:
        values = {name: float(name == "lpips") for name in values}
    note = FailureNote(kind="syntax", message="broken")
    score = PairScore(
        compiled=Sides(truth=True, candidate=not failed),
        failures=SideFailures(candidate=note if failed else None),
        not_computed=dict.fromkeys(values, reason) if reason else {},
        **(dict.fromkeys(values) if reason else values),
    )
    fields = {"task_id": task, "attempt": attempt, "domain": "graph", "model": "m", "setting": "S1", **record}
    return Evaluated(
        id=f"{task}:{attempt}", status="ok", truth=f"truth of {task}", candidate="c", score=score, **fields
    )


def summary(answers: list[Evaluated], **sets: OfSet) -> ModelSummary:
    return summarise("model", with_numbers(answers, {}), sets=sets)


def test_composites_are_of_each_answer_and_so_have_intervals():
    answers = [answer(str(at), f1_avg=at / 8) for at in range(8)] + [answer("x", failed=True)]
    means = summary(answers).means
    # by hand: SC of one that draws (.75 + .25) / 2; All (f1 + .25 + .5) / 3; the failed one is 0 in each
    assert means["sc"].value == pytest.approx(8 * 0.5 / 9)
    assert means["all"].value == pytest.approx((3.5 + 8 * 0.75) / 3 / 9)
    assert means["lpips"].value == pytest.approx((8 * 0.5 + 1) / 9)
    assert (means["all"].n, means["all"].failed, means["all"].tasks) == (9, 1, 9)
    assert means["all"].interval.low < means["all"].value < means["all"].interval.high


def test_fl_is_made_of_a_set_and_a_mean_and_has_no_interval():
    answers = [answer(str(at)) for at in range(6)]
    found = summary(answers, fid=OfSet(7.5, 6, 0, 0, 6)).means
    assert found["fl"].value == pytest.approx((7.5 + 0.5) / 2)
    assert found["fl"].interval is None and found["fid"].interval is None
    without = summary(answers, fid=OfSet(NotComputed(reason="no weights"), 0, 0, 6, 0)).means
    assert without["fl"].value is None and without["fl"].reason == "no fid: no weights"


def test_what_no_model_has_is_named_once_with_its_reason():
    bare = [answer(str(at), clip=None, lpips=None) for at in range(6)]
    found = summarise(
        "model",
        with_numbers(bare, LACKING),
        sets={"fid": OfSet(NotComputed(reason="no weights"), 0, 0, 6, 0)},
    )
    assert remarks([found]) == ["Not computed: All, SC, FL, CLIP, LPIPS, FID: no weights."]
    head, row = overall([found])
    assert head == ["model", "n", "failed", "F1 avg", "CrystalBLEU", "SSIM"]
    assert row == ["model", "6", "0", "50.0", "25.0", "75.0"]


def test_single_answers_that_are_not_computed_are_out_of_the_mean_and_told():
    found = summary([*(answer(str(at)) for at in range(5)), answer("x", reason="it was lost")])
    mean = found.means["f1_avg"]
    assert (mean.value, mean.n, mean.not_computed, mean.failed) == (0.5, 5, 1, 0)
    assert "model, F1 avg: 1 of 6 answers are not in it (it was lost)." in remarks([found])


def test_several_attempts_are_one_task():
    answers = [answer(str(task), attempt=at, f1_avg=task / 9) for task in range(10) for at in range(4)]
    several, single = summary(answers), summary([one for one in answers if one.attempt == 0])
    assert (several.n, several.tasks) == (40, 10)
    assert several.means["f1_avg"].interval == single.means["f1_avg"].interval
    assert "Graphs (10)" in per_domain([several])[0]


def test_the_order_of_scoring_moves_nothing():
    answers = [answer(str(at), f1_avg=at / 9, crystalbleu=at % 3 / 3) for at in range(10)]
    assert summary(answers) == summary(answers[::-1])


def test_edits_have_a_table_by_what_they_change_and_a_label():
    changes = ("text", "color", "scope", "layout")
    answers = [
        answer(f"{change}{at}", kind="d2c_edit", dimension=change, f1_avg=at / 4)
        for change in changes
        for at in range(4)
    ]
    found = summary(answers)
    assert set(found.by_dimension) == set(changes)
    assert found.by_dimension["text"]["f1_avg"].value == pytest.approx(6 / 4 / 4)
    assert any("cannot be checked from the paper" in remark for remark in remarks([found]))
    assert "| F1 avg | color | layout | scope | text |" in markdown_report([found], {}, [], {})


def test_tasks_that_one_model_lacks_are_counted():
    first = with_numbers([answer(str(at), f1_avg=0.9) for at in range(8)], {})
    second = with_numbers([*(answer(str(at), f1_avg=0.4) for at in range(6)), answer("7", reason="lost")], {})
    (versus,) = compare_models([second, first])["f1_avg"]
    assert (versus.first, versus.second) == (1, 0)
    assert versus.found.difference == pytest.approx(0.5)
    assert (versus.found.n, versus.left_out) == (6, 2)
    lower = compare_models([second, first])["lpips"]
    assert [v.found.ties for v in lower] == [6]


def test_a_task_of_another_benchmark_is_another_task():
    one = answer("a")
    other = one.model_copy(update={"truth": "another truth"})
    assert Scored(one, {}).task != Scored(other, {}).task
    assert compare_models([with_numbers([one], {}), with_numbers([other], {})]) == {}


def test_attempts_by_hand():
    answers = [
        *(answer("a", attempt=at, f1_avg=value) for at, value in enumerate((1.0, 0.6, 0.0))),
        *(answer("b", attempt=at, failed=True) for at in range(3)),
    ]
    rows = attempts_of(0, with_numbers(answers, {}))
    assert [row.k for row in rows] == [1, 2, 3]
    # of task a: 2 of 3 reach .5; the pairs' best are 1, 1, .6; of task b nothing is drawn
    assert [row.drawn for row in rows] == [0.5, 0.5, 0.5]
    assert [row.passes[0] for row in rows] == pytest.approx([1 / 3, 1 / 2, 1 / 2])
    assert [row.best["f1_avg"] for row in rows] == pytest.approx([1.6 / 6, 2.6 / 6, 1 / 2])
    assert attempts_of(0, with_numbers(answers[::3], {})) == []


def test_a_missing_attempt_makes_the_best_of_all_unknown_and_not_smaller():
    answers = [answer(task, attempt=at) for task in "ab" for at in range(2)]
    answers[3] = answer("b", attempt=1, reason="lost")
    one, two = attempts_of(0, with_numbers(answers, {}))
    assert one.best["f1_avg"] == pytest.approx(0.5)
    assert two.best["f1_avg"] == NotComputed(reason="k = 2, but a task has only 1 scored answers")


def test_numbers_are_shown_times_100_but_for_distances():
    found = summary([answer(str(at)) for at in range(6)], fid=OfSet(12.345, 5, 1, 0, 5))
    assert with_interval(BY_NAME["f1_avg"], found.means["f1_avg"]) == "50.0 [50.0, 50.0]"
    assert with_interval(BY_NAME["fid"], found.means["fid"]) == "12.3"
    assert BY_NAME["fid"].head == "FID ↓"
    assert [p_value(p) for p in (0.0001, 0.0123, 0.34, 1.0)] == ["< .001", ".012", ".34", "1.00"]
    (facts,) = model_facts([found], {}, [])
    assert facts["scores"]["fid"] == {
        "value": 12.345, "interval": None, "n": 5, "tasks": 5, "failed": 1, "not_computed": 0
    }  # fmt: skip
