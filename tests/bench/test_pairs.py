import json

import pytest

from diagrammar.bench import pairs
from diagrammar.bench.pairs import BadPair, Pair, read_pairs, score_pairs
from diagrammar.errors import BadInput

PICTURE = "\\begin{tikzpicture}\\draw (0,0) -- (1,1);\\end{tikzpicture}"


def read(*lines, folder, read_file=None):
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return list(read_pairs(raw, folder=folder, read_file=read_file or (lambda path: path.read_text())))


def test_paths_are_relative_to_the_file_of_pairs(tmp_path):
    (tmp_path / "t.tex").write_text("T")
    (tmp_path / "c.tex").write_text("C")
    assert read({"id": "a", "truth": "t.tex", "candidate": "c.tex"}, folder=tmp_path) == [Pair("a", "T", "C")]


def test_text_may_stand_in_the_line_itself(tmp_path):
    assert read({"id": 7, "truth_code": "T", "candidate_code": ""}, folder=tmp_path) == [Pair("7", "T", "")]


def test_a_line_without_id_is_called_by_its_number_and_blank_lines_are_none(tmp_path):
    line = {"truth_code": "T", "candidate_code": "C"}
    assert [pair.id for pair in read(line, b"\n", line, folder=tmp_path)] == ["1", "3"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": "x", "truth"', "line 1: no JSON"),
        (b"\xff\xfe{", "line 1: no JSON"),
        (b"[" * 99_999, "line 1: no JSON"),
        (b"[1]", "line 1: no JSON object"),
        ({"truth_code": "T"}, 'line 1: give either "candidate" (a path) or "candidate_code" (text)'),
        ({"truth": "t", "truth_code": "T", "candidate_code": "C"}, 'line 1: give either "truth"'),
        ({"truth_code": 3, "candidate_code": "C"}, 'line 1: "truth_code" is a int, not text'),
    ],
)
def test_a_bad_line_costs_that_line_only_and_says_why(line, reason, tmp_path):
    good = {"id": "good", "truth_code": "T", "candidate_code": "C"}
    bad, rest = read(line, good, folder=tmp_path)
    assert isinstance(bad, BadPair)
    assert bad.reason.startswith(reason)
    assert rest == Pair("good", "T", "C")


def test_a_file_that_cannot_be_read_costs_its_line_only(tmp_path):
    def refuse(path):
        raise BadInput(f"{path.name}: no such file")

    (bad,) = read({"id": "a", "truth": "t.tex", "candidate_code": ""}, folder=tmp_path, read_file=refuse)
    assert bad == BadPair("a", "line 1: t.tex: no such file")


def test_scores_come_in_the_order_of_the_pairs_with_bad_ones_in_their_places():
    given = [
        Pair("one", PICTURE, PICTURE),
        BadPair("two", "line 2: no JSON"),
        Pair("three", PICTURE, "nothing"),
    ]
    scored = list(score_pairs(given, workers=2))
    assert [pair.id for pair in scored] == ["one", "two", "three"]
    assert [pair.score.f1_avg for pair in scored] == [1.0, None, 0.0]
    assert set(scored[1].score.not_computed.values()) == {"line 2: no JSON"}


# Workers import what they run, which tests are not.
DEADLY = """
import os, signal
from diagrammar.bench.pairs import not_computed
def die_at_two(scoring, pair):
    if pair.id == "two":
        os.kill(os.getpid(), signal.SIGKILL)
    return not_computed(pair, "x", scoring)
"""


def test_a_worker_that_is_killed_costs_its_pair_only(monkeypatch, tmp_path):
    (tmp_path / "deadly_pairs.py").write_text(DEADLY)
    monkeypatch.syspath_prepend(str(tmp_path))
    import deadly_pairs

    monkeypatch.setattr(pairs, "_score", deadly_pairs.die_at_two)
    given = [BadPair("one", ""), BadPair("two", ""), BadPair("three", "")]
    scored = {pair.id: pair.score for pair in score_pairs(given, workers=1)}
    assert set(scored["two"].not_computed.values()) == {"the worker was ended by SIGKILL"}
    assert set(scored["three"].not_computed.values()) == {"x"}
