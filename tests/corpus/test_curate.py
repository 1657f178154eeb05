"""The corpus of real documents: same bytes twice, a kill in the middle, collections that do not go together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diagrammar.corpus.curate import Plan, curate
from diagrammar.errors import BadInput
from diagrammar.records.corpus import CURATED, Refined, Rejected
from diagrammar.records.diagrams import DOMAINS, Diagram, Source
from diagrammar.store import Stage, open_stage

SOURCE = Source(url="x.tex", licence="unknown", sha256="0" * 64)
BODIES = {
    "tree": r"\tikz[level distance=9mm] \node {r} child {node {a} child {node {b}} child {node {c}}} child {node {d}};",
    "arrow": r"\tikz \draw[->] (0,0) -- (3,1);",
    "broken": r"\tikz \nosuchcommand;",
    "tree_again": r"\tikz[level distance=9mm] \node {r} child {node {a} child {node {b}} child {node {c}}} "
    "\n child {node {d}};",
    "words": "only words",
    "star": r"\tikz \foreach \n in {1,...,5} \draw (0,0) -- (72*\n:1.5) node[circle, draw, fill=white] {\n};",
}


def collection(folder: Path, names: list[str]) -> Path:
    head = "\\documentclass[border=5pt]{standalone}\n\\usepackage{tikz}\n\\begin{document}\n"
    diagrams = [
        Diagram(
            id=name,
            code=f"{head}{BODIES[name.split(':')[0]]}\n% {name}\n\\end{{document}}\n",
            domain=DOMAINS[number % len(DOMAINS)],
            source=SOURCE,
        )
        for number, name in enumerate(names)
    ]
    with Stage(folder, Diagram, stage="collect", made_with={"source": "test"}) as stage:
        stage.extend(diagrams)
        stage.close()
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """The corpus and its rejected, without the stages and the manifests, which tell times."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "stages" not in path.relative_to(folder).parts and path.name != "manifest.json"
    }


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collection(tmp_path_factory.mktemp("curate") / "collected", list(BODIES))


@pytest.fixture(scope="module")
def corpus(collected: Path) -> Path:
    out = collected.parent / "corpus"
    list(curate(Plan((collected,), out, engine="inline")))
    return out


def test_each_diagram_is_kept_or_turned_away_in_the_order_of_the_source(corpus: Path) -> None:
    kept = list(open_stage(corpus, Refined, stage=CURATED))
    rejected = list(open_stage(corpus / "rejected", Rejected, stage="rejected"))
    assert [record.id for record in kept] == ["tree", "star"]
    assert [(record.id, record.reason) for record in rejected] == [
        ("arrow", "trivial"),
        ("broken", "undefined_command"),
        ("tree_again", "duplicate_code"),
        ("words", "text_only"),
    ]


def test_all_that_draws_can_be_looked_at(corpus: Path) -> None:
    kept = open_stage(corpus, Refined, stage=CURATED)
    rejected = open_stage(corpus / "rejected", Rejected, stage="rejected")
    assert all(kept.get(record.picture) and kept.get(record.scene) for record in kept)
    assert [r.id for r in rejected if r.picture and rejected.get(r.picture)] == [
        "arrow",
        "tree_again",
        "words",
    ]


def test_the_manifest_tells_counts_and_seconds(corpus: Path) -> None:
    manifest = open_stage(corpus, Refined, stage=CURATED).manifest
    assert manifest.complete
    assert (manifest.counts["rejected"], manifest.counts["domain_charts"]) == (4, 1)
    assert float(manifest.counts["seconds_refine"]) > 0


def test_a_second_run_gives_the_same_bytes(corpus: Path, collected: Path, tmp_path: Path) -> None:
    list(curate(Plan((collected,), tmp_path / "again", workers=2)))
    again = files_of(tmp_path / "again")
    assert len(again) >= 8
    assert again == files_of(corpus)


def test_a_finished_corpus_is_left_as_it_is(corpus: Path, collected: Path) -> None:
    before = files_of(corpus)
    assert [progress.step for progress in curate(Plan((collected,), corpus, engine="inline"))] == ["write"]
    assert files_of(corpus) == before


def test_collections_that_share_ids_are_refused(collected: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="share 6 ids, such as 'tree'"):
        next(curate(Plan((collected, collected), tmp_path / "c")))
    assert not (tmp_path / "c").exists()


def test_a_folder_made_of_another_collection_is_refused(corpus: Path, tmp_path: Path) -> None:
    other = collection(tmp_path / "other", ["tree"])
    with pytest.raises(BadInput, match="collect1_records=6, not 1"):
        next(curate(Plan((other,), corpus)))


def test_a_collection_that_was_not_finished_is_refused(tmp_path: Path) -> None:
    with Stage(tmp_path / "begun", Diagram, stage="collect", made_with={"source": "test"}) as stage:
        stage.extend([])
    with pytest.raises(BadInput, match="was not finished"):
        next(curate(Plan((tmp_path / "begun",), tmp_path / "corpus")))


def test_a_kill_costs_only_what_was_in_flight(tmp_path: Path) -> None:
    names = [f"{kind}:{n}" for n in range(8) for kind in ("star", "arrow")]
    folder, out = collection(tmp_path / "collected", names), tmp_path / "corpus"
    command = [
        sys.executable,
        "-m",
        "diagrammar.cli.main",
        "curate",
        str(folder),
        "--out",
        str(out),
        "--workers",
        "1",
    ]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    lines = out / "stages" / "refined" / "records.jsonl"
    deadline = time.monotonic() + 120
    while not (lines.exists() and lines.read_bytes().count(b"\n") >= 2):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = lines.read_bytes()
    whole = before[: before.rindex(b"\n") + 1]
    assert not (out / "records.jsonl").exists()
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert lines.read_bytes().startswith(whole)
    assert lines.read_bytes().count(b"\n") == len(names)
    assert "kept 1 of 16" in outcome.stderr
