"""bench, step 1: a corpus or a stage of refined diagrams -> a stage of tasks, with what each truth draws."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from diagrammar.bench.code import code_in
from diagrammar.bench.draw import Drawings, text_id
from diagrammar.bench.tasks.parse import parse_task
from diagrammar.errors import BadInput
from diagrammar.records.corpus import CORPUS_STAGES, Refined
from diagrammar.records.runs import Drawn, PictureNote
from diagrammar.records.tasks import Task
from diagrammar.store import Stage, open_stage

STAGE = "tasks"


def make_tasks(refined_folder: Path, out: Path) -> Iterator[Task]:
    """The tasks of every refined diagram, stored and yielded; those that `out` holds are passed over."""
    refined = open_stage(refined_folder, Refined, stage=CORPUS_STAGES)
    made_with = {f"refine_{key}": value for key, value in refined.manifest.made_with.items()}
    with Stage(out, Task, stage=STAGE, made_with=made_with) as tasks:
        drawings = Drawings(out)
        # By id: refine stores diagrams as they are ready, and a benchmark does not depend on that.
        for diagram in sorted(refined, key=lambda record: record.id):
            task = parse_task(diagram)
            if task.id not in tasks.done:
                tasks.put(refined.get(diagram.picture), ".png")
                _keep_drawing(diagram, refined, drawings)
                tasks.append(task)
                yield task
        drawings.stage.close()
        tasks.close(**_by_domain(tasks))


def open_tasks(bench: Path) -> Stage[Task]:
    """The tasks of a benchmark folder, as `tasks` or `build` made it.

    Raises BadInput where it is none or half done.
    """
    folder = tasks_folder(bench)
    tasks = open_stage(folder, Task, stage=STAGE)
    if not tasks.manifest.complete:
        raise BadInput(f"{folder}: was not finished; run `diagrammar tasks` or `build` again")
    return tasks


def tasks_folder(bench: Path) -> Path:
    """Where the tasks of a benchmark are: `build` keeps them beside the stages that they come from."""
    return bench / STAGE if (bench / STAGE / "manifest.json").exists() else bench


def bench_digest(tasks: Stage[Task]) -> str:
    """What is asked and what is right, in one hash: two benchmarks with the same one are the same."""
    lines = sorted(task.model_dump_json() for task in tasks)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def bench_date(bench: Path) -> str:
    """The day the tasks were finished, as the file system tells it: for people, not for comparing."""
    seconds = (tasks_folder(bench) / "manifest.json").stat().st_mtime
    return datetime.fromtimestamp(seconds, tz=UTC).date().isoformat()


def _keep_drawing(diagram: Refined, refined: Stage[Refined], drawings: Drawings) -> None:
    """Stores what the truth draws under its text, so that scoring does not compile it again."""
    code = diagram.diagram.code
    if text_id(code) in drawings.by_id:
        return
    blob = refined.get(diagram.picture)
    width, height = _png_size(blob)
    picture = PictureNote(
        png=drawings.stage.put(blob, ".png"), dpi=diagram.dpi, width_px=width, height_px=height,
        left_pt=diagram.left_pt, top_pt=diagram.top_pt,
    )  # fmt: skip
    own = code_in(code)
    drawn = Drawn(
        id=text_id(code), code=own if isinstance(own, str) else code, picture=picture, engine=diagram.engine,
        scene=drawings.stage.put(refined.get(diagram.scene), ".json"),
        repairs=diagram.repairs, seconds=diagram.seconds,
    )  # fmt: skip
    drawings.keep_stored(drawn)


def _png_size(png: bytes) -> tuple[int, int]:
    """Width and height from a PNG's first chunk."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _by_domain(tasks: Stage[Task]) -> Counter[str]:
    return Counter(f"domain_{task.domain}" for task in tasks)
