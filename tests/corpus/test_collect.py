"""The command `collect`: what it writes, that a kill costs only what was in flight, that it repeats. Eight seconds."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from diagrammar.cli.main import program
from diagrammar.corpus.collect import close, collect, open_collection
from diagrammar.corpus.reading.source import Opened, Part, Piece
from diagrammar.records.corpus import PartRead, Skipped
from diagrammar.records.diagrams import Diagram, Source
from diagrammar.store import open_stage

PROGRAM = str(Path(sys.executable).with_name("diagrammar"))


def paper(number: int) -> str:
    return (
        f"\\documentclass{{article}}\n\\usepackage{{tikz}}\n\\newcommand\\n{{{number}}}\n\\begin{{document}}\n"
        "\\begin{tikzpicture}\n\\node[draw] {\\n};\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}\n\\end{document}\n"
    )


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(500):
        (folder / f"p{number:03}.tex").write_text(paper(number))
    (folder / "loop.tex").write_text("\\input{loop}")
    (folder / "prose.tex").write_text("Nothing.")
    return folder


def invoke(*arguments: str) -> tuple[str, str]:
    ran = CliRunner().invoke(program, ["collect", *arguments], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.stdout, ran.stderr


def digest(folder: Path) -> dict[str, str]:
    names = ("records.jsonl", "manifest.json", "read/records.jsonl", "read/manifest.json")
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def test_two_runs_write_the_same_bytes_and_a_third_adds_nothing(papers: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    _, told = invoke("folder", str(papers), "--out", str(first))
    assert told.splitlines()[-1] == "collected 500 diagrams (2 skipped, 1 cyclic_input, 1 no_picture)"
    assert "loop.tex:1: cyclic_input: the files ask for one another: loop.tex -> loop.tex" in told
    invoke("folder", str(papers), "--out", str(second))
    assert digest(first) == digest(second)
    invoke("folder", str(papers), "--out", str(first))
    assert digest(first) == digest(second)


def test_a_killed_collection_goes_on_to_the_same_bytes(papers: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    invoke("folder", str(papers), "--out", str(whole))
    command = [PROGRAM, "collect", "folder", str(papers), "--out", str(cut)]
    kills = 0
    for wait_s in (0.05, 0.2, 0.5):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while process.poll() is None and not (cut / "read").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(wait_s)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
    assert kills
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL, timeout=120)
    assert digest(cut) == digest(whole)


def test_parts_that_were_read_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diagrammar.corpus.collect.BATCH_S", 1e9)  # however slow the machine is
    reads: list[str] = []

    def opened(stop_at: int | None) -> Opened:
        def parts() -> Iterator[Part]:
            for number in range(450):
                if number == stop_at:
                    raise KeyboardInterrupt
                yield Part(f"p{number}", lambda number=number: read(number))  # type: ignore[misc]

        return Opened("d", parts)

    def read(number: int) -> list[Piece]:
        reads.append(f"p{number}")
        source = Source(url="x", licence="unknown", sha256="0" * 64)
        return [Diagram(id=f"d{number}", code="x", source=source)]

    def run(stop_at: int | None) -> None:
        collection = open_collection(
            tmp_path / "c", opened(stop_at), source="test", options={}, limit=None, seed=0
        )
        with collection.stage, collection.read:
            for _ in collect(opened(stop_at), collection):
                pass
            close(collection)

    with pytest.raises(KeyboardInterrupt):
        run(430)
    assert len(reads) == 430
    reads.clear()
    run(None)
    assert reads[0] == "p400"  # the second batch of 200 was on the disk, the thirty after it were in flight
    assert [diagram.id for diagram in open_stage(tmp_path / "c", Diagram, stage="collect")] == [
        f"d{number}" for number in range(450)
    ]


def test_a_draw_is_made_of_all_and_both_are_kept(papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "c"
    stdout, told = invoke("folder", str(papers), "--out", str(out), "--limit", "7", "--json")
    assert told.splitlines()[-1].startswith("collected 7 of 500 diagrams (2 skipped")
    lines = [json.loads(line) for line in stdout.splitlines()]
    assert [line["ok"] for line in lines] == [True] * 7 + [False] * 2
    assert len(open_stage(out, Diagram, stage="collect")) == 7
    assert len(open_stage(out / "found", Diagram, stage="found")) == 500
    again, _ = invoke("folder", str(papers), "--out", str(out), "--limit", "7", "--json")
    assert again == stdout


def test_a_part_that_cannot_be_read_costs_itself(tmp_path: Path) -> None:
    def fails() -> list[Piece]:
        raise RecursionError("too deep")

    skipped = Skipped(where="y", reason="empty")
    opened = Opened("d", lambda: iter([Part("x", fails), Part("y", lambda: [skipped])]))
    collection = open_collection(tmp_path / "c", opened, source="test", options={}, limit=None, seed=0)
    with collection.stage, collection.read:
        list(collect(opened, collection))
        told = close(collection)
    assert told.skipped == {"reader_failed": 1, "empty": 1}
    read = {part.id: part.skipped for part in open_stage(tmp_path / "c" / "read", PartRead, stage="read")}
    assert read["x"][0].message == "RecursionError: too deep" and read["y"] == (skipped,)


def test_another_source_or_another_option_is_refused(papers: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "c")
    invoke("folder", str(papers), "--out", out)
    ran = subprocess.run(
        [PROGRAM, "collect", "folder", str(papers), "--out", out, "--licence", "MIT"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 2
    assert "licence=None, not 'MIT'" in ran.stderr
    (papers / "p000.tex").write_text(paper(-1))
    ran = subprocess.run(
        [PROGRAM, "collect", "folder", str(papers), "--out", out], capture_output=True, text=True
    )
    assert ran.returncode == 2 and "made with digest=" in ran.stderr


def test_records_of_before_still_load() -> None:
    old = '{"id":"a","code":"x","source":{"url":"u","licence":"l","retrieved":"","sha256":"0","line":1}}'
    source = Diagram.model_validate_json(old).source
    assert (source.author, source.title, source.file, source.note) == ("", "", "", "")
