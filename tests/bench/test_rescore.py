"""A stored run is scored again without TeX, with weights that were not there before; a dying machine costs no model."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save
from scipy.linalg import sqrtm

from diagrammar.bench import run as stage
from diagrammar.bench.draw import text_id
from diagrammar.bench.evaluate import open_runs, score_missing
from diagrammar.bench.make import open_tasks
from diagrammar.bench.report.numbers import with_numbers
from diagrammar.bench.report.summary import summarise
from diagrammar.bench.setting import find_setting
from diagrammar.records.outputs import Prompt, Reply
from diagrammar.records.tasks import Task

NETWORKS = {"clip": (224, 512, 14), "lpips": (256, 64, 16), "inception": (256, 2048, 16)}
USED = 5  # of its features the small network gives so many, the others are 0


def save_network(path: Path, side: int, length: int, pool: int) -> None:
    """A network as small as they come: mean colours of large squares, mixed."""
    squares = 3 * (side // pool) ** 2
    mix = np.zeros((squares, length), dtype=np.float32)
    mix[:, :USED] = np.random.default_rng(1).normal(size=(squares, USED)) / (100 * squares)
    nodes = [
        helper.make_node("Cast", ["pixels"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("AveragePool", ["f"], ["p"], kernel_shape=[pool, pool], strides=[pool, pool]),
        helper.make_node("Flatten", ["p"], ["v"]),
        helper.make_node("MatMul", ["v", "mix"], ["features"]),
    ]
    given = helper.make_tensor_value_info("pixels", TensorProto.UINT8, [1, 3, side, side])
    made = helper.make_tensor_value_info("features", TensorProto.FLOAT, [1, length])
    graph = helper.make_graph(nodes, "small", [given], [made], [numpy_helper.from_array(mix, "mix")])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def report_alone(runs, out, *, tools: Path, **variables: str) -> dict[str, dict]:
    """A report made by a process of its own, in which TeX is what `tools` holds; the models by name."""
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "diagrammar.cli.main", "report", *map(str, runs), "--out", str(out)]
    told = subprocess.run(
        command, capture_output=True, text=True, timeout=200, env={**os.environ, "PATH": path, **variables}
    )
    assert told.returncode == 0, told.stderr
    models = json.loads((out / "report.json").read_text())["models"]
    return {model["model"].removeprefix("reference/"): model for model in models}


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> Path:
    """TeX programs that tell their version and write down every other call."""
    folder = tmp_path_factory.mktemp("tools")
    for name in ("pdflatex", "lualatex", "xelatex", "latex", "dvilualatex", "dvisvgm", "bwrap"):
        real = shutil.which(name)
        script = f'#!/bin/sh\n[ "$1" = --version ] && exec {real} --version\necho {name} >> {folder}/called\nexit 1\n'
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    return folder


class Mistaken:
    """A model that draws the diagram after the one it is asked for, and every fourth time nothing."""

    name = "mistaken"

    def __init__(self, tasks: list[Task]) -> None:
        codes = [task.truth_code for task in tasks]
        self.reply_by_task = dict(zip((task.id for task in tasks), codes[1:] + codes[:1], strict=True))
        self.asked = 0

    async def reply(self, prompt: Prompt, *, sample_id: str) -> Reply:
        self.asked += 1
        broken = "\\documentclass{article}\\begin{document}\\nonsense\\end{document}"
        text = broken if self.asked % 4 == 0 else self.reply_by_task[sample_id.rpartition(":")[0]]
        return Reply(text=f"```latex\n{text}\n```")

    async def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def runs(bench, diagrammar, tmp_path_factory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    diagrammar("run", bench, "--model", "reference/oracle", "--out", folder / "oracle", "--attempts", 2)
    tasks = open_tasks(bench)
    asking = stage.Asking(setting=find_setting("S1"), attempts=2)
    about = stage.About(bench=str(tasks.folder), date="2026-01-01", version="0")
    chosen = list(tasks)
    stage.run(tasks, chosen, model=Mistaken(chosen), asking=asking, out=folder / "mistaken", about=about)
    return [folder / "oracle", folder / "mistaken"]


@pytest.fixture(scope="module")
def without(runs, tmp_path_factory) -> dict[str, dict]:
    """The runs' report on a machine without weights: the only time that TeX runs."""
    out = tmp_path_factory.mktemp("without")
    return report_alone(runs, out, tools=out / "none", XDG_DATA_HOME=str(out))


@pytest.fixture(scope="module")
def weights(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("weights")
    for name, shape in NETWORKS.items():
        save_network(folder / f"{name}.onnx", *shape)
    return {f"DIAGRAMMAR_{name.upper()}_WEIGHTS": str(folder / f"{name}.onnx") for name in NETWORKS}


@pytest.fixture(scope="module")
def with_weights(without, runs, tools, weights, tmp_path_factory) -> dict[str, dict]:
    return report_alone(runs, tmp_path_factory.mktemp("with"), tools=tools, **weights)


def test_without_weights_what_needs_them_is_not_computed_and_says_so(without):
    scores = without["mistaken"]["scores"]
    for name in ("clip", "lpips", "fid", "kid", "sc", "all", "fl"):
        assert scores[name]["value"] is None and "no weights" in scores[name]["reason"]
    assert 0 < scores["ssim"]["value"] < 1 and scores["ssim"]["n"] == 24


def test_weights_that_arrive_are_used_without_tex(without, with_weights, tools):
    assert not (tools / "called").exists()
    before, now = without["mistaken"]["scores"], with_weights["mistaken"]["scores"]
    for name in ("f1_avg", "f1_color_chance", "crystalbleu", "ssim"):
        assert now[name] == before[name]
    composed = {name: now[name]["value"] for name in ("clip", "lpips", "fid", "kid", "sc", "all", "fl")}
    assert None not in composed.values()
    assert composed["sc"] == pytest.approx((now["ssim"]["value"] + composed["clip"]) / 2)
    parts = [now["f1_avg"]["value"], now["crystalbleu"]["value"], composed["sc"]]
    assert composed["all"] == pytest.approx(sum(parts) / 3)
    assert composed["fl"] == pytest.approx((composed["fid"] + composed["lpips"]) / 2)


def test_fid_is_of_what_is_drawn_and_counts_what_is_not(with_weights, runs):
    model = with_weights["mistaken"]
    drawn = model["outcomes"]["drawn"]
    assert drawn == 18
    for name in ("fid", "kid"):
        assert (model["scores"][name]["n"], model["scores"][name]["failed"]) == (drawn, 24 - drawn)
        assert model["scores"][name]["interval"] is None
    assert model["scores"]["lpips"]["n"] == 24  # there a failure counts as 1
    assert with_weights["oracle"]["scores"]["fid"]["value"] == pytest.approx(0, abs=1e-6)


def test_fid_is_the_textbooks(with_weights, runs, bench):
    seen = {folder: features_in(folder) for folder in (*runs, bench / "tasks")}
    (run,) = (run for run in open_runs(runs) if run.folder.name == "mistaken")
    pairs = [
        (run.truths.by_id[answer.truth].picture.png, run.answers.by_id[answer.candidate].picture.png)
        for answer in run.scores
        if answer.score.compiled.candidate
    ]
    truth = np.stack([seen[bench / "tasks"][one] for one, _ in pairs])[:, :USED].astype(float)
    candidate = np.stack([seen[run.folder][one] for _, one in pairs])[:, :USED].astype(float)
    first, second = np.cov(truth, rowvar=False), np.cov(candidate, rowvar=False)
    shift = truth.mean(axis=0) - candidate.mean(axis=0)
    expected = shift @ shift + np.trace(first + second - 2 * sqrtm(first @ second).real)
    assert expected > 0
    assert with_weights["mistaken"]["scores"]["fid"]["value"] == pytest.approx(expected, rel=1e-4)


def features_in(folder: Path) -> dict[str, np.ndarray]:
    (stage,) = folder.glob("seen-*")
    lines = (stage / "records.jsonl").read_text().splitlines()
    return {
        record["id"]: np.load(stage / "artefacts" / record["features"]) for record in map(json.loads, lines)
    }


def test_each_picture_is_looked_at_once(with_weights, runs, bench):
    oracle, mistaken, truths = (features_in(folder) for folder in (*runs, bench / "tasks"))
    assert len(truths) == 12 and set(oracle) == set(truths)  # 24 answers, 12 pictures
    pictures = {d.picture.png for d in open_runs(runs)[1].answers.by_id.values() if d.picture}
    assert set(mistaken) == pictures


class Deadly(str):
    """A text that ends whatever process it is sent to."""

    def __reduce__(self):
        return os._exit, (3,)


def test_an_answer_that_kills_its_worker_is_not_computed_and_counted(without, runs, tmp_path):
    copy = tmp_path / "oracle"
    shutil.copytree(runs[0], copy)
    about = json.loads((copy / "about.json").read_text())
    about["bench"] = os.path.join(os.path.relpath(runs[0], copy), about["bench"])
    (copy / "about.json").write_text(json.dumps(about))
    for scores in copy.glob("scores-*"):
        shutil.rmtree(scores)
    (run,) = open_runs([copy])

    class Answers:
        def __init__(self, real):
            self.real, self.stage, self.by_id = real, real.stage, real.by_id

        def side(self, drawn_id, *, with_picture=False):
            side = self.real.side(drawn_id, with_picture=with_picture)
            return replace(side, code=Deadly(side.code)) if drawn_id == deadly else side

    deadly = text_id(next(iter(run.outputs)).text)
    score_missing([replace(run, answers=Answers(run.answers))], workers=2)
    answers = list(run.scores)
    lost = [answer for answer in answers if answer.candidate == deadly]
    assert len(answers) == 24 and len(lost) == 2  # both attempts are this text
    for answer in lost:
        assert set(answer.score.values.values()) == {None}
        assert (
            answer.score.not_computed["f1_avg"]
            == "scoring it failed twice: the worker ended with exit code 3"
        )
    mean = summarise("oracle", with_numbers(answers, run.lacking)).means["f1_avg"]
    assert (mean.value, mean.n, mean.failed, mean.not_computed) == (1.0, 22, 0, 2)
    assert "scoring it failed" in mean.reason
