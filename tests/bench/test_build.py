"""Building: rerun, killed, and from bad folders."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

from diagrammar.bench.make import open_tasks
from diagrammar.errors import BadInput
from diagrammar.records.diagrams import DOMAINS


def lines(path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


def test_a_benchmark_has_a_task_per_diagram(bench):
    tasks = list(open_tasks(bench))
    assert sorted(task.domain for task in tasks) == sorted([*DOMAINS, *DOMAINS])
    for task in tasks:
        assert task.truth_code.startswith("\\documentclass") and task.preamble in task.truth_code
        assert task.question and task.truth_code not in task.question


def test_a_second_build_changes_nothing(bench, documents, diagrammar):
    before = {path: path.read_bytes() for path in bench.rglob("records.jsonl")}
    told = diagrammar("build", "--folder", documents, "--out", bench)
    assert "made 0 tasks; 12 were there before" in told.stderr
    assert before == {path: path.read_bytes() for path in bench.rglob("records.jsonl")}


def test_a_killed_build_goes_on_where_it_was(documents, tmp_path):
    out = tmp_path / "bench"
    command = [
        sys.executable,
        "-m",
        "diagrammar.cli.main",
        "build",
        "--folder",
        str(documents),
        "--out",
        str(out),
    ]
    records = out / "refined" / "records.jsonl"
    first = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while len(lines(records)) < 3 and first.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = [line for line in lines(records) if line.endswith(b"\n")]
    assert 3 <= len(kept) < 12
    second = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=200)
    assert second.returncode == 0, second.stderr
    # what was done is still there, as it was, and only the rest was made
    assert lines(records)[: len(kept)] == kept and len(lines(records)) == 12
    assert f"{len(kept)} were done before" in second.stderr
    assert len(list(open_tasks(out))) == 12


def test_a_folder_that_is_no_benchmark_is_a_usage_error(documents, diagrammar, tmp_path):
    told = diagrammar("run", documents, "--model", "reference/oracle", "--out", tmp_path / "run", code=1)
    assert isinstance(told.exception, BadInput) and "not a stage folder" in str(told.exception)
    told = diagrammar("report", documents, "--out", tmp_path / "report", code=1)
    assert isinstance(told.exception, BadInput)


def test_the_demo_goes_the_whole_road_and_a_second_time_at_once(diagrammar, tmp_path):
    told = diagrammar("demo", "--out", tmp_path / "demo", "--limit", 6)
    assert told.stdout.rstrip().endswith(f"report: {tmp_path / 'demo' / 'report' / 'index.html'}")
    assert sorted(task.domain for task in open_tasks(tmp_path / "demo" / "bench")) == sorted(DOMAINS)
    models = [line.split()[0] for line in told.stdout.splitlines() if line.startswith("reference/")]
    assert models[:4] == [
        "reference/oracle",
        "reference/noisy-0.2",
        "reference/blank-page",
        "reference/blank",
    ]
    again = diagrammar("demo", "--out", tmp_path / "demo", "--limit", 6)
    assert again.stdout == told.stdout and "scored 0 of 24 answers" in again.stderr
    machine = diagrammar("demo", "--out", tmp_path / "demo", "--limit", 6, "--json")
    oracle, *_, blank = (json.loads(line) for line in machine.stdout.splitlines())
    assert (oracle["model"], oracle["n"], oracle["scores"]["f1_avg"]["value"]) == ("reference/oracle", 6, 1.0)
    assert (blank["model"], blank["outcomes"]) == ("reference/blank", {"empty": 6})
