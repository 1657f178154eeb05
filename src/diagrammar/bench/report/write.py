"""bench, step 5: runs -> a folder with index.html, its pictures, table.md and report.json."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from diagrammar import __version__
from diagrammar.bench.draw import Drawings
from diagrammar.bench.evaluate import Run
from diagrammar.bench.make import bench_date
from diagrammar.bench.report.attempts import Attempts, attempts_of
from diagrammar.bench.report.cards import make_cards
from diagrammar.bench.report.compared import Versus, compare_models
from diagrammar.bench.report.facts import answer_facts, model_facts
from diagrammar.bench.report.numbers import Scored, with_numbers
from diagrammar.bench.report.page import render_page
from diagrammar.bench.report.summary import ModelSummary, summarise
from diagrammar.bench.report.tables import markdown_report
from diagrammar.bench.run import read_about
from diagrammar.bench.sets import sets_of
from diagrammar.statistics.bootstrap import LEVEL, RESAMPLES, SEED
from diagrammar.statistics.compare import FLIPS

PICTURES = "pictures"
_PICTURE = re.compile(r"[0-9a-f]{64}\.png")
# Objects drawn over one picture; above a thousand answers fewer, so that the page stays light.
_MANY_OBJECTS, _FEW_OBJECTS, _MANY_ANSWERS = 600, 80, 1000


@dataclass(frozen=True)
class Report:
    """What was written."""

    page: Path
    models: tuple[ModelSummary, ...]
    comparisons: Mapping[str, Sequence[Versus]]
    attempts: Sequence[Attempts]


def write_report(runs: Sequence[Run], out: Path, *, title: str = "Diagrams, redrawn") -> Report:
    """Writes the report of scored runs; a report that is there is replaced."""
    (out / PICTURES).mkdir(parents=True, exist_ok=True)
    names = names_of(runs)
    scored = [with_numbers(list(run.scores), run.lacking) for run in runs]
    models = tuple(
        summarise(name, found, sets=sets_of(run, [one.answer for one in found]))
        for name, run, found in zip(names, runs, scored, strict=True)
    )
    comparisons = compare_models(scored)
    attempts = [row for at, found in enumerate(scored) for row in attempts_of(at, found)]
    provenance = provenance_of(runs, names, scored)
    many = sum(map(len, scored)) > _MANY_ANSWERS
    shown: set[str] = set()

    def picture_of(drawings: Drawings, name: str) -> str:
        shown.add(name)
        return _copy(drawings, name, out)

    most = _FEW_OBJECTS if many else _MANY_OBJECTS
    cards = make_cards(runs, scored, most_objects=most, picture_of=picture_of)
    page = render_page(models, cards, comparisons, attempts, title=title, provenance=provenance)
    facts = model_facts(models, comparisons, attempts)
    for model, found in zip(facts, scored, strict=True):
        model["answers"] = list(map(answer_facts, found))
    written = {"provenance": provenance, "models": facts}
    _write(out / "report.json", json.dumps(written, indent=1, ensure_ascii=False) + "\n")
    _write(out / "table.md", markdown_report(models, comparisons, attempts, provenance))
    _write(out / "index.html", page)
    _forget_pictures(out / PICTURES, but=shown)
    return Report(out / "index.html", models, comparisons, attempts)


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


def provenance_of(
    runs: Sequence[Run], names: Sequence[str], scored: Sequence[Sequence[Scored]]
) -> dict[str, str]:
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
    for name, run in zip(names, runs, strict=True):
        made = {
            key: value
            for key, value in run.outputs.manifest.made_with.items()
            if key not in ("bench", "model")
        }
        about = read_about(run.folder)
        facts[name] = ", ".join([*(f"{key} {value}" for key, value in made.items()), f"asked {about.date}"])
    every = (one.answer.score.signatures for found in scored for one in found)
    signatures = next(filter(None, every), {})
    signatures = signatures | {name: metric.signature for name, metric in runs[0].of_sets.items()}
    facts["intervals"] = f"{LEVEL:.0%}, BCa, {RESAMPLES:,} resamples of tasks, seed {SEED}"
    facts["p"] = f"sign flips of paired differences, {FLIPS:,} where not all of them, seed {SEED}; Holm"
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
