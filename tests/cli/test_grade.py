"""`diagrammar grade` and `diagrammar agreement`, as they are called."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from diagrammar.cli.agreement import command as agreement
from diagrammar.cli.grade import command as grade
from diagrammar.cli.main import program
from diagrammar.errors import BadInput

TABLE = Path(__file__).parents[1] / "grading" / "cases.tsv"
HEAD = "id\tquestion\tground_truth\tmodel_answer\tanswer_type"


def run(command, *arguments, stdin=None):
    return CliRunner().invoke(command, list(map(str, arguments)), input=stdin)


def lines(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def cases(tmp_path):
    rows = [
        HEAD,
        "a\tHow many?\t16\t016\tNUM",
        "b\tWhich?\tDiode\tresistor\tOI-TERM",
        "c\tWhich?\tHydroxyl\thydroxyl group\tTERM",
        'd\tWhich ones?\t["A", "C"]\t["C", "A"]\tLIST',
    ]
    (tmp_path / "cases.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path / "cases.tsv"


def test_the_table_of_cases_is_graded_as_it_says():
    result = run(grade, "--cases", TABLE, "--json")
    rows = list(csv.DictReader(TABLE.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert result.exit_code == 0
    for row, found in zip(rows, lines(result), strict=True):
        assert found["id"] == row["id"]
        assert found["verdict"] in {row["verdict"], *row["also_acceptable"].split("|")}, row
    assert result.stderr.splitlines()[-1].startswith(f"graded {len(rows)} (")


def test_each_grade_says_who_decided_how_surely_and_why(cases):
    result = run(grade, "--cases", cases, "--json")
    found = {line["id"]: line for line in lines(result)}
    assert list(found) == ["a", "b", "c", "d"]
    assert [line["verdict"] for line in found.values()] == ["correct", "incorrect", "escalated", "correct"]
    assert [line["score"] for line in found.values()] == [1, 0, None, 1]
    assert {line["stage"] for line in found.values()} == {"rule"}
    assert found["c"]["confidence"] < 0.85 <= found["a"]["confidence"]
    assert found["c"]["reason"] == "one term holds the other"
    assert found["a"]["signature"] == "grading:1|paper|sure:0.85"
    assert result.stderr == (
        "graded 4 (2 correct, 1 incorrect, 0 unattempted, 0 unreadable, 1 escalated, 0 not judged); "
        "accuracy 50.0 to 75.0 %, as the undecided turn out; "
        "extraction rate not computed: the cases hold answers, not replies\n"
    )


def test_without_json_there_is_a_table(cases):
    result = run(grade, "--cases", cases)
    head, *rows = result.stdout.splitlines()
    assert head.split()[:5] == ["id", "type", "verdict", "stage", "confidence"]
    assert [row.split()[2] for row in rows] == ["correct", "incorrect", "escalated", "correct"]


def test_unreadable_replies_are_counted_apart_and_the_rates_are_told():
    replies = {
        "asked": '{"answer": "5 V", "reasoning": ""}',
        "other": "So the answer is 5 V",
        "wrong": '{"answer": "6 V"}',
        "lost": "<think>it is 5 V",
    }
    text = "\n".join(
        json.dumps({"id": name, "ground_truth": "5 V", "reply": reply, "answer_type": "NUM"})
        for name, reply in replies.items()
    )
    result = run(grade, "--cases", "-", "--json", stdin=text)
    assert [line["verdict"] for line in lines(result)] == ["correct", "correct", "incorrect", "unreadable"]
    assert [line["extraction"] for line in lines(result)] == ["json", "stated", "json", None]
    assert lines(result)[3]["score"] == 0
    assert "2 correct, 1 incorrect, 0 unattempted, 1 unreadable" in result.stderr
    assert "accuracy 50.0 %; extraction rate 75.0 % (50.0 % in the form asked for)" in result.stderr


def test_bad_lines_are_told_counted_and_cost_no_other(tmp_path):
    rows = [
        {"id": "good", "ground_truth": "5", "model_answer": "5", "answer_type": "NUM"},
        {"id": "type", "ground_truth": "5", "model_answer": "5", "answer_type": "CHOICE"},
        {"id": "truth", "ground_truth": " ", "model_answer": "5", "answer_type": "NUM"},
        {"id": "answer", "ground_truth": "5", "answer_type": "NUM"},
        {"id": "good", "ground_truth": "6", "model_answer": "5", "answer_type": "NUM"},
        ["no", "object"],
        {"id": 7, "ground_truth": ["A"], "model_answer": ["A"], "answer_type": "list"},
        {"id": "half \ud800", "ground_truth": 5, "model_answer": None, "answer_type": "NUM"},
    ]
    text = "\n".join(
        [
            *map(json.dumps, rows),
            "{",
            "",
            '{"id": "last", "ground_truth": "a", "reply": "a", "answer_type": "TERM"}',
        ]
    )
    (tmp_path / "cases.jsonl").write_text(text)
    result = run(grade, "--cases", tmp_path / "cases.jsonl", "--json")
    assert result.exit_code == 0
    assert [line["id"] for line in lines(result)] == ["good", "7", "half \ufffd", "last"]
    told = [line.removeprefix(f"{tmp_path}/cases.jsonl: ") for line in result.stderr.splitlines()]
    assert [line.partition(": ")[0] for line in told[:-1]] == [f"line {at}" for at in (2, 3, 4, 5, 6, 9)]
    assert "'CHOICE', not NUM, TERM or LIST" in told[0] and "was used on line 1" in told[3]
    assert "6 bad lines" in told[-1]


def test_a_tsv_is_read_with_its_quotes_as_a_spreadsheet_or_an_editor_left_them(tmp_path):
    rows = [
        "\ufeff" + HEAD,
        'sheet\t\t"[""A"", ""B""]"\t"[""B"", ""A""]"\tLIST',
        'editor\t\t["A", "B"]\t"B", "A"\tLIST',
        'lone\t\tDiode\t"diode\tTERM',
        "short\t\t5\t\tNUM",
        "tabs\t\t5\t5\tNUM\tmore",
    ]
    (tmp_path / "cases.tsv").write_text("\r\n".join(rows), encoding="utf-8", newline="")
    result = run(grade, "--cases", tmp_path / "cases.tsv", "--json")
    assert {line["id"]: line["verdict"] for line in lines(result)} == {
        "sheet": "correct",
        "editor": "correct",
        "lone": "escalated",
        "short": "escalated",
    }
    assert "line 6: 6 fields under 5 columns" in result.stderr


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("none.tsv", None, "No such file"),
        ("head.tsv", "5\t5\tNUM\n", "does not name the columns id, ground_truth, model_answer, answer_type"),
        ("folder.tsv", "/", "directory"),
    ],
)
def test_a_file_that_holds_no_cases_is_refused_in_one_line(tmp_path, name, text, told):
    if text == "/":
        (tmp_path / name).mkdir()
    elif text is not None:
        (tmp_path / name).write_text(text)
    result = run(grade, "--cases", tmp_path / name)
    assert isinstance(result.exception, BadInput)
    assert (
        told in str(result.exception) and name in str(result.exception) and "\n" not in str(result.exception)
    )


def test_no_cases_at_all_are_counted_as_none(tmp_path):
    (tmp_path / "cases.jsonl").write_text("")
    result = run(grade, "--cases", tmp_path / "cases.jsonl")
    assert result.exit_code == 0
    assert result.stderr.startswith("graded 0 (") and "accuracy not computed" in result.stderr


def test_a_binary_file_gives_bad_lines_and_no_trace(tmp_path):
    (tmp_path / "cases.jsonl").write_bytes(bytes(range(256)))
    result = run(grade, "--cases", tmp_path / "cases.jsonl")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[-1].startswith("graded 0 (")


def test_the_reference_judge_says_what_the_file_does_and_its_replies_lie_beside_it(tmp_path):
    rows = TABLE.read_text(encoding="utf-8").splitlines()
    (tmp_path / "some.tsv").write_text(
        "\n".join([rows[0], *(row for row in rows if row.startswith("TERM"))]), encoding="utf-8"
    )
    result = run(grade, "--cases", tmp_path / "some.tsv", "--judge", "reference/oracle", "--json")
    verdict = {line["id"]: line["verdict"] for line in lines(result)}
    assert verdict["TERM62"] == "incorrect" and verdict["TERM65"] == "correct"
    assert "0 escalated, 0 not judged" in result.stderr
    assert (tmp_path / "some-judged" / "records.jsonl").read_text().count("\n") == 5
    silent = run(grade, "--cases", tmp_path / "some.tsv", "--judge", "reference/blank", "--json")
    assert "0 escalated, 5 not judged" in silent.stderr
    assert {line["verdict"] for line in lines(silent) if line["stage"] == "judge"} == {"escalated"}


@pytest.mark.parametrize(
    "options",
    [
        ("--replies", "x"),
        ("--base-url", "http://x"),
        ("--judge-prompt", "x"),
        ("--judge", "reference/oracle"),
    ],
)
def test_options_that_make_no_sense_are_refused(options):
    result = run(grade, "--cases", "-", *options, stdin="")
    assert result.exit_code == 2 and "Usage:" in result.stderr


def test_strict_is_asked_for_and_signed(tmp_path):
    (tmp_path / "c.jsonl").write_text(
        '{"id": "t", "ground_truth": "2e-30", "model_answer": "4e-30", "answer_type": "NUM"}'
    )
    verdicts = {}
    for protocol in ("paper", "strict"):
        (line,) = lines(run(grade, "--cases", tmp_path / "c.jsonl", "--protocol", protocol, "--json"))
        verdicts[protocol] = line["verdict"]
        assert f"|{protocol}|" in line["signature"]
    assert verdicts == {"paper": "correct", "strict": "incorrect"}


def filled(sheet, label_of):
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig")), delimiter="\t"))
    text = "".join(f"{row['id']}\t{label_of(row['id'])}\n" for row in rows)
    return "id\tlabel\n" + text


@pytest.fixture
def graded(tmp_path):
    rows = [
        {"id": f"{kind}{at}", "ground_truth": "5", "model_answer": "5" if at else "6", "answer_type": kind}
        for kind in ("NUM", "TERM", "LIST")
        for at in range(20)
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "grades.jsonl").write_text(run(grade, "--cases", tmp_path / "cases.jsonl", "--json").stdout)
    return tmp_path / "grades.jsonl"


def test_a_sheet_is_drawn_filled_and_compared(graded, tmp_path):
    sheet = tmp_path / "sheet.tsv"
    drawn = run(agreement, "sheet", graded, "--n", 60, "--seed", 1, "--out", sheet)
    assert drawn.exit_code == 0
    assert drawn.stderr == f"{sheet}: 60 of 60 cases (20 rule LIST, 20 rule NUM, 20 rule TERM)\n"
    truth = {line["id"]: line["verdict"] for line in map(json.loads, graded.read_text().splitlines())}
    for name, odd in (("a", "NUM3"), ("b", "NUM3"), ("c", "TERM4")):
        (tmp_path / f"{name}.tsv").write_text(
            filled(sheet, lambda at, odd=odd: "unattempted" if at == odd else truth[at])
        )
    sheets = [tmp_path / f"{name}.tsv" for name in "abc"]
    result = run(agreement, "table", graded, "--sheets", *sheets, "--json")
    rows = {line["subset"]: line for line in lines(result)}
    assert list(rows) == ["All", "Stage 2 (Rule)", "Stage 3 (LLM)", "OI-NUM", "OI-TERM", "OI-LIST"]
    assert (rows["All"]["n"], rows["All"]["acc_pct"]) == (60, pytest.approx(100 * 59 / 60))
    assert rows["OI-LIST"]["kappa_jh"] == rows["OI-LIST"]["kappa_hh"] == 1.0
    assert rows["Stage 3 (LLM)"]["kappa_jh"] is None
    assert rows["Stage 3 (LLM)"]["not_computed"]["kappa_jh"] == "no case"
    table = run(agreement, "table", graded, "--sheets", *sheets).stdout.splitlines()
    assert table[0].split() == ["Subset", "N", "κ", "J-H", "κ", "H-H", "Acc", "(%)", "ties"]
    assert table[1].startswith("All") and "98.3" in table[1]
    assert any("Stage 3 (LLM), κ J-H: not computed: no case" in line for line in table)
    assert result.stderr.startswith("compared 60 cases by 3 annotators (0 without a majority")


def test_a_sheet_is_never_written_over(graded, tmp_path):
    (tmp_path / "sheet.tsv").write_text("an annotator's work")
    result = run(agreement, "sheet", graded, "--out", tmp_path / "sheet.tsv")
    assert isinstance(result.exception, BadInput) and "is there already" in str(result.exception)
    assert (tmp_path / "sheet.tsv").read_text() == "an annotator's work"


def test_what_is_no_grade_and_no_sheet_is_refused_in_one_line(graded, tmp_path):
    (tmp_path / "broken.jsonl").write_text('{"id": "a"}\n')
    (tmp_path / "notes.txt").write_text("hello")
    for arguments, told in (
        (("sheet", tmp_path / "broken.jsonl", "--out", tmp_path / "s.tsv"), "line 1 is no grade"),
        (("sheet", tmp_path / "none.jsonl", "--out", tmp_path / "s.tsv"), "No such file"),
        (("table", graded, "--sheets", tmp_path / "notes.txt"), "columns id and label"),
        (("table", graded, "--sheets", tmp_path / "none.tsv"), "No such file"),
    ):
        result = run(agreement, *arguments)
        assert isinstance(result.exception, BadInput) and told in str(result.exception), result
        assert "\n" not in str(result.exception)


def test_both_commands_are_found_by_name():
    told = run(program, "--help").stdout
    assert "grade" in told and "agreement" in told
    assert "sheet" in run(program, "agreement", "--help").stdout
    assert "--judge-prompt" in run(program, "grade", "--help").stdout
