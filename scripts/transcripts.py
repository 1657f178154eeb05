"""Fill the ```console blocks of README.md with what their commands print; --check says whether they are up to date.

    .venv/bin/python scripts/transcripts.py [--check]

The commands run one after another in a fresh folder that holds a copy of examples/.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def filled(text: str, folder: Path) -> str:
    """`text` with every console block as it comes out today."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "100",
    }

    def run(block: re.Match[str]) -> str:
        commands = [line.removeprefix("$ ") for line in block[1].splitlines() if line.startswith("$ ")]
        return "```console\n" + "".join(f"$ {command}\n{printed(command)}" for command in commands) + "```"

    def printed(command: str) -> str:
        ran = subprocess.run(
            command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
        if ran.returncode != 0:
            raise SystemExit(f"{command}: exit code {ran.returncode}\n{ran.stdout}")
        return ran.stdout

    return BLOCK.sub(run, text)


def lasting(text: str) -> list[str]:
    """Lines without what differs from run to run: seconds."""
    return re.sub(r"\d+\.\d+ s\b", "N s", text).splitlines()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "--check", action="store_true", help="Change nothing; exit 1 where README is out of date."
    )
    check: bool = options.parse_args().check
    readme = ROOT / "README.md"
    before = readme.read_text()
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(ROOT / "examples", Path(name) / "examples")
        after = filled(before, Path(name))
    difference = list(
        difflib.unified_diff(lasting(before), lasting(after), "README.md", "today", lineterm="", n=1)
    )
    if difference and check:
        print("\n".join(difference))
        return 1
    if difference:
        readme.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
