"""tex, the edge of the second route: a DVI file through dvisvgm, a page an SVG, in the sandbox that TeX had."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from diagrammar.errors import ToolMissing
from diagrammar.sandbox import JOB_FOLDER, Finished, Isolation, Limits, run_limited
from diagrammar.tex.files import read_regular

MAX_SVG_BYTES = 32 << 20  # of all pages together
MAX_PAGES = 200
PAGE_FILE = re.compile(r"page-(\d+)\.svg")
# Fonts that exist as bitmaps only are traced with Metafont: seconds a glyph, so not done.
# --font-format=svg keeps each character, its glyph's name, advance and outline; --no-fonts leaves codes of fonts
# without name, in an order that only their places tell (docs/scene.md, The second reader).
OPTIONS = ("--font-format=svg", "--precision=6", "--zoom=1", "--page=1-", "--cache=none", "--no-mktexmf")


@dataclass(frozen=True)
class Converted:
    """How dvisvgm ended, and the pages in their order; none where it failed."""

    finished: Finished
    pages: tuple[bytes, ...]


@cache
def dvisvgm_program() -> str:
    """The path of dvisvgm. Raises ToolMissing."""
    program = shutil.which("dvisvgm")
    if program is None:
        raise ToolMissing("dvisvgm is not on PATH; run scripts/setup.sh")
    return program


@cache
def dvisvgm_version() -> str:
    """As it tells itself: `dvisvgm-3.0.3`. Raises ToolMissing."""
    told = subprocess.run([dvisvgm_program(), "--version"], capture_output=True, text=True, check=False)
    return "-".join(told.stdout.split()) or "dvisvgm-unknown"


def convert(file: str, *, folder: Path, timeout_s: float, isolation: Isolation) -> Converted:
    """The pages of the DVI or XDV `file` in `folder` as SVG. Raises ToolMissing."""
    program = dvisvgm_program()
    home = JOB_FOLDER if isolation == "bubblewrap" else str(folder)
    finished = run_limited(
        [program, *OPTIONS, "--output=page-%p.svg", file],
        folder=folder,
        environment={
            "PATH": f"{os.path.dirname(program)}:/usr/bin:/bin",
            "HOME": home,
            "TMPDIR": home,
            "LC_ALL": "C.UTF-8",
            "openin_any": "p",
            "TEXMFVAR": f"{home}/texmf-var",
            "VARTEXFONTS": f"{home}/texmf-fonts",
            "TEXMFHOME": f"{home}/texmf-home",
            "SOURCE_DATE_EPOCH": "0",
        },
        limits=Limits(wall_s=timeout_s),
        isolation=isolation,
    )
    return Converted(finished, _pages(folder) if finished.exit_code == 0 else ())


def _pages(folder: Path) -> tuple[bytes, ...]:
    found = [(int(name[1]), path) for path in folder.iterdir() if (name := PAGE_FILE.fullmatch(path.name))]
    pages: list[bytes] = []
    left = MAX_SVG_BYTES
    for _, path in sorted(found)[:MAX_PAGES]:
        content = read_regular(path, left + 1)
        if len(content) > left or not content.rstrip().endswith(b"</svg>"):
            return ()
        pages.append(content)
        left -= len(content)
    return tuple(pages)
