from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diagrammar.errors import BadInput, StoreCorrupt
from diagrammar.records.outputs import Output
from diagrammar.records.scenes import Frozen
from diagrammar.store import Stage, open_stage, read_manifest


class Note(Frozen):
    id: str
    text: str = ""


INPUTS: dict[str, str | int | float] = {"model": "reference/oracle", "limit": 3, "temperature": 0.5}


def notes(folder: Path, **changed: str | int | float) -> Stage[Note]:
    return Stage(folder, Note, stage="notes", made_with={**INPUTS, **changed})


def test_records_come_back_in_the_order_in_which_they_were_appended(tmp_path: Path) -> None:
    with notes(tmp_path / "s") as stage:
        for id_ in ("b", "a", "ü\n"):
            stage.append(Note(id=id_, text="two\nlines"))
    again = notes(tmp_path / "s")
    assert [note.id for note in again] == ["b", "a", "ü\n"]
    assert again.done == {"a", "b", "ü\n"}
    assert next(iter(again)) == Note(id="b", text="two\nlines")


def test_a_torn_last_line_is_dropped_and_its_id_is_not_done(tmp_path: Path) -> None:
    with notes(tmp_path) as stage:
        stage.append(Note(id="whole"))
    records = tmp_path / "records.jsonl"
    records.write_bytes(records.read_bytes() + b'{"id": "torn", "te')
    again = notes(tmp_path)
    assert again.done == {"whole"}
    assert [note.id for note in again] == ["whole"]
    again.append(Note(id="next"))
    assert [json.loads(line)["id"] for line in records.read_text().splitlines()] == ["whole", "next"]


def test_a_whole_line_that_is_no_record_is_an_error_with_its_place(tmp_path: Path) -> None:
    with notes(tmp_path) as stage:
        stage.append(Note(id="a"))
    (tmp_path / "records.jsonl").write_text('{"id": "a", "text": ""}\n{"id": "b", "tex\n')
    with pytest.raises(StoreCorrupt, match=r"records\.jsonl:2"):
        notes(tmp_path)
    (tmp_path / "records.jsonl").write_text('{"id": "a", "text": ""}\n{"id": "b", "text": 5}\n')
    with pytest.raises(StoreCorrupt, match=r"records\.jsonl:2: not a Note"):
        list(notes(tmp_path))


def test_a_folder_of_another_stage_or_made_with_other_inputs_is_refused(tmp_path: Path) -> None:
    notes(tmp_path / "s")
    with pytest.raises(BadInput, match="holds the stage 'notes', not 'other'"):
        Stage(tmp_path / "s", Note, stage="other", made_with=INPUTS)
    with pytest.raises(BadInput, match="holds the stage"):
        Stage(tmp_path / "s", Output, stage="notes", made_with=INPUTS)
    with pytest.raises(BadInput, match="made with limit=3, not 4"):
        notes(tmp_path / "s", limit=4)
    with pytest.raises(BadInput, match="made with seed=None, not 1"):
        notes(tmp_path / "s", seed=1)


def test_a_folder_with_other_files_and_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("dear to someone")
    with pytest.raises(BadInput, match="not empty"):
        notes(tmp_path)
    with pytest.raises(BadInput, match="is a file"):
        notes(tmp_path / "thesis.tex")
    with pytest.raises(BadInput, match="not a stage folder"):
        open_stage(tmp_path, Note, stage="notes")


def test_reading_needs_no_knowledge_of_what_the_stage_was_made_with(tmp_path: Path) -> None:
    with notes(tmp_path) as stage:
        stage.append(Note(id="a"))
        stage.close(failed=2)
    assert [note.id for note in open_stage(tmp_path, Note, stage="notes")] == ["a"]
    manifest = read_manifest(tmp_path)
    assert (manifest.complete, manifest.records, manifest.counts) == (True, 1, {"failed": 2})
    assert manifest.made_with == INPUTS


def test_a_finished_stage_that_lost_records_is_refused(tmp_path: Path) -> None:
    with notes(tmp_path) as stage:
        stage.append(Note(id="a"))
        stage.append(Note(id="b"))
        stage.close()
    (tmp_path / "records.jsonl").write_text('{"id":"a","text":""}\n')
    with pytest.raises(StoreCorrupt, match="holds 1 records, its manifest promises 2"):
        notes(tmp_path)


def test_appending_to_a_finished_stage_opens_it_again(tmp_path: Path) -> None:
    notes(tmp_path).close()
    with notes(tmp_path) as stage:
        stage.append(Note(id="late"))
        assert read_manifest(tmp_path).complete is False


def test_the_same_id_twice_is_our_own_mistake(tmp_path: Path) -> None:
    with notes(tmp_path) as stage:
        stage.append(Note(id="a"))
        with pytest.raises(ValueError, match="there already"):
            stage.append(Note(id="a"))


def test_two_writers_at_once_are_refused(tmp_path: Path) -> None:
    with notes(tmp_path) as first, notes(tmp_path) as second:
        first.append(Note(id="a"))
        with pytest.raises(BadInput, match="another process is writing"):
            second.append(Note(id="b"))


def test_artefacts_are_named_by_their_content_and_stored_once(tmp_path: Path) -> None:
    stage = notes(tmp_path)
    name = stage.put(b"ink", ".png")
    assert name == hashlib.sha256(b"ink").hexdigest() + ".png"
    assert stage.put(b"ink", ".png") == name
    assert [path.name for path in (tmp_path / "artefacts").iterdir()] == [name]
    assert stage.get(name) == b"ink"


def test_a_changed_or_missing_artefact_is_noticed(tmp_path: Path) -> None:
    stage = notes(tmp_path)
    name = stage.put(b"ink", ".png")
    stage.path(name).write_bytes(b"other ink")
    with pytest.raises(StoreCorrupt, match="was changed"):
        stage.get(name)
    stage.path(name).unlink()
    with pytest.raises(StoreCorrupt, match="is missing"):
        stage.get(name)
    with pytest.raises(ValueError, match="not an artefact name"):
        stage.get("../records.jsonl")


WRITER = """
import sys
from diagrammar.records.outputs import Output
from diagrammar.store import Stage
with Stage(sys.argv[1], Output, stage="run", made_with={}) as stage:
    for number in range(100_000):
        id_ = f"task-{number}:0"
        if id_ in stage.done:
            continue
        stage.put(id_.encode(), ".txt")
        stage.append(Output(id=id_, task_id=f"task-{number}", setting="S1", model="m", text="x" * 5000))
        print(id_, flush=True)
"""


def test_kill_9_at_any_moment_loses_nothing_that_was_appended(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    told: list[str] = []
    for life_s in (0.05, 0.1, 0.15):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        told.append(writer.stdout.readline().strip())  # it is writing by now
        time.sleep(life_s)
        writer.send_signal(signal.SIGKILL)
        told += writer.stdout.read().split()
        writer.wait()
    kept = [output.id for output in open_stage(folder, Output, stage="run")]
    assert len(kept) == len(set(kept)) > 3
    assert set(told) <= set(kept)
    assert len(kept) <= len(told) + 3  # each death comes between the disk and the word of it, at most
    assert kept == [f"task-{number}:0" for number in range(len(kept))]


def test_many_records_at_hand_are_added_in_one_go(tmp_path: Path) -> None:
    with notes(tmp_path) as stage:
        stage.extend(Note(id=id_) for id_ in "abc")
        with pytest.raises(ValueError, match="there already"):
            stage.extend([Note(id="d"), Note(id="a")])
    assert [note.id for note in notes(tmp_path)] == ["a", "b", "c"]


def test_an_artefact_is_taken_from_another_stage_as_it_is(tmp_path: Path) -> None:
    one = Stage(tmp_path / "one", Note, stage="notes", made_with={})
    other = Stage(tmp_path / "other", Note, stage="notes", made_with={})
    name = one.put(b"picture", ".png")
    assert other.take(name, one) == name
    assert other.take(name, one) == name  # twice is once
    assert other.get(name) == b"picture"


def test_an_artefact_that_is_gone_cannot_be_taken(tmp_path: Path) -> None:
    one = Stage(tmp_path / "one", Note, stage="notes", made_with={})
    other = Stage(tmp_path / "other", Note, stage="notes", made_with={})
    with pytest.raises(StoreCorrupt, match="is missing"):
        other.take("0" * 64 + ".png", one)


def test_a_folder_may_hold_one_of_several_stages(tmp_path: Path) -> None:
    Stage(tmp_path, Note, stage="second", made_with={"n": 1}).close()
    assert open_stage(tmp_path, Note, stage=("first", "second")).manifest.stage == "second"
    with pytest.raises(BadInput, match="holds the stage 'second', not 'first'"):
        open_stage(tmp_path, Note, stage=("first", "third"))
