"""Grading line by line: cases.tsv says what each answer deserves, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagrammar.grading.cases import CaseLine, read_cases
from diagrammar.grading.grade import grade_answer
from diagrammar.grading.ruling import SURE

LINES = (Path(__file__).parent / "cases.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [dict(zip(LINES[0].split("\t"), line.split("\t"), strict=True)) for line in LINES[1:]]
CASES = [line.case for line in read_cases(LINES, tsv=True) if isinstance(line, CaseLine)]


@pytest.mark.parametrize(
    ("case", "row"), [pytest.param(c, r, id=c.id) for c, r in zip(CASES, ROWS, strict=True)]
)
def test_an_answer_gets_what_it_deserves(case, row):
    assert case.id == row["id"]
    grade = grade_answer(case)
    assert grade.verdict in {row["verdict"], *filter(None, row["also_acceptable"].split("|"))}, grade.reason
    assert (grade.confidence >= SURE) == (grade.verdict != "escalated")
    assert grade.score == {"correct": 1, "incorrect": 0, "escalated": None}[grade.verdict]


def test_no_doubtful_answer_is_decided_by_a_confident_rule_the_other_way():
    """Where only the question can tell, the table leaves no confident verdict of ours unquestioned."""
    doubtful = [(case, row) for case, row in zip(CASES, ROWS, strict=True) if row["verdict"] == "escalated"]
    decided = [case.id for case, _ in doubtful if grade_answer(case).verdict != "escalated"]
    assert len(doubtful) > 80
    assert decided == ["LIST81"]  # coordinates that are read whole: both verdicts are accepted
