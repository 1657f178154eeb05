"""The two roads from a document to objects and a picture, each step's CPU time told.

The paper's (Diagram-MMU, C.1, C.2, D.2): latexmk with its engines in turn, pdfCropMargins, pdftoppm at 300 dpi; and
beside it latex and dvisvgm to an SVG, or dvisvgm on the PDF where DVI fails. Reading objects out of the SVG and the
paper's own style file are left out: what remains is the least that it can cost. Ours: `ours.py`, in a process of its
own or in one that is running.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TIMEOUT_S = 60
LATEXMK = (("latexmk", "-pdf"), ("latexmk lualatex", "-pdflua"), ("latexmk xelatex", "-pdfxe"))
OURS = Path(__file__).with_name("ours.py")


@dataclass
class Cost:
    """CPU seconds by step, and whether picture and objects came out."""

    ok: bool = False
    why: str = ""
    wall_s: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)

    @property
    def cpu_s(self) -> float:
        return sum(self.steps.values())

    def told(self) -> dict[str, Any]:
        return {"ok": self.ok, "why": self.why, "wall_s": self.wall_s, "steps": self.steps}


def paper(code: str, crop_margins: Path) -> Cost:
    """What the paper's pipeline costs for one document."""
    cost = Cost()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dvi = folder / "dvi"
        dvi.mkdir()
        for place in (folder, dvi):
            (place / "doc.tex").write_text(code, encoding="utf-8")
        pdf = folder / "doc.pdf"
        for step, option in LATEXMK:
            argv = ["latexmk", option, "-interaction=nonstopmode", "-halt-on-error", "doc.tex"]
            if _step(cost, step, argv, folder) and pdf.is_file():
                break
            pdf.unlink(missing_ok=True)
        else:
            cost.why = "no engine takes it"
        if pdf.is_file():
            _step(
                cost, "pdfCropMargins", [str(crop_margins), "-p", "0", "-o", "cropped.pdf", "doc.pdf"], folder
            )
            _step(cost, "pdftoppm", ["pdftoppm", "-r", "300", "-png", "cropped.pdf", "doc"], folder)
            cost.why = "" if list(folder.glob("doc*.png")) else "no picture"
        # without pgf's own driver for it, dvisvgm would need Ghostscript: slower, and fewer shapes survive
        tex = r"\def\pgfsysdriver{pgfsys-dvisvgm.def}\input{doc.tex}"
        argv = ["latex", "-interaction=nonstopmode", "-halt-on-error", "-jobname=doc", tex]
        svg_options = ["--font-format=svg", "--precision=6", "--zoom=1", "--verbosity=1", "-o", "doc.svg"]
        if not (
            _step(cost, "latex", argv, dvi)
            and _step(cost, "dvisvgm", ["dvisvgm", *svg_options, "doc.dvi"], dvi)
        ):
            (dvi / "doc.svg").unlink(missing_ok=True)
            if pdf.is_file():
                _step(cost, "dvisvgm --pdf", ["dvisvgm", "--pdf", *svg_options, str(pdf)], dvi)
        if not cost.why and not (dvi / "doc.svg").is_file():
            cost.why = "no SVG"
    cost.ok = not cost.why
    cost.wall_s = time.monotonic() - started
    return cost


def ours_cold(code: str) -> Cost:
    """Ours in a fresh Python: start, imports and all."""
    cost = Cost()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "doc.tex").write_text(code, encoding="utf-8")
        ended = _step(
            cost, "Python and bubblewrap", [sys.executable, str(OURS), "doc.tex"], folder, keep="told.json"
        )
        told = json.loads((folder / "told.json").read_text() or "{}") if ended else {}
    cost.steps["TeX"] = told.get("tex_cpu_s", 0.0)
    cost.ok, cost.why = told.get("ok", False), told.get("why", "the process ended early")
    cost.wall_s = time.monotonic() - started
    return cost


class Running:
    """Ours in a process that has done documents before."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(OURS), "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measure(self, code: str) -> Cost:
        assert self.process.stdin and self.process.stdout
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "doc.tex").write_text(code, encoding="utf-8")
            self.process.stdin.write(f"{name}/doc.tex\n")
            self.process.stdin.flush()
            told = json.loads(self.process.stdout.readline())
        steps = {"Python and bubblewrap": told["own_cpu_s"], "TeX": told["tex_cpu_s"]}
        return Cost(told["ok"], told["why"], time.monotonic() - started, steps)

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def _step(cost: Cost, step: str, argv: Sequence[str], folder: Path, keep: str | None = None) -> bool:
    """Runs one program, adds its CPU time with that of all its children, and says whether it ended well."""
    with open(folder / keep if keep else os.devnull, "wb") as output:
        process = subprocess.Popen(
            argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.DEVNULL, start_new_session=True
        )  # fmt: skip
        clock = threading.Timer(TIMEOUT_S, os.killpg, (process.pid, signal.SIGKILL))
        clock.start()
        _, status, usage = os.wait4(process.pid, 0)
        clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    cost.steps[step] = cost.steps.get(step, 0.0) + usage.ru_utime + usage.ru_stime
    return process.returncode == 0
