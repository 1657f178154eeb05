from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from diagrammar.cli.main import COMMANDS, program

PROGRAM = str(Path(sys.executable).with_name("diagrammar"))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


def test_help_answers_within_0_3_seconds() -> None:
    # CPU seconds: it waits for nothing, and other tests run beside this one.
    def cpu_seconds() -> float:
        process = subprocess.Popen([PROGRAM, "--help"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        return usage.ru_utime + usage.ru_stime

    assert min(cpu_seconds() for _ in range(5)) < 0.3


def test_help_names_every_command() -> None:
    told = run("--help").stdout
    assert all(f"\n  {name} " in told for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_loads_under_its_name_and_has_help_of_its_own(name: str) -> None:
    context = click.Context(program)
    command = program.get_command(context, name)
    assert command is not None
    assert command.help
    shown = CliRunner().invoke(program, [name, "--help"])
    assert shown.exit_code == 0
    assert shown.output.startswith(f"Usage: program {name} ")


def test_every_command_file_is_on_the_list() -> None:
    import diagrammar.cli

    folder = Path(diagrammar.cli.__path__[0])
    with_command = {path.stem for path in folder.glob("*.py") if "\ndef command(" in path.read_text()}
    assert with_command == {entry.module for entry in COMMANDS.values()}


def test_wrong_usage_is_exit_code_2_with_one_line_of_reason() -> None:
    unknown = run("frobnicate")
    assert unknown.returncode == 2
    assert unknown.stdout == ""
    assert "No such command 'frobnicate'" in unknown.stderr
    assert run("doctor", "--nonsense").returncode == 2


def test_an_error_of_ours_is_one_line_without_traceback(tmp_path: Path) -> None:
    missing = run("report", str(tmp_path / "nothing"), "--out", str(tmp_path / "out"))
    assert missing.returncode == 2
    assert "Traceback" not in missing.stderr
    assert "nothing" in missing.stderr


def test_ctrl_c_is_exit_code_130_without_traceback(tmp_path: Path) -> None:
    (tmp_path / "endless.tex").write_text(
        "\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat\\end{document}"
    )
    waiting = subprocess.Popen(
        # A run in the background, as some CI does it, has SIGINT ignored; env takes that back.
        ["env", "--default-signal=INT", PROGRAM, "objects", str(tmp_path / "endless.tex"), "--timeout", "30"],
        stderr=subprocess.PIPE,
        text=True,
    )
    children = Path(f"/proc/{waiting.pid}/task/{waiting.pid}/children")
    end = time.monotonic() + 20
    while not children.read_text() and time.monotonic() < end:
        time.sleep(0.05)  # until TeX runs
    waiting.send_signal(signal.SIGINT)
    _, told = waiting.communicate(timeout=20)
    assert waiting.returncode == 130
    assert "Traceback" not in told


def test_a_reader_that_goes_away_ends_the_program_quietly() -> None:
    ran = subprocess.run(["bash", "-c", f"'{PROGRAM}' doctor --json | true"], capture_output=True, text=True)
    assert "Traceback" not in ran.stderr


def test_version_is_that_of_the_package() -> None:
    import diagrammar

    assert run("--version").stdout.split()[-1] == diagrammar.__version__


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = ("numpy", "PIL", "pypdfium2", "pydantic", "jinja2", "inspect_ai", "tqdm", "pygments")
    code = f"import sys, diagrammar.cli.main; print([m for m in {heavy!r} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_public_functions_are_there_and_others_are_not() -> None:
    import diagrammar

    assert callable(diagrammar.compile_tex)
    assert callable(diagrammar.read_scene)
    assert callable(diagrammar.score)
    assert {"compile_tex", "read_scene", "score"} <= set(dir(diagrammar))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        diagrammar.nonsense  # noqa: B018
