"""What the machine refuses (reading, writing, a full disk) is one line, and costs no other file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GOOD = r"\documentclass[tikz]{standalone}\begin{document}\tikz\draw(0,0)--(1,0);\end{document}"
# Root reads and writes what it likes: these tests run without that right.
PLAIN = [
    "setpriv",
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
]


def run(*words: str, stdout: int | None = None) -> subprocess.CompletedProcess[str]:
    command = [*(PLAIN if os.geteuid() == 0 else []), sys.executable, "-m", "diagrammar.cli.main", *words]
    return subprocess.run(
        command, stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False
    )


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    (tmp_path / "good.tex").write_text(GOOD)
    (tmp_path / "locked.tex").write_text(GOOD)
    (tmp_path / "locked.tex").chmod(0)
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    return tmp_path


def test_a_file_that_may_not_be_read_costs_no_other(locked: Path) -> None:
    files = [str(locked / "locked.tex"), str(locked / "good.tex")]
    for words in (["objects", "--json", *files], ["compile", "--json", "--out", str(locked / "out"), *files]):
        done = run(*words)
        entries = {Path(entry["file"]).name: entry for entry in map(json.loads, done.stdout.splitlines())}
        assert done.returncode == 0, done.stderr
        assert entries["good.tex"]["ok"]
        assert entries["locked.tex"]["failure"]["message"] == "no permission to read it"


@pytest.mark.parametrize(
    "words",
    [
        ["score", "--truth", "good.tex", "--candidate", "locked.tex"],
        ["collect", "folder", ".", "--out", "locked/collected"],
        ["build", "--folder", ".", "--out", "locked/bench"],
        ["build", "--folder", ".", "--out", "good.tex/bench"],
        ["demo", "--out", "good.tex"],
    ],
)
def test_what_may_not_be_read_or_written_is_one_line(
    locked: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(locked)
    done = run(*words)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert "Usage" not in done.stderr
    assert done.stderr.strip().splitlines()[-1].startswith("diagrammar: ")


def test_a_full_disk_is_one_line(locked: Path) -> None:
    with open("/dev/full", "w") as full:
        done = run("objects", str(locked / "good.tex"), stdout=full.fileno())
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "No space left on device" in done.stderr


def test_a_name_that_no_file_can_have_costs_its_pair_only(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        '{"id": "odd", "truth": "good\\ud800.tex", "candidate": "good.tex"}\n'
        + json.dumps({"id": "fine", "truth_code": GOOD, "candidate_code": GOOD})
        + "\n"
    )
    done = run("score", "--pairs", str(pairs), "--json")
    scores = {score["id"]: score for score in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 0, done.stderr
    assert scores["fine"]["f1_avg"] == 1.0
    assert "no file can have this name" in scores["odd"]["not_computed"]["f1_avg"]


def test_a_line_end_in_a_name_does_not_break_the_line(tmp_path: Path) -> None:
    (tmp_path / "two\nlines.tex").write_text(GOOD)
    done = run("compile", str(tmp_path / "two\nlines.tex"), "--out", str(tmp_path / "out"))
    assert len(done.stdout.splitlines()) == 1
    assert "two\\nlines.tex" in done.stdout
