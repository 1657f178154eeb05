import json

import pytest
from click.testing import CliRunner

from diagrammar.cli.score import command
from diagrammar.errors import BadInput

PICTURE = "\\begin{tikzpicture}\\node[circle,draw] {A};\\draw (0,-1) -- (1,-1);\\end{tikzpicture}\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "truth.tex").write_text(PICTURE)
    (tmp_path / "a reply.tex").write_text(PICTURE.replace("{A}", "{B}"))
    (tmp_path / "-dash.tex").write_text(PICTURE)
    (tmp_path / "empty.tex").write_text("")
    (tmp_path / "binary.tex").write_bytes(bytes(range(256)))
    (tmp_path / "latin.tex").write_bytes(PICTURE.replace("{A}", "{\u00e9}").encode("latin-1"))
    return tmp_path


def run(*arguments, stdin=None):
    return CliRunner().invoke(command, list(map(str, arguments)), input=stdin)


def test_one_pair_gives_one_json_object_with_every_number(folder):
    result = run("--truth", folder / "truth.tex", "--candidate", folder / "a reply.tex", "--json")
    (line,) = result.stdout.splitlines()
    scored = json.loads(line)
    assert result.exit_code == 0
    assert scored["id"] == str(folder / "a reply.tex")
    assert scored["compiled"] == {"truth": True, "candidate": True}
    assert (scored["f1_type"], scored["f1_text"], scored["f1_bbox"]) == (1.0, 0.0, 1.0)
    assert scored["not_computed"] == {}
    assert {"f1_color", "f1_avg", "crystalbleu"} <= set(scored)
    assert result.stderr == "scored 1 of 1 (0 failed candidates, 0 not computed)\n"


def test_a_file_of_pairs_gives_a_line_for_each_whatever_is_wrong_with_the_others(folder):
    candidates = [
        "truth.tex",
        "a reply.tex",
        "-dash.tex",
        "empty.tex",
        "binary.tex",
        "latin.tex",
        "none.tex",
        ".",
    ]
    lines = [json.dumps({"id": name, "truth": "truth.tex", "candidate": name}) for name in candidates]
    (folder / "pairs.jsonl").write_text("\n".join([*lines, "{", ""]))
    result = run("--pairs", folder / "pairs.jsonl", "--json")
    scored = {row["id"]: row for row in map(json.loads, result.stdout.splitlines())}
    assert result.exit_code == 0
    assert list(scored) == [*candidates, "9"]
    assert {name: row["f1_text"] for name, row in scored.items()} == {
        "truth.tex": 1.0, "a reply.tex": 0.0, "-dash.tex": 1.0, "empty.tex": 0.0, "binary.tex": None,
        "latin.tex": 0.0, "none.tex": None, ".": None, "9": None,
    }  # fmt: skip
    assert scored["empty.tex"]["failures"]["candidate"]["kind"] == "no_code"
    messages = result.stderr.splitlines()
    assert messages[-1] == "scored 5 of 9 (1 failed candidates, 4 not computed)"
    for name in ["empty.tex", "binary.tex", "none.tex", ".", "9"]:
        assert sum(message.startswith(f"{name}: ") for message in messages) == 1


def test_pairs_may_come_from_standard_input_and_show_as_a_table_with_their_mean():
    lines = [
        json.dumps({"id": name, "truth_code": PICTURE, "candidate_code": code})
        for name, code in (("good", PICTURE), ("bad", "?"))
    ]
    result = run("--pairs", "-", stdin="\n".join(lines))
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["id", "type", "text", "color", "bbox", "avg", "cbleu"],
        ["good", *["1.000"] * 6],
        ["bad", *["0.000"] * 6],
        ["mean", *["0.500"] * 6],
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--truth", "t.tex"],
        ["--candidate", "c.tex"],
        ["--truth", "t", "--candidate", "c", "--pairs", "p"],
    ],
)
def test_half_a_pair_or_two_kinds_of_input_are_a_usage_error(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "give --truth T and --candidate C, or --pairs FILE" in result.stderr


def test_an_edit_is_scored_by_its_parts_where_its_source_is_given(folder):
    (folder / "source.tex").write_text(PICTURE.replace("{A}", "{S}"))
    given = ["--truth", folder / "truth.tex", "--candidate", folder / "a reply.tex"]
    scored = json.loads(run(*given, "--source", folder / "source.tex", "--json").stdout)
    # A was to be written; B was. Nothing else is edited.
    assert [scored[f"f1_{name}_edit"] for name in ("type", "text", "color", "bbox")] == [1.0, 0.0, 1.0, 1.0]
    assert scored["f1_avg_preserve"] == 1.0
    strict = run(*given, "--source", folder / "source.tex", "--protocol", "strict", "--json")
    assert json.loads(strict.stdout)["f1_avg_strict_edit"] == 0.0
    assert "f1_type_strict_edit not computed for 1 of 1: neither side has a type" in strict.stderr


def test_pairs_may_bring_their_sources(folder):
    lines = [
        {"id": "edit", "truth_code": PICTURE, "candidate_code": PICTURE, "source": "a reply.tex"},
        {"id": "plain", "truth_code": PICTURE, "candidate_code": PICTURE},
        {"id": "bad", "truth_code": PICTURE, "candidate_code": PICTURE, "source": "none.tex"},
    ]
    (folder / "pairs.jsonl").write_text("\n".join(map(json.dumps, lines)))
    result = run("--pairs", folder / "pairs.jsonl", "--json")
    edit, plain, bad = map(json.loads, result.stdout.splitlines())
    assert edit["f1_avg_edit"] == 1.0
    assert "f1_avg_edit" not in plain
    assert "none.tex: no such file" in bad["not_computed"]["f1_avg"]


def test_the_numbers_shown_are_those_asked_for(folder):
    given = ["--truth", folder / "truth.tex", "--candidate", folder / "a reply.tex"]
    result = run(*given, "--metrics", "f1_text, f1_bbox_scalefree")
    assert result.stdout.splitlines()[0].split() == ["id", "text", "bbox_scalefree"]
    assert result.stdout.splitlines()[1].split()[-2:] == ["0.000", "1.000"]


def test_a_metric_that_there_is_not_is_told_before_anything_is_compiled(folder):
    result = run("--truth", folder / "truth.tex", "--candidate", folder / "none.tex", "--metrics", "f1_txt")
    assert isinstance(result.exception, BadInput)
    assert "did you mean f1_text?" in str(result.exception)
