"""tex, the edge: one document through one engine in a private folder. All reading of the results is here."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from diagrammar.errors import ToolMissing
from diagrammar.records.diagrams import Engine, Output
from diagrammar.sandbox import JOB_FOLDER, MOUNT_FOLDER, Finished, Isolation, Limits, run_limited
from diagrammar.tex.dvisvgm import Converted, convert
from diagrammar.tex.files import read_regular
from diagrammar.tex.fontcache import font_caches, lay_out
from diagrammar.tex.preset import ASKS_FOR_POSITION, SOURCE_DATE_EPOCH

MAX_RUNS = 3
JOB = "doc"
MAX_PDF_BYTES = 32 << 20
MAX_LOG_BYTES = 4 << 20
# What a later run reads back of an earlier one.
CARRIED = (".aux", ".toc", ".lof", ".lot", ".out")
ASKS_FOR_RERUN = re.compile(
    r"Rerun to get (?!cross-references)|Rerun LaTeX|There were undefined references|undefined on input"
)
# LaTeX says that labels changed where remembered pictures did, too; those count only where one asks for them.
LABELS_CHANGED = "Label(s) may have changed"
LABELS = re.compile(r"\\newlabel|\\bibcite|\\zref@newlabel|posx\{")
# program, further options, what it writes
DVI_ENGINES: dict[Engine, tuple[str, tuple[str, ...], str]] = {
    "pdflatex": ("latex", (), ".dvi"),
    "lualatex": ("dvilualatex", (), ".dvi"),
    "xelatex": ("xelatex", ("-no-pdf",), ".xdv"),
}


@dataclass(frozen=True)
class Run:
    """What one engine made of one document, over as many runs as its .aux needed."""

    finished: Finished  # of the last run
    log: str
    pdf: bytes | None  # None where the file is absent, unfinished or too big
    marks: str  # the side file; empty where the hooks never wrote to it
    seconds: float
    cpu_seconds: float
    runs: int
    converted: Converted | None = (
        None  # what dvisvgm made of the DVI file; None where TeX failed or PDF was wanted
    )

    @property
    def succeeded(self) -> bool:
        if self.finished.exit_code != 0:
            return False
        return self.pdf is not None or (self.converted is not None and bool(self.converted.pages))


@cache
def engine_program(engine: str) -> str:
    """The engine's path. Raises ToolMissing."""
    program = shutil.which(engine)
    if program is None:
        raise ToolMissing(f"{engine} is not on PATH; run scripts/setup.sh")
    return program


def run_engine(
    engine: Engine,
    text: str,
    *,
    preamble: str,
    nonce: str,
    timeout_s: float,
    isolation: Isolation,
    output: Output = "pdf",
) -> Run:
    """`text` through `engine`, after `preamble`; further runs until the .aux stays the same, at most three.

    For `output` "svg" its twin that writes DVI runs, and dvisvgm after it.
    """
    started = time.monotonic()
    cpu_seconds = 0.0
    with tempfile.TemporaryDirectory(prefix="diagrammar-tex-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / f"{nonce}.tex").write_text(preamble, encoding="utf-8")
        (folder / f"{JOB}.tex").write_text(text, encoding="utf-8")
        if engine == "lualatex":
            lay_out(folder)
        before = _carried(folder)
        for run in range(1, MAX_RUNS + 1):
            left_s = timeout_s - (time.monotonic() - started)
            finished = _run_once(engine, folder, nonce, max(0.1, left_s), isolation, output)
            cpu_seconds += finished.cpu_seconds
            log = read_regular(folder / f"{JOB}.log", MAX_LOG_BYTES).decode(errors="replace")
            after = _carried(folder)
            if finished.exit_code != 0 or after == before or not _needs_rerun(log, after, first=run == 1):
                break
            before = after
        converted = None
        if output == "svg" and finished.exit_code == 0 and (folder / _dvi(engine)).is_file():
            left_s = timeout_s - (time.monotonic() - started)
            converted = convert(_dvi(engine), folder=folder, timeout_s=max(0.1, left_s), isolation=isolation)
            cpu_seconds += converted.finished.cpu_seconds
        marks = read_regular(folder / f"{nonce}.marks", MAX_PDF_BYTES).decode(errors="replace")
        return Run(
            finished=finished,
            log=log,
            pdf=_complete_pdf(folder / f"{JOB}.pdf"),
            marks=marks,
            seconds=time.monotonic() - started,
            cpu_seconds=cpu_seconds,
            runs=run,
            converted=converted,
        )


def _dvi(engine: Engine) -> str:
    return JOB + DVI_ENGINES[engine][2]


def _run_once(
    engine: Engine, folder: Path, nonce: str, timeout_s: float, isolation: Isolation, output: Output
) -> Finished:
    caches = font_caches()
    inside = isolation == "bubblewrap"
    home = JOB_FOLDER if inside else str(folder)
    shared = [f"{MOUNT_FOLDER}/{number}" if inside else str(host) for number, host in enumerate(caches)]
    name, options, _ = (engine, (), "") if output == "pdf" else DVI_ENGINES[engine]
    program = engine_program(name)
    argv = [
        program,
        *options,
        "-no-shell-escape",
        "-halt-on-error",
        "-interaction=nonstopmode",
        "-file-line-error",
        f"-jobname={JOB}",
        rf"\input{{{nonce}.tex}}\input{{{JOB}.tex}}",
    ]
    environment = {
        "PATH": f"{os.path.dirname(program)}:/usr/bin:/bin",
        "HOME": home,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "openin_any": "p",
        "openout_any": "p",
        "shell_escape": "f",
        "SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH,
        "FORCE_SOURCE_DATE": "1",
        # TeX wraps log lines at 79 columns unless told otherwise
        "max_print_line": "2000",
        "error_line": "254",
        "half_error_line": "238",
        "buf_size": "4000000",  # characters in a line
        # words: big plots need more than TeX's usual five million, and a second engine costs more than room
        "extra_mem_bot": "15000000",
        "extra_mem_top": "15000000",
        "TEXMFVAR": f"{home}/texmf-var",
        "VARTEXFONTS": f"{home}/texmf-fonts",
        "TEXMFHOME": f"{home}/texmf-home",
        "TEXMFCACHE": ":".join([*shared, f"{home}/texmf-var"]),
        "XDG_CACHE_HOME": shared[0] if shared else f"{home}/texmf-var",  # fontconfig's
    }
    return run_limited(
        argv,
        folder=folder,
        environment=environment,
        limits=Limits(wall_s=timeout_s),
        isolation=isolation,
        readable=[*caches],
    )


def _carried(folder: Path) -> dict[str, bytes]:
    files = {suffix: read_regular(folder / f"{JOB}{suffix}", MAX_LOG_BYTES) for suffix in CARRIED}
    return {suffix: content for suffix, content in files.items() if content}


def _needs_rerun(log: str, carried: dict[str, bytes], *, first: bool) -> bool:
    if not first:  # its .aux still differs from that of the run before
        return True
    if ASKS_FOR_RERUN.search(log) or ASKS_FOR_POSITION in log or carried.keys() - {".aux"}:
        return True
    told = carried.get(".aux", b"").decode(errors="replace")
    return LABELS.search(told) is not None and (LABELS_CHANGED in log or "posx{" in told or "zref@" in told)


def _complete_pdf(path: Path) -> bytes | None:
    content = read_regular(path, MAX_PDF_BYTES)
    if not content.startswith(b"%PDF-") or b"%%EOF" not in content[-1024:]:
        return None
    return content
