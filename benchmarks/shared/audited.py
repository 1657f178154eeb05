"""One document through every compile that the audit compares, and what is found: a dict of plain values."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from diagrammar.bench.score import score_case
from diagrammar.metrics.choose import FIRST
from diagrammar.metrics.counted import count
from diagrammar.records.diagrams import ENGINES, Compiled, Diagram, Engine, TexFailure
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, Side
from diagrammar.scene import read_scene
from diagrammar.scene.group import Drawn, group_inks
from diagrammar.scene.ink import Ink
from diagrammar.scene.pdf import open_pdf, read_page
from diagrammar.scene.sidefile import read_side_file
from diagrammar.scene.visible import PageView, visible_inks
from diagrammar.tex import compile_tex
from diagrammar.tex.marks import make_nonce

PIXEL_DPI = 150
BOX_TOLERANCE_PT = 1.0
EXAMPLES = 6  # of each kind of difference that a record keeps
Outcome = Compiled | TexFailure


@dataclass(frozen=True)
class Job:
    diagram: Diagram
    folder: Path
    timeout_s: float


def audit_one(job: Job) -> dict[str, Any]:
    """All findings on one document. What was compiled before, with these marks, is taken from the folder."""
    code, limit = job.diagram.code, job.timeout_s
    plain = _kept(job, "plain", lambda: _plain(code, limit))
    ours = _kept(job, "marked", lambda: compile_tex(code, timeout_s=limit))
    record: dict[str, Any] = {"id": job.diagram.id, "plain": plain, "ours": _told(ours)}
    if isinstance(ours, TexFailure):
        return record
    bare = _kept(job, "bare", lambda: compile_tex(code, timeout_s=limit, marks=False))
    record["pixels"] = _pixels(ours, bare)
    record["inks"] = _inks(ours)
    scene = read_scene(ours)
    record["draws"] = any(
        thing.kind != "text" for thing in scene.counted
    )  # else `diagrammar refine` drops it
    record["self"] = _against_itself(ours.code, scene, read_scene(ours))
    record["engines"] = _engines(job, ours, scene)
    return record


def _plain(code: str, timeout_s: float) -> str | None:
    """The first plain engine that takes the document: no marks, no sandbox, none of our code."""
    for engine in ENGINES:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "doc.tex").write_text(code, encoding="utf-8")
            try:
                run = subprocess.run(
                    [engine, "-halt-on-error", "-interaction=nonstopmode", "doc.tex"], cwd=folder, timeout=timeout_s,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                continue
            if run.returncode == 0 and (Path(folder) / "doc.pdf").is_file():
                return engine
    return None


def _kept(job: Job, variant: str, make: Callable[[], Any]) -> Any:
    """The value made for this document and these marks before, else made now and kept. A time-out is not kept."""
    # the nonce follows from the document and the style that marks it
    digest = hashlib.sha256(f"{variant}\0{make_nonce(job.diagram.code)}".encode()).hexdigest()[:24]
    path = job.folder / f"{digest}.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())
    value = make()
    if value is None or (isinstance(value, TexFailure) and value.kind == "timeout"):
        return value
    if isinstance(value, TexFailure):
        value = replace(value, log="")
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(pickle.dumps(value))
    fresh.rename(path)
    return value


def _told(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Compiled):
        return {
            "ok": True, "engine": outcome.engine, "marked": outcome.marked, "repairs": list(outcome.repairs),
            "warnings": list(outcome.warnings),
        }  # fmt: skip
    return {"ok": False, "kind": outcome.kind, "message": outcome.message[:300], "line": outcome.line}


def _pixels(marked: Compiled, bare: Outcome) -> dict[str, Any]:
    """Whether every page is the same, pixel by pixel, with marks and without."""
    if isinstance(bare, TexFailure):
        return {"same": False, "why": f"without marks: {bare.kind}: {bare.message[:200]}"}
    if bare.engine != marked.engine:
        return {"same": False, "why": f"{marked.engine} with marks, {bare.engine} without"}
    left, right = list(_rendered(marked.pdf)), list(_rendered(bare.pdf))
    if [page.shape for page in left] != [page.shape for page in right]:
        sizes = [[list(page.shape[:2]) for page in side] for side in (left, right)]
        return {"same": False, "why": f"page sizes {sizes[0]} with marks, {sizes[1]} without"}
    changed = [np.abs(a.astype(int) - b.astype(int)).max(axis=2) for a, b in zip(left, right, strict=True)]
    count_changed = sum(int((page > 0).sum()) for page in changed)
    if not count_changed:
        return {"same": True}
    return {
        "same": False,
        "why": f"{count_changed} pixels, by at most {max(int(page.max()) for page in changed)}",
    }


def _rendered(pdf: bytes) -> Iterator[np.ndarray]:
    with open_pdf(pdf) as document:
        for number in range(len(document)):
            page = document[number]
            yield page.render(scale=PIXEL_DPI / 72).to_numpy().copy()
            page.close()


def _inks(compiled: Compiled) -> dict[str, Any]:
    """How many visible page objects there are, how many lie under a mark, how many are loose text; what is left."""
    side = read_side_file(compiled.marks, compiled.nonce)
    visible = owned = loose_text = 0
    unowned: list[str] = []
    with open_pdf(compiled.pdf) as document:
        for number in range(len(document)):
            page = document[number]  # its inks are handles, valid while it is open
            inks = read_page(page, number, compiled.nonce)
            shown = visible_inks(PageView(page, inks)) if inks else []
            visible += len(shown)
            for item in group_inks(shown, side):
                if item.line is not None:
                    owned += len(item.all_inks)
                    continue
                loose_text += sum(ink.kind == "text" for ink in item.inks)
                unowned += [_ink_told(ink, item, side.line_by_id) for ink in item.inks]
            page.close()
    return {"visible": visible, "owned": owned, "loose_text": loose_text, "unowned": unowned[:40]}


def _ink_told(ink: Ink, item: Drawn, line_by_id: Any) -> str:
    inside = "/".join(line_by_id[ref.number].kind for ref in item.parents) or "no picture"
    if ink.kind == "text":
        return f"text {''.join(glyph.char for glyph in ink.glyphs)[:30]!r} in {inside}"
    box = ink.box
    size = f"{box.x1 - box.x0:.1f}x{box.y1 - box.y0:.1f}" if box else ""
    return f"{ink.kind} {size} fill={ink.fill} stroke={ink.stroke} in {inside}"


def _against_itself(code: str, scene: Scene, again: Scene) -> dict[str, Any]:
    """The metrics that are not exactly 1 for the document against itself, read a second time."""
    scored = score_case(Case(truth=Side(code=code, scene=scene), candidate=Side(code=code, scene=again)))
    values = {name: scored.values[name] for name in FIRST}
    return {
        "not_one": {name: value for name, value in values.items() if value is not None and value != 1.0},
        "not_computed": dict(scored.not_computed),
    }


def _engines(job: Job, ours: Compiled, scene: Scene) -> dict[str, Any]:
    """Each of the others against pdfLaTeX; where one fails, the rest are not tried."""
    scenes: dict[Engine, Scene] = {}
    found: dict[str, Any] = {}
    for engine in ENGINES:
        if engine == ours.engine:
            scenes[engine] = scene
            continue
        make = partial(compile_tex, job.diagram.code, timeout_s=job.timeout_s, engines=(engine,))
        alone = _kept(job, engine, make)
        if isinstance(alone, TexFailure):
            return {"all": False, "failed": engine, "why": f"{alone.kind}: {alone.message[:200]}"}
        if alone.marked != ours.marked:
            found[f"{engine} marks"] = list(alone.warnings)
        scenes[engine] = read_scene(alone)
    for engine in ENGINES[1:]:
        for kind, examples in differences(scenes[ENGINES[0]], scenes[engine]).items():
            found[f"{engine} {kind}"] = examples
    return {"all": True, "differences": found}


def differences(one: Scene, other: Scene) -> dict[str, list[str]]:
    """What the metrics count differently in two scenes: types, texts, colours, boxes; empty where nothing."""
    left, right = count(one), count(other)
    found: dict[str, list[str]] = {}
    _note(found, "types", [item.value for item in left.types], [item.value for item in right.types])
    _note(found, "texts", [item.value for item in left.texts], [item.value for item in right.texts])
    colors = [
        [f"{group} {item.value}" for group, items in side.colors.items() for item in items]
        for side in (left, right)
    ]
    _note(found, "colours", *colors)
    kinds = [{o.id: o.type_key for o in scene.counted} for scene in (one, other)]
    orders = [
        [names[item.owner] for item in side.boxes] for side, names in zip((left, right), kinds, strict=True)
    ]
    if Counter(orders[0]) != Counter(orders[1]):
        found["boxes"] = ["other objects have boxes"]
    elif orders[0] != orders[1]:
        found["boxes"] = ["drawn in another order"]
    else:
        apart = []
        for mine, theirs in zip(left.boxes, right.boxes, strict=True):
            distance = max(abs(a - b) for a, b in zip(mine.value, theirs.value, strict=True))
            if distance > BOX_TOLERANCE_PT:
                apart.append(f"{kinds[0][mine.owner]} {mine.owner} by {distance:.2f}")
        if apart:
            found["boxes"] = [f"{len(apart)} of {len(left.boxes)}", *apart[:EXAMPLES]]
    return found


def _note(found: dict[str, list[str]], kind: str, left: Sequence[str], right: Sequence[str]) -> None:
    missing, added = Counter(left) - Counter(right), Counter(right) - Counter(left)
    if missing or added:
        examples = [f"-{count} {value}" for value, count in missing.most_common(EXAMPLES)]
        found[kind] = examples + [f"+{count} {value}" for value, count in added.most_common(EXAMPLES)]
