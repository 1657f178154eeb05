"""The import rule of pyproject.toml: what it says holds, and breaking it is noticed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT = str(Path(sys.executable).with_name("lint-imports"))


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINT, "--no-cache"],
        cwd=folder, env={"PYTHONPATH": str(folder / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_imports_point_down_only() -> None:
    told = lint(ROOT)
    assert told.returncode == 0, told.stdout


@pytest.mark.parametrize(
    ("file", "imported", "importer"),
    [
        ("records/uphill.py", "diagrammar.store", "diagrammar.records.uphill"),
        ("tex/uphill.py", "diagrammar.scene", "diagrammar.tex.uphill"),
        ("metrics/sideways.py", "diagrammar.manuals", "diagrammar.metrics.sideways"),
        ("models/direct.py", "inspect_ai", "diagrammar.models.direct"),
    ],
)
def test_an_import_that_breaks_the_rule_is_named(copy: Path, file: str, imported: str, importer: str) -> None:
    # Inside a function, where a reader may overlook it.
    (copy / "src" / "diagrammar" / file).write_text(f"def late():\n    import {imported}\n")
    told = lint(copy)
    assert told.returncode == 1
    assert f"{importer} -> {imported}" in told.stdout


def test_a_new_room_has_to_take_its_place_in_the_rule(copy: Path) -> None:
    (copy / "src" / "diagrammar" / "shed.py").write_text("")
    told = lint(copy)
    assert told.returncode == 1
    assert "shed" in told.stdout
