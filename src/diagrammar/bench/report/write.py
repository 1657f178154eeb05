"""bench, step 5: runs -> a folder with index.html, its pictures, table.md and report.json."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diagrammar import __version__
from diagrammar.bench.draw import Drawings
from diagrammar.bench.evaluate import Run
from diagrammar.bench.make import bench_date
from diagrammar.bench.report.cards import make_cards
from diagrammar.bench.report.page import render_page
from diagrammar.bench.report.summary import ModelSummary, summarise
from diagrammar.bench.report.tables import markdown_report, report_json
from diagrammar.bench.run import read_about
from diagrammar.records.runs import Evaluated

PICTURES = "pictures"
_PICTURE = re.compile(r"[0-9a-f]{64}\.png")
# Objects drawn over one picture; above a thousand answers fewer, so that the page stays light.
_MANY_OBJECTS, _FEW_OBJECTS, _MANY_ANSWERS = 600, 80, 1000


@dataclass(frozen=True)
class Report:
    """What was written."""

    page: Path
    models: tuple[ModelSummary, ...]


def write_report(runs: Sequence[Run], out: Path, *, title: str = "Diagrams, redrawn") -> Report:
    """Writes the report of scored runs; a report that is there is replaced."""
    (out / PICTURES).mkdir(parents=True, exist_ok=True)
    names = names_of(runs)
    answers = {name: list(run.scores) for name, run in zip(names, runs, strict=True)}
    models = tuple(summarise(name, answers[name]) for name in names)
    provenance = provenance_of(runs, answers)
    many = sum(map(len, answers.values())) > _MANY_ANSWERS
    shown: set[str] = set()

    def picture_of(drawings: Drawings, name: str) -> str:
        shown.add(name)
        return _copy(drawings, name, out)

    cards = make_cards(runs, most_objects=_FEW_OBJECTS if many else _MANY_OBJECTS, picture_of=picture_of)
    page = render_page(models, cards, title=title, provenance=provenance)
    _write(
        out / "report.json",
        json.dumps(report_json(models, answers, provenance), indent=1, ensure_ascii=False) + "\n",
    )
    _write(out / "table.md", markdown_report(models, provenance))
    _write(out / "index.html", page)
    _forget_pictures(out / PICTURES, but=shown)
    return Report(out / "index.html", models)


def names_of(runs: Sequence[Run]) -> list[str]:
    """A name per run, told apart by setting and folder where one model is there twice."""
    plain = [str(run.outputs.manifest.made_with["model"]) for run in runs]
    settings = [str(run.outputs.manifest.made_with["setting"]).partition("|")[0] for run in runs]
    with_setting = [f"{name} ({setting})" for name, setting in zip(plain, settings, strict=True)]
    with_folder = [f"{name} ({run.folder.resolve().name})" for name, run in zip(plain, runs, strict=True)]
    with_path = [f"{name} ({run.folder.resolve()})" for name, run in zip(plain, runs, strict=True)]
    for names in (plain, with_setting, with_folder):
        if len(set(names)) == len(names):
            return names
    return with_path


def provenance_of(runs: Sequence[Run], answers: dict[str, list[Evaluated]]) -> dict[str, str]:
    """What the numbers depend on, for the reader and for the next one who wants the same."""
    facts = {"diagrammar": __version__}
    for run in runs:
        made = run.outputs.manifest.made_with
        bench = Path(run.tasks.folder)
        facts[f"benchmark {str(made['bench'])[:12]}"] = f"{len(run.tasks)} tasks, made {bench_date(bench)}"
    drawn = runs[0].answers.stage.manifest.made_with
    facts |= {str(key): str(value) for key, value in drawn.items()}
    engines = Counter(d.engine for run in runs for d in run.answers.by_id.values() if d.scene and d.engine)
    facts["engines"] = ", ".join(f"{engine} {count}" for engine, count in engines.most_common())
    isolation = {d.isolation for run in runs for d in run.answers.by_id.values() if d.isolation}
    facts["isolation"] = ", ".join(sorted(isolation))
    for name, run in zip(answers, runs, strict=True):
        made = {
            key: value
            for key, value in run.outputs.manifest.made_with.items()
            if key not in ("bench", "model")
        }
        about = read_about(run.folder)
        facts[name] = ", ".join([*(f"{key} {value}" for key, value in made.items()), f"asked {about.date}"])
    signatures = next((answer.score.signatures for found in answers.values() for answer in found), {})
    return {key: value for key, value in (facts | signatures).items() if value}


def _copy(drawings: Drawings, name: str, out: Path) -> str:
    place = f"{PICTURES}/{name}"
    if not (out / place).exists():
        _write_bytes(out / place, drawings.stage.get(name))
    return place


def _forget_pictures(folder: Path, *, but: set[str]) -> None:
    """Removes what an earlier report showed; nothing that is not a picture of ours."""
    for path in folder.iterdir():
        if _PICTURE.fullmatch(path.name) and path.name not in but:
            path.unlink()


def _write(path: Path, text: str) -> None:
    _write_bytes(path, text.encode("utf-8", "replace"))


def _write_bytes(path: Path, blob: bytes) -> None:
    """Whole or not at all: a reader's browser may have the page open."""
    unfinished = path.with_name(f".writing-{path.name}")
    unfinished.write_bytes(blob)
    unfinished.replace(path)
