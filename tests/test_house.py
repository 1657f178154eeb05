"""What a user installs from: the wheel, the lock, the setup script."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "diagrammar"


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("diagrammar/")}
    files = {path.relative_to(PACKAGE.parent).as_posix() for path in PACKAGE.rglob("*") if path.is_file()}
    assert held == {file for file in files if "__pycache__" not in file}
    assert {"diagrammar/tex/marks.sty", "diagrammar/py.typed"} <= held


def test_the_lock_pins_by_hash_and_names_no_host() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    assert not re.search(r"^\s*--(?:index|extra-index|find-links|trusted)", lock, re.MULTILINE)
    entries = re.split(r"\n(?=\S)", re.sub(r"^#.*\n", "", lock, flags=re.MULTILINE).strip())
    assert len(entries) > 50
    for entry in entries:
        assert re.match(r"[a-z0-9._-]+(?:\[[a-z,-]+\])?==[^ ]+ ", entry), entry[:60]
        assert "--hash=sha256:" in entry, entry[:60]


def test_the_lock_covers_all_that_pyproject_asks_for() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = (
        project["dependencies"]
        + project["optional-dependencies"]["eval"]
        + project["optional-dependencies"]["dev"]
    )
    names = {re.match(r"[\w-]+", requirement)[0].lower() for requirement in asked}  # type: ignore[index]
    pinned = set(re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    assert names <= pinned


def fake(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def setup(tmp_path: Path, programs: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """setup.sh in a folder of its own; on PATH only the shell's everyday tools and `programs`."""
    home = tmp_path / "a folder"
    (home / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "setup.sh", home / "scripts")
    for name in ("bash", "cat", "dirname", "env", "grep", "id", "paste", "sed", "sha256sum", "tr"):
        tool = shutil.which(name)
        assert tool
        if not (programs / name).exists():
            (programs / name).symlink_to(tool)
    return subprocess.run(
        ["bash", "scripts/setup.sh", *options],
        cwd=home, env={"PATH": str(programs)}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_setup_without_apt_lists_what_to_install(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    told = setup(tmp_path, programs)
    assert told.returncode == 1
    assert "these are missing: pdflatex lualatex xelatex bwrap" in told.stderr
    assert "install TeX Live" in told.stderr
    assert "texlive-pictures-doc" in told.stderr


def test_setup_without_root_names_the_command_for_root(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    fake(programs, "apt-get", "echo must not run; exit 9")
    fake(programs, "id", "echo 1000")
    fake(programs, "dpkg-query", "echo installed/texlive-luatex; echo installed/lmodern; exit 1")
    told = setup(tmp_path, programs)
    assert told.returncode == 1
    assert "needs root for: apt-get install --no-install-recommends texlive-latex-base" in told.stderr
    assert "texlive-luatex" not in told.stderr


def test_setup_as_root_asks_apt_for_what_is_missing_only(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    asked = tmp_path / "asked"
    fake(
        programs, "apt-get", f'echo "$@" >>{asked}; [ "$1" = update ]'
    )  # the install fails: setup stops there
    fake(programs, "id", "echo 0")
    fake(programs, "dpkg-query", 'shift 2; for p in "$@"; do [ $p = dvisvgm ] || echo installed/$p; done')
    told = setup(tmp_path, programs)
    assert told.returncode != 0
    update, install = asked.read_text().splitlines()
    assert update == "update -q"
    assert install.startswith("install -y -q --no-install-recommends ")
    assert install.endswith(" dvisvgm")
    assert install.count("texlive") == 1  # the path of the manuals, no package


def test_setup_refuses_an_unknown_option(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    told = setup(tmp_path, tmp_path / "bin", "--frobnicate")
    assert told.returncode == 1
    assert "unknown option --frobnicate" in told.stderr


def test_make_bench_runs_every_benchmark_there_is() -> None:
    recipe = (ROOT / "Makefile").read_text().partition("\nbench:")[2]
    scripts = {path.name for path in (ROOT / "benchmarks").glob("*.py")}
    assert scripts
    assert set(re.findall(r"benchmarks/(\w+\.py)", recipe)) == scripts


def test_ci_fails_where_no_test_ran(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    for closing, exit_code in (("3 passed in 1s", 0), ("3 skipped in 1s", 1), ("no tests ran in 1s", 1)):
        (tmp_path / "Makefile").write_text(f"test:\n\t@echo '{closing}'\n")
        ran = subprocess.run(
            ["bash", ".ci/run"], cwd=tmp_path, env=dict(os.environ), capture_output=True, timeout=60
        )
        assert ran.returncode == exit_code, closing
