"""Agreement: kappas against two packages' numbers, the rows of the paper's table, samples and sheets."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagrammar.errors import BadInput
from diagrammar.grading.agreement import agreement_table
from diagrammar.grading.kappa import cohen_kappa, fleiss_kappa, majority
from diagrammar.grading.sheet import read_sheet, sample, write_sheet
from diagrammar.records.grades import Grade
from diagrammar.records.scores import NotComputed

# Made by scripts/freeze_kappas.py with scikit-learn 1.9.1 and statsmodels 0.15.0.
GOLDENS = [json.loads(line) for line in (Path(__file__).parent / "kappas.jsonl").read_text().splitlines()]


def grade(name, verdict="correct", stage="rule", answer_type="NUM", **fields):
    about = {
        "ground_truth": "5",
        "model_answer": "5",
        "answer": "5",
        "extraction": "given",
        "confidence": 0.9,
    } | fields
    score = None if verdict == "escalated" else int(verdict == "correct")
    return Grade(
        id=name, verdict=verdict, stage=stage, answer_type=answer_type, score=score, reason="", signature="", **about
    )  # fmt: skip


def test_kappas_are_those_of_other_packages():
    assert len(GOLDENS) == 240
    computed = 0
    for golden in GOLDENS:
        found = {
            "cohen": cohen_kappa(*golden["raters"][:2]),
            "fleiss": fleiss_kappa(list(zip(*golden["raters"], strict=True))),
        }
        for name, kappa in found.items():
            if golden[name] is None:  # NaN there: one label only
                assert kappa == NotComputed(reason="one label only"), golden["id"]
            else:
                assert kappa == pytest.approx(golden[name], abs=1e-12), golden["id"]
                computed += 1
    assert computed > 300


def test_one_dissent_among_130_gives_the_papers_zero():
    people = ["correct"] * 129 + ["incorrect"]
    assert cohen_kappa(["correct"] * 130, people) == 0.0  # Table C.2, Stage 2: 0.000 at 99.2 %


def test_kappa_by_hand():
    # 2x2 with 20, 5, 10, 15: agreed 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5
    left = ["y"] * 25 + ["n"] * 25
    right = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(left, right) == pytest.approx(0.4, abs=1e-15)
    # Fleiss 1971's formula on 2 cases of 3: P = (1 + 1/3)/2 = 2/3, P_e = (5/6)^2 + (1/6)^2 = 26/36
    assert fleiss_kappa(["aaa", "aab"]) == pytest.approx((24 - 26) / (36 - 26), abs=1e-15)


def test_what_has_no_kappa_has_a_reason():
    assert cohen_kappa([], []) == NotComputed(reason="no case")
    assert fleiss_kappa([]) == NotComputed(reason="no case")
    assert cohen_kappa("aaa", "aaa") == NotComputed(reason="one label only")
    with pytest.raises(ValueError, match="zip"):
        cohen_kappa("aa", "a")
    for uneven in (["aa", "a"], ["a", "a"]):
        with pytest.raises(ValueError, match="two or more raters"):
            fleiss_kappa(uneven)


@given(st.lists(st.tuples(*[st.sampled_from("ciu")] * 3), min_size=1, max_size=30))
def test_kappas_are_at_most_1_and_1_only_for_full_agreement(cases):
    kappa = fleiss_kappa(cases)
    if isinstance(kappa, float):
        assert -1 <= kappa <= 1
        assert (kappa == 1) == all(len(set(labels)) == 1 for labels in cases)


@pytest.mark.parametrize(
    ("labels", "most"),
    [("cci", "c"), ("ccc", "c"), ("ciu", None), ("ci", None), ("ccii", None), ("c", "c"), ("", None)],
)
def test_a_tie_has_no_majority(labels, most):
    assert majority(list(labels)) == most


def test_the_table_has_the_papers_rows_and_its_rule_row_is_reproduced():
    """130 cases by rule and 70 by a judge, of the types that the paper names; one dissent among the rules'."""
    types = ["NUM"] * 90 + ["TERM"] * 31 + ["LIST"] * 9 + ["NUM"] * 43 + ["TERM"] * 22 + ["LIST"] * 5
    grades = [
        grade(str(at), stage="rule" if at < 130 else "judge", answer_type=kind)
        for at, kind in enumerate(types)
    ]
    grades[130:165] = [one.model_copy(update={"verdict": "incorrect"}) for one in grades[130:165]]
    agreeing = {one.id: one.verdict for one in grades}
    two = agreeing | {"7": "incorrect"}
    rows = {row.subset: row for row in agreement_table(grades, [two, two, agreeing])}
    assert list(rows) == ["All", "Stage 2 (Rule)", "Stage 3 (LLM)", "OI-NUM", "OI-TERM", "OI-LIST"]
    assert [row.n for row in rows.values()] == [200, 130, 70, 133, 53, 14]
    rule = rows["Stage 2 (Rule)"]
    assert rule.kappa_jh == 0.0
    assert rule.acc_pct == pytest.approx(99.2, abs=0.05)
    assert rule.skew == pytest.approx(259 / 260) and "deflated" in rule.note
    judged = rows["Stage 3 (LLM)"]
    assert (judged.kappa_jh, judged.kappa_hh, judged.acc_pct, judged.note) == (1.0, 1.0, 100.0, "")
    assert rows["OI-LIST"].n == 14


def test_ties_and_gaps_are_counted_and_left_out():
    grades = [grade("a"), grade("b"), grade("c", "incorrect"), grade("d"), grade("e", "escalated")]
    one = {"a": "correct", "b": "correct", "c": "incorrect", "e": "correct"}
    two = {"a": "correct", "b": "incorrect", "c": "incorrect", "d": "correct", "e": "correct"}
    row = agreement_table(grades, [one, two])[0]
    assert (row.n, row.ties) == (3, 1)  # d lacks a label, e a verdict; on b the two differ
    assert (row.kappa_jh, row.acc_pct) == (1.0, 100.0)
    # b counts among the annotators: P = 2/3, P_e = (3/6)^2 + (3/6)^2 = 1/2
    assert row.kappa_hh == pytest.approx(1 / 3)
    alone = agreement_table(grades, [two])[0]
    assert (alone.n, alone.kappa_hh) == (4, NotComputed(reason="one annotator only"))
    nobody = agreement_table(grades, [one, {}])[0]
    assert (nobody.n, nobody.acc_pct) == (0, NotComputed(reason="no case"))


def corpus():
    """Strata of the paper's shares, the judge's small."""
    sizes = {
        ("rule", "NUM"): 700,
        ("rule", "TERM"): 180,
        ("rule", "LIST"): 3,
        ("judge", "NUM"): 60,
        ("judge", "LIST"): 57,
    }
    lost = [grade(f"lost-{at}", "unreadable", stage="extract") for at in range(20)]
    return [
        grade(f"{stage}-{kind}-{at}", stage=stage, answer_type=kind)
        for (stage, kind), count in sizes.items()
        for at in range(count)
    ] + [grade("open", "escalated"), *lost]  # fmt: skip


def strata(grades):
    return Counter((one.stage, one.answer_type) for one in grades)


def test_a_sample_is_proportional_with_a_minimum_and_the_same_for_a_seed():
    drawn = sample(corpus(), n=100, rng=Random(1), minimum=5)
    assert drawn == sample(corpus()[::-1], n=100, rng=Random(1), minimum=5)
    assert drawn != sample(corpus(), n=100, rng=Random(2), minimum=5)
    assert len(drawn) == len({one.id for one in drawn}) == 100
    # by hand: shares of 1,000 are 70, 18, 0.3, 6, 5.7; the three lists are all taken, which leaves 97 for the others
    counts = strata(drawn)
    assert counts["rule", "LIST"] == 3
    assert [counts["rule", "NUM"], counts["rule", "TERM"]] == [
        pytest.approx(68, abs=1),
        pytest.approx(17.5, abs=1),
    ]
    assert {counts["judge", "NUM"], counts["judge", "LIST"]} <= {5, 6}
    assert all(one.verdict == "correct" for one in drawn)


CORPUS = corpus()


@given(st.integers(0, 1200), st.integers(0, 30), st.integers())
def test_a_sample_has_as_many_as_asked_or_all(n, minimum, seed):
    decided = [one for one in CORPUS if one.stage != "extract" and one.id != "open"]
    lowest = sum(min(minimum, count) for count in strata(decided).values())
    if lowest > min(n, 1000):
        with pytest.raises(BadInput, match="strata"):
            sample(CORPUS, n=n, rng=Random(seed), minimum=minimum)
        return
    drawn = sample(CORPUS, n=n, rng=Random(seed), minimum=minimum)
    assert len(drawn) == min(n, 1000)
    assert all(count >= min(minimum, strata(decided)[key]) for key, count in strata(drawn).items())


def test_nothing_decided_is_nothing_to_sample():
    with pytest.raises(BadInput, match="nothing to sample"):
        sample([grade("a", "escalated")], n=5, rng=Random(1))


HARD = [
    grade('=HYPERLINK("http://x")', question="a\tb\nc", answer='=cmd|" /C calc"!A0'),
    grade("-5", answer="-5", question="+1"),
    grade("@x", answer="@SUM(1)", ground_truth="|x"),
    grade('"q"', answer='say "5"\n=1+1'),
    grade("α", answer="−5 Ω"),
    grade("none", "unattempted", answer=None, model_answer="=1", extraction=None),
]


def test_a_sheet_shows_no_verdict_and_no_formula():
    sheet = write_sheet(HARD)
    rows = list(csv.DictReader(io.StringIO(sheet), delimiter="\t"))
    assert list(rows[0]) == [
        "id",
        "question",
        "ground_truth",
        "model_answer",
        "answer_type",
        "label",
        "remark",
    ]
    assert len(rows) == len(HARD)
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell[:1] in set("=+-@|\t")]
    assert rows[1]["model_answer"] == "'-5" and rows[4]["model_answer"] == "−5 Ω"
    assert "correct" not in sheet and "rule" not in sheet and "0.9" not in sheet


@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_a_filled_sheet_is_read_back_however_it_was_saved(delimiter):
    rows = list(csv.reader(io.StringIO(write_sheet(HARD)), delimiter="\t"))
    given = ["Correct", "i", "UNATTEMPTED", " c ", "", "incorrect"]
    saved = io.StringIO()
    writer = csv.writer(saved, delimiter=delimiter)
    writer.writerow(rows[0])
    for row, label in zip(rows[1:], given, strict=True):
        row[5] = label
        writer.writerow(row)
    filled = read_sheet("\ufeff" + saved.getvalue(), known=[one.id for one in HARD])
    labels = ["correct", "incorrect", "unattempted", "correct", None, "incorrect"]
    assert filled.labels == {one.id: label for one, label in zip(HARD, labels, strict=True) if label}
    assert (filled.faults, filled.unlabelled) == ((), 1)


def test_faults_of_a_sheet_are_told_by_line_and_cost_no_other():
    text = "id\tlabel\na\tcorrect\nb\tmaybe\nz\tcorrect\na\tincorrect\n\nc\ti\n"
    filled = read_sheet(text, known=["a", "b", "c"])
    assert filled.labels == {"a": "correct", "c": "incorrect"}
    assert [fault.split(":")[0] for fault in filled.faults] == ["line 3", "line 4", "line 5"]


@pytest.mark.parametrize("text", ["", "a\tb\n1\t2", "id;verdict\n1;c"])
def test_what_is_no_sheet_is_refused(text):
    with pytest.raises(BadInput, match="columns id and label"):
        read_sheet(text, known=["1"])


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).map(str.strip),
        unique=True,
        max_size=6,
    )
)
def test_any_id_finds_its_way_back(names):
    names = [name for name in names if name and "".join(c for c in name if c.isprintable()) == name]
    sheet = write_sheet([grade(name) for name in names])
    filled = sheet.replace("\t\t\n", "\tcorrect\t\n")
    assert read_sheet(filled, known=names).labels == dict.fromkeys(names, "correct")
