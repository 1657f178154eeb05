"""Runs: what a model sees, what is counted, and what a killed run costs."""

from __future__ import annotations

import gc
import json
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter
from types import FunctionType, ModuleType

import pytest

from diagrammar.bench import run as stage
from diagrammar.bench.make import open_tasks
from diagrammar.bench.setting import Question, Setting, find_setting
from diagrammar.catalog import load_all
from diagrammar.errors import BadInput
from diagrammar.models import Sampling, resolve
from diagrammar.records.outputs import Output, Prompt, Reply

ANSWER = "```latex\n\\documentclass[tikz]{standalone}\\begin{document}\\tikz\\draw (0,0)--(1,1);\\end{document}\n```"
SETTINGS = load_all("diagrammar.bench.settings", Setting)


def outputs_in(folder) -> list[Output]:
    lines = (folder / "records.jsonl").read_text().splitlines()
    return [Output.model_validate_json(line) for line in lines]


def run_in_process(bench, server, out, *more) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "diagrammar.cli.main", "run", str(bench), "--model", "scripted"]
    where = ["--base-url", server.base_url, "--out", str(out), "--max-connections", "3", *more]
    return subprocess.Popen([*program, *where], stderr=subprocess.PIPE, text=True)


def lines_in(path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(condition, *, seconds=60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_a_model_sees_the_picture_and_the_question(bench, scripted_server, diagrammar, tmp_path):
    scripted_server.says(ANSWER)
    options = ("--base-url", scripted_server.base_url, "--out", tmp_path / "run", "--limit", 6)
    told = diagrammar("run", bench, "--model", "scripted", *options)
    assert "scripted: 6 answers of 6 (0 failed)" in told.stderr
    tasks = open_tasks(bench)
    task_by_picture = {tasks.get(task.image): task for task in tasks}
    asked_about = [task_by_picture[asked.image_png] for asked in scripted_server.asked]
    assert len({task.domain for task in asked_about}) == 6  # a limit takes the domains in turn
    for asked, task in zip(scripted_server.asked, asked_about, strict=True):
        assert asked.user == task.question
        assert "\\documentclass" in asked.system and "```latex" in asked.system
    assert {output.code for output in outputs_in(tmp_path / "run")} == {ANSWER.splitlines()[1]}


def test_the_preamble_is_given_away_only_on_demand(bench, scripted_server, diagrammar, tmp_path):
    scripted_server.says(ANSWER)
    options = ("--base-url", scripted_server.base_url, "--limit", 1, "--out")
    diagrammar("run", bench, "--model", "scripted", *options, tmp_path / "without")
    diagrammar("run", bench, "--model", "scripted", *options, tmp_path / "with", "--preamble")
    without, given = (asked.user for asked in scripted_server.asked)
    preamble = next(task.preamble for task in open_tasks(bench) if task.preamble.strip() in given)
    assert given.startswith(without) and preamble.strip() not in without
    again = diagrammar("run", bench, "--model", "scripted", *options, tmp_path / "with", code=1)
    assert isinstance(again.exception, BadInput) and "preamble" in str(again.exception)  # never mixed


def test_a_killed_run_repeats_only_what_was_in_flight(bench, scripted_server, tmp_path):
    scripted_server.script = lambda asked, nth: {"text": ANSWER, "wait_s": 0.15}
    out = tmp_path / "run"
    first = run_in_process(bench, scripted_server, out)
    wait_for(lambda: lines_in(out / "records.jsonl") >= 4)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    kept = (out / "records.jsonl").read_bytes()
    asked_before = len(scripted_server.asked)
    assert 4 <= lines_in(out / "records.jsonl") < 12
    second = run_in_process(bench, scripted_server, out)
    _, told = second.communicate(timeout=120)
    assert second.returncode == 0, told
    assert (out / "records.jsonl").read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert Counter(output.id for output in outputs_in(out)).most_common(1)[0][1] == 1
    assert len(outputs_in(out)) == 12
    times_asked = Counter(asked.image_png for asked in scripted_server.asked)
    repeated = sum(times - 1 for times in times_asked.values())
    assert repeated == asked_before - lines_of(kept) <= 3


def lines_of(blob: bytes) -> int:
    return blob.count(b"\n")


def test_a_torn_last_line_is_asked_again(bench, scripted_server, diagrammar, tmp_path):
    scripted_server.says(ANSWER)
    options = ("--base-url", scripted_server.base_url, "--out", tmp_path / "run", "--limit", 3)
    diagrammar("run", bench, "--model", "scripted", *options)
    records = tmp_path / "run" / "records.jsonl"
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    (tmp_path / "run" / "manifest.json").write_text(json.dumps({**manifest, "complete": False}))
    records.write_bytes(records.read_bytes()[:-20])
    diagrammar("run", bench, "--model", "scripted", *options)
    assert len(outputs_in(tmp_path / "run")) == 3 and len(scripted_server.asked) == 4


def test_no_answer_and_no_code_count_as_0_in_a_fixed_denominator(
    bench, scripted_server, diagrammar, tmp_path
):
    tasks = open_tasks(bench)
    position = {tasks.get(task.image): at for at, task in enumerate(sorted(tasks, key=lambda task: task.id))}
    truth = {tasks.get(task.image): task.truth_code for task in tasks}

    def script(asked, nth):
        said = {
            0: {"status": 400, "body": b'{"error": {"message": "refused", "code": "content_filter"}}'},
            1: "I cannot draw.",
            2: "```latex\n\\documentclass{article}\n\\begin{document}\nbreaks off",
            3: "```latex\n\\documentclass{article}\n\\begin{document}\n\\nonsense\n\\end{document}\n```",
        }
        right = f"Here you are:\n```latex\n{truth[asked.image_png]}```\nAnything else?"
        return said.get(position[asked.image_png], right)

    scripted_server.script = script
    out = tmp_path / "run"
    quick = Sampling(retry_delays_s=(0.01, 0.01, 0.01))  # only the waits are not the protocol's
    model = resolve("scripted", truth_of=truth.__getitem__, base_url=scripted_server.base_url, sampling=quick)
    asking = stage.Asking(setting=find_setting("S1"), sampling=quick)
    about = stage.About(bench=str(tasks.folder), date="2026-01-01", version="0")
    statuses = stage.run(tasks, list(tasks), model=model, asking=asking, out=out, about=about)
    assert statuses == {"ok": 9, "no_code": 2, "model_error": 1}
    diagrammar("report", out, "--out", tmp_path / "report")
    (model,) = json.loads((tmp_path / "report" / "report.json").read_text())["models"]
    outcomes = {"drawn": 8, "model_error": 1, "no_code": 1, "truncated": 1, "undefined_command": 1}
    assert model["outcomes"] == outcomes
    found = model["scores"]["f1_avg"]
    assert found["value"] == pytest.approx(8 / 12)
    assert (found["n"], found["failed"], found["not_computed"]) == (12, 4, 0)
    assert 0 < found["interval"][0] < 8 / 12 < found["interval"][1] < 1
    assert model["scores"]["crystalbleu"]["value"] == pytest.approx(8 / 12)


@pytest.mark.parametrize("name", SETTINGS)
def test_no_path_leads_from_a_prompt_to_the_truth(name):
    question = Question(text="Draw it.", image_png=b"png", preamble="\\documentclass{standalone}")
    prompt = SETTINGS[name].prompt(question)
    reached = everything_reachable(prompt)
    kinds = {type(thing) for thing in reached}
    assert kinds <= {Prompt, dict, str, bytes, type(None)}, kinds
    assert type(pickle.loads(pickle.dumps(prompt))) is Prompt


def test_no_path_leads_from_what_a_run_asks_to_the_truth(bench, tmp_path):
    seen: list[Prompt] = []

    class Spy:
        name = "spy"

        async def reply(self, prompt: Prompt, *, sample_id: str) -> Reply:
            seen.append(prompt)
            return Reply(text=ANSWER)

        async def close(self) -> None:
            pass

    tasks = open_tasks(bench)
    setting = find_setting("S1")
    about = stage.About(bench=str(bench), date="2026-01-01", version="0")
    asking = stage.Asking(setting=setting)
    stage.run(tasks, list(tasks), model=Spy(), asking=asking, out=tmp_path / "run", about=about)
    truths = [task.truth_code for task in tasks]
    assert len(seen) == len(truths) == 12
    for prompt in seen:
        words = [thing for thing in everything_reachable(prompt) if isinstance(thing, str)]
        assert not any(truth in word for truth in truths for word in words)


def everything_reachable(thing) -> list[object]:
    """All objects that one can walk to; classes, functions and modules are the program, not the data."""
    found: dict[int, object] = {}
    left = [thing]
    while left:
        one = left.pop()
        if id(one) in found or isinstance(one, type | FunctionType | ModuleType):
            continue
        found[id(one)] = one
        left += gc.get_referents(one)
    return list(found.values())


def test_an_unknown_setting_names_those_there_are():
    with pytest.raises(BadInput, match=r"S1 \(direct coding\)"):
        find_setting("S99")


def test_answers_and_tasks_as_json_are_one_object_a_line(bench, diagrammar, tmp_path):
    told = diagrammar(
        "run", bench, "--model", "reference/blank", "--out", tmp_path / "run", "--limit", 2, "--json"
    )
    lines = [json.loads(line) for line in told.stdout.splitlines()]
    assert [(line["status"], line["model"]) for line in lines] == [("empty", "reference/blank")] * 2
    told = diagrammar("tasks", bench / "refined", "--out", tmp_path / "tasks", "--json")
    tasks = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(tasks) == 12 and {line["kind"] for line in tasks} == {"d2c_parse"}


@pytest.mark.parametrize(
    "wrong", [("--temperature", "warm"), ("--max-connections", "0"), ("--limit", "none")]
)
def test_wrong_options_are_usage_errors(bench, diagrammar, tmp_path, wrong):
    diagrammar("run", bench, "--model", "reference/blank", "--out", tmp_path / "run", *wrong, code=2)
    assert not (tmp_path / "run").exists()
