"""One document by both readers, and what differs: a dict of plain values."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from diagrammar.metrics.ciede2000 import delta_e, lab
from diagrammar.metrics.counted import Counted, count
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.scenes import Box, Scene
from diagrammar.scene import read_scene, read_svg_scene, reader_failed
from diagrammar.tex import compile_tex, compile_to_svg
from diagrammar.tex.marks import make_nonce

Outcome = Scene | TexFailure


@dataclass(frozen=True)
class Job:
    """A document under a name; `folder` keeps what was compiled."""

    id: str
    code: str
    folder: Path
    timeout_s: float


@dataclass(frozen=True)
class Read:
    """Both readings of one document, and what was compiled (with its repairs)."""

    pdf: Outcome
    svg: Outcome
    engines: tuple[str, str]
    warnings: tuple[str, ...]


@lru_cache(maxsize=32)  # a document stands in several pairs
def read_both(job: Job) -> Read:
    """The document by both readers; compiled once, read anew."""
    pdf = _kept(job, "pdf", lambda: compile_tex(job.code, timeout_s=job.timeout_s))
    svg = _kept(job, "svg", lambda: compile_to_svg(job.code, timeout_s=job.timeout_s))
    engines = (pdf.engine or "", svg.engine or "")
    return Read(_read(pdf, read_scene), _read(svg, read_svg_scene), engines, getattr(svg, "warnings", ()))


def compare_one(job: Job) -> dict[str, Any]:
    """What the readers say of one document, and where they differ."""
    read = read_both(job)
    record: dict[str, Any] = {
        "id": job.id,
        "pdf": _told(read.pdf),
        "svg": _told(read.svg),
        "warnings": list(read.warnings),
    }
    if isinstance(read.pdf, Scene) and isinstance(read.svg, Scene):
        record |= {"engines": list(read.engines), "differs": differences(read.pdf, read.svg)}
    return record


def differences(one: Scene, other: Scene) -> dict[str, Any]:
    """How far two scenes of one document agree: types and texts as multisets, colours and boxes matched."""
    left, right = count(one), count(other)
    types = _multiset(left.types, right.types)
    texts = _multiset(left.texts, right.texts)
    colors, unmatched = _colors(left, right)
    ious = _ious(one, other)
    return {
        "types": types, "texts": texts, "colors": colors, "colors_unmatched": unmatched, "ious": ious,
        "size_pt": [list(one.size_pt), list(other.size_pt)],
    }  # fmt: skip


def _multiset(left: Any, right: Any) -> dict[str, Any]:
    ours, theirs = (Counter(item.value for item in items) for items in (left, right))
    return {
        "only_pdf": sorted((ours - theirs).elements())[:20],
        "only_svg": sorted((theirs - ours).elements())[:20],
    }


def _colors(left: Counted, right: Counted) -> tuple[list[float], int]:
    """CIEDE2000 between colours of the same group, best assigned, and how many have no partner."""
    found: list[float] = []
    unmatched = 0
    for group in {*left.colors, *right.colors}:
        ours = [item.value for item in left.colors.get(group, ())]
        theirs = [item.value for item in right.colors.get(group, ())]
        unmatched += abs(len(ours) - len(theirs))
        both = Counter(ours) & Counter(theirs)
        found += [0.0] * both.total()
        ours, theirs = (list((Counter(side) - both).elements()) for side in (ours, theirs))
        if ours and theirs:
            matrix = delta_e(lab(ours)[:, None], lab(theirs)[None, :])
            rows, columns = linear_sum_assignment(matrix)
            found += [round(float(v), 3) for v in matrix[rows, columns]]
    return found, unmatched


def _ious(one: Scene, other: Scene) -> list[float]:
    """IoU of boxes of objects of the same type, best assigned; 0 for those without partner."""
    found: list[float] = []
    kinds = {thing.type_key for scene in (one, other) for thing in scene.counted}
    for kind in sorted(kinds):
        ours = [t.box_pt for t in one.counted if t.type_key == kind and t.box_pt]
        theirs = [t.box_pt for t in other.counted if t.type_key == kind and t.box_pt]
        if not ours or not theirs:
            found += [0.0] * max(len(ours), len(theirs))
            continue
        matrix = _iou(ours, theirs)
        rows, columns = linear_sum_assignment(matrix, maximize=True)
        found += [round(float(v), 4) for v in matrix[rows, columns]]
        found += [0.0] * abs(len(ours) - len(theirs))
    return found


def _iou(ours: list[Box], theirs: list[Box]) -> Any:
    a, b = (np.array([_solid(box) for box in boxes])[:, None] for boxes in (ours, theirs))
    b = b.swapaxes(0, 1)
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    common = np.clip(width, 0, None) * np.clip(height, 0, None)
    area = [(box[..., 2] - box[..., 0]) * (box[..., 3] - box[..., 1]) for box in (a, b)]
    return common / (area[0] + area[1] - common)


def _solid(box: Box) -> tuple[float, float, float, float]:
    """The box, at least 0.1 bp wide and high, as the metrics take it."""
    dx, dy = (max(0.0, 0.1 - side) / 2 for side in (box.width, box.height))
    return box.left - dx, box.top - dy, box.right + dx, box.bottom + dy


def _read(compiled: Any, reader: Callable[[Any], Scene]) -> Outcome:
    if isinstance(compiled, TexFailure):
        return compiled
    try:
        return reader(compiled)
    except Exception as error:  # noqa: BLE001 - a finding like any other
        return reader_failed(compiled, error)


def _told(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, TexFailure):
        return {"ok": False, "kind": outcome.kind, "message": outcome.message[:200]}
    return {"ok": True, "marked": outcome.marked, "objects": len(outcome.counted)}


def _kept(job: Job, variant: str, make: Callable[[], Any]) -> Any:
    """The value made for this document and these marks before, else made now and kept. A time-out is not kept."""
    digest = hashlib.sha256(f"{variant}\0{make_nonce(job.code)}".encode()).hexdigest()[:24]
    path = job.folder / f"{digest}.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())
    value = make()
    if isinstance(value, TexFailure):
        if value.kind == "timeout":
            return value
        value = replace(value, log=value.log[-4000:])
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(pickle.dumps(value))
    fresh.rename(path)
    return value
