from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from diagrammar.doctor import Finding, examine

PROGRAM = str(Path(sys.executable).with_name("diagrammar"))


def doctor(path: str, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, "doctor", *options],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )


def findings(path: str) -> dict[str, dict[str, object]]:
    told = doctor(path, "--json")
    assert told.returncode == 0, told.stderr
    return {finding["name"]: finding for finding in map(json.loads, told.stdout.splitlines())}


def test_what_is_installed_is_found_with_its_version() -> None:
    found = {finding.name: finding for finding in examine()}
    asked = subprocess.run(["pdflatex", "--version"], capture_output=True, text=True, check=True)
    engine = found["pdflatex"]
    assert engine.found
    assert engine.version.split()[0] in asked.stdout
    # Each of these tells its version in a way of its own.
    for name in (
        "standalone",
        "tikz (pgf)",
        "pgfplots",
        "circuitikz",
        "chemfig",
        "tkz-euclide",
        "siunitx",
        "fontspec",
    ):
        assert found[name].version[0].isdigit(), name
    assert {f.name for f in found.values() if f.group == "manual" and f.found} >= {
        "chemfig", "circuitikz", "pgfplots", "tikz-network", "tikz-pgf", "tkz-euclide",
    }  # fmt: skip
    assert "soul.dtx" in found["soul"].remedy or found["soul"].found  # Debian has no source of this manual


def test_what_is_there_costs_nothing_and_what_is_missing_has_a_cost_and_a_remedy() -> None:
    for path in (os.environ["PATH"], ""):
        for name, finding in findings(path).items():
            told = Finding(**finding)  # type: ignore[arg-type]
            assert bool(told.version) == told.found, name
            assert bool(told.cost) == bool(told.remedy) == (not told.found), name


def test_an_empty_path_lists_all_programs_as_missing() -> None:
    found = findings("")
    programs = [finding for finding in found.values() if finding["group"] == "program"]
    assert len(programs) >= 9
    assert not any(finding["found"] for finding in programs)
    assert not found["documents in a sandbox"]["found"]
    assert not found["chemfig"]["found"]
    assert found["pydantic"]["found"]
    for_people = doctor("")
    assert for_people.returncode == 0
    assert "MISSING" in for_people.stdout
    assert "get it: scripts/setup.sh" in for_people.stdout


def test_programs_that_do_not_run_are_missing(tmp_path: Path) -> None:
    for name, script in (("pdflatex", "exit 1"), ("bwrap", "echo 'bwrap: not permitted' >&2; exit 1")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "gs").write_text("no program")
    (tmp_path / "gs").chmod(0o755)
    found = findings(str(tmp_path))
    assert not found["pdflatex"]["found"]
    assert not found["gs"]["found"]
    assert "not permitted" in str(found["documents in a sandbox"]["cost"])
