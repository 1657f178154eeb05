"""README shows what is true: its commands exist and print what it says, its Python runs."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from diagrammar.cli.main import COMMANDS, program

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
CONSOLE = [body for language, body in BLOCKS if language == "console"]
SHOWN = [
    line.removeprefix("$ ").split(" #")[0].strip()
    for language, body in BLOCKS
    if language in ("console", "sh")
    for line in body.splitlines()
    if line.removeprefix("$ ").startswith("diagrammar ")
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


def test_the_first_screen_holds_the_two_commands_and_the_two_roads() -> None:
    first_screen = "\n".join(README.splitlines()[:20])
    for shown in ("make demo", "make test", "**benchmark**", "**synthesis**"):
        assert shown in first_screen


def test_every_command_is_shown() -> None:
    assert {shlex.split(line)[1] for line in SHOWN} == set(COMMANDS)


@pytest.mark.parametrize("line", SHOWN)
def test_what_is_shown_is_a_command_with_these_options(line: str) -> None:
    words = shlex.split(line)[1:]
    command: click.Command = program
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None
        command = found
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


def test_the_transcripts_are_what_the_commands_print() -> None:
    ran = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "transcripts.py"), "--check"],
        capture_output=True, text=True, timeout=280,
    )  # fmt: skip
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr}\nscripts/transcripts.py writes them anew"


def test_the_python_runs_and_says_the_same_as_the_command(folder: Path) -> None:
    (code,) = [body for language, body in BLOCKS if language == "python"]
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True, timeout=120
    )
    *objects, score = ran.stdout.splitlines()
    assert any(line.startswith("node:circle start ") for line in objects)
    # avg is the fifth of the columns that the score command prints
    row, _edit = [
        line for block in CONSOLE for line in block.splitlines() if line.startswith("examples/reply.md  ")
    ]
    assert float(score) == pytest.approx(float(row.split()[5]), abs=0.0006)


def test_what_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if "://" not in target:
            assert (ROOT / target).exists(), target
