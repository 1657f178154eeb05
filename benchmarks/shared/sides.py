"""Code -> the Side that it makes: compiled and read once, kept on disk while compiler and reader stay the same."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

import diagrammar
from diagrammar.bench.score import read_side
from diagrammar.parallel import WorkerLost, map_items
from diagrammar.records.scores import Side


def read_sides(codes: Sequence[str], folder: Path, *, workers: int = 2) -> dict[str, Side]:
    """The sides by code; without those whose worker was lost."""
    folder.mkdir(parents=True, exist_ok=True)
    state = _state_of_reader()
    path_by_code = {
        code: folder / f"{hashlib.sha256(f'{state}{code}'.encode()).hexdigest()[:24]}.pickle"
        for code in codes
    }
    waiting = [(code, path) for code, path in path_by_code.items() if not path.exists()]
    done = map_items(_read_and_keep, waiting, workers=workers)
    for (code, path), outcome in tqdm(done, total=len(waiting), desc="read", unit="doc", mininterval=5):
        if isinstance(outcome, WorkerLost):
            print(f"lost {path.name} ({len(code)} characters): {outcome.reason}")
    return {code: pickle.loads(path.read_bytes()) for code, path in path_by_code.items() if path.exists()}


def _read_and_keep(item: tuple[str, Path]) -> None:
    code, path = item
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(pickle.dumps(read_side(code)))
    fresh.rename(path)


def _state_of_reader() -> str:
    """A short hash of the files that make a Side."""
    digest = hashlib.sha256()
    root = Path(diagrammar.__file__).parent
    for room in ("tex", "scene", "records"):
        for path in sorted([*(root / room).rglob("*.py"), *(root / room).rglob("*.sty")]):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
