"""tex, the edge: one document through one engine in a private folder. All reading of the results is here."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from diagrammar.errors import ToolMissing
from diagrammar.records.diagrams import Engine
from diagrammar.sandbox import JOB_FOLDER, MOUNT_FOLDER, Finished, Isolation, Limits, run_limited
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

    @property
    def succeeded(self) -> bool:
        return self.finished.exit_code == 0 and self.pdf is not None


@cache
def engine_program(engine: Engine) -> str:
    """The engine's path. Raises ToolMissing."""
    program = shutil.which(engine)
    if program is None:
        raise ToolMissing(f"{engine} is not on PATH; run scripts/setup.sh")
    return program


def run_engine(
    engine: Engine, text: str, *, preamble: str, nonce: str, timeout_s: float, isolation: Isolation
) -> Run:
    """`text` through `engine`, after `preamble`; further runs until the .aux stays the same, at most three."""
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
            finished = _run_once(engine, folder, nonce, max(0.1, left_s), isolation)
            cpu_seconds += finished.cpu_seconds
            log = _read(folder / f"{JOB}.log", MAX_LOG_BYTES).decode(errors="replace")
            after = _carried(folder)
            if finished.exit_code != 0 or after == before or not _needs_rerun(log, after, first=run == 1):
                break
            before = after
        marks = _read(folder / f"{nonce}.marks", MAX_PDF_BYTES).decode(errors="replace")
        return Run(
            finished=finished,
            log=log,
            pdf=_complete_pdf(folder / f"{JOB}.pdf"),
            marks=marks,
            seconds=time.monotonic() - started,
            cpu_seconds=cpu_seconds,
            runs=run,
        )


def _run_once(engine: Engine, folder: Path, nonce: str, timeout_s: float, isolation: Isolation) -> Finished:
    caches = font_caches()
    inside = isolation == "bubblewrap"
    home = JOB_FOLDER if inside else str(folder)
    shared = [f"{MOUNT_FOLDER}/{number}" if inside else str(host) for number, host in enumerate(caches)]
    program = engine_program(engine)
    argv = [
        program,
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
    files = {suffix: _read(folder / f"{JOB}{suffix}", MAX_LOG_BYTES) for suffix in CARRIED}
    return {suffix: content for suffix, content in files.items() if content}


def _needs_rerun(log: str, carried: dict[str, bytes], *, first: bool) -> bool:
    if not first:  # its .aux still differs from that of the run before
        return True
    if ASKS_FOR_RERUN.search(log) or ASKS_FOR_POSITION in log or carried.keys() - {".aux"}:
        return True
    told = carried.get(".aux", b"").decode(errors="replace")
    return LABELS.search(told) is not None and (LABELS_CHANGED in log or "posx{" in told or "zref@" in told)


def _complete_pdf(path: Path) -> bytes | None:
    content = _read(path, MAX_PDF_BYTES)
    if not content.startswith(b"%PDF-") or b"%%EOF" not in content[-1024:]:
        return None
    return content


def _read(path: Path, limit: int) -> bytes:
    """The file's first `limit` bytes; nothing where it is no regular file, such as a link that the document made."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        return file.read(limit)
