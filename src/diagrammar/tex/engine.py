"""tex, step 2: Document -> Compiled | TexFailure. One success rule, repairs only after a failure that calls for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from diagrammar.records.diagrams import ENGINES, Compiled, Engine, TexFailure
from diagrammar.sandbox import Isolation, bubblewrap_problem
from diagrammar.tex.choice import engines_for, next_can_help, tells_more
from diagrammar.tex.document import Document
from diagrammar.tex.failures import Reading, read_log
from diagrammar.tex.marks import make_nonce, marks_style
from diagrammar.tex.preset import preset
from diagrammar.tex.repair import repair
from diagrammar.tex.run import Run, run_engine
from diagrammar.tex.source import read_source

MAX_REPAIRS = 8
KILLED, OUT_OF_CPU, FILE_TOO_BIG = 128 + 9, 128 + 24, 128 + 25  # exit codes for SIGKILL, SIGXCPU, SIGXFSZ
LOOP_HINT = "look for a loop without end, or draw less"
NO_PAGE_HINT = "draw something between \\begin{document} and \\end{document}"
# Failures that the marks cannot be the reason of.
NOT_BY_MARKS = ("timeout", "no_output", "truncated", "missing_package", "missing_file")


def compile_tex(
    text: str,
    *,
    engines: Sequence[Engine] = ENGINES,
    timeout_s: float = 60,
    trust: bool = False,
    marks: bool = True,
    without_hooks: frozenset[str] = frozenset(),
) -> Compiled | TexFailure:
    """The compiled document, or why TeX did not take it.

    `text` is a document, a picture without preamble, or a reply with either in it. Each engine has at most
    `timeout_s` seconds. Raises ToolMissing where the engine is not installed.
    `trust` allows to run without isolation where bubblewrap cannot run: for the user's own files only.
    """
    document = read_source(text)
    if isinstance(document, TexFailure):
        return document
    isolation: Isolation = "bubblewrap"
    problem = bubblewrap_problem()
    if problem is not None:
        if not trust:
            return TexFailure(
                kind="isolation_required", message=f"no isolation: {problem}",
                hint="install bubblewrap (scripts/setup.sh), or pass --trust for files of your own",
            )
        isolation = "none"
    attempt = _Attempt(document=document, timeout_s=timeout_s, isolation=isolation, marks=marks, without_hooks=without_hooks)
    failure: TexFailure | None = None
    spent_s = 0.0
    spent_cpu_s = 0.0
    order = engines_for(document, engines)
    for position, engine in enumerate(order):
        result = attempt.through(engine)
        spent_s += result.seconds
        spent_cpu_s += result.cpu_seconds
        if isinstance(result, Compiled):
            return replace(result, seconds=spent_s, cpu_seconds=spent_cpu_s)
        if failure is None or tells_more(result, failure):
            failure = result
        if position + 1 < len(order) and not next_can_help(result, order[position + 1]):
            break
    assert failure is not None
    return replace(failure, seconds=spent_s, cpu_seconds=spent_cpu_s)


@dataclass(frozen=True)
class _Attempt:
    """What stays the same from engine to engine."""

    document: Document
    timeout_s: float
    isolation: Isolation
    marks: bool
    without_hooks: frozenset[str]

    def through(self, engine: Engine) -> Compiled | TexFailure:
        """The document through one engine, repaired as its failures call for."""
        document = self.document
        left_s = self.timeout_s
        cpu_seconds = 0.0
        marked = self.marks
        warnings: list[str] = []
        for _ in range(MAX_REPAIRS + 2):
            nonce = make_nonce(document.text)
            style = marks_style(nonce, without=self.without_hooks) if marked else ""
            run = run_engine(
                engine, document.text, preamble=preset(engine) + style, nonce=nonce, timeout_s=left_s,
                isolation=self.isolation,
            )
            left_s -= run.seconds
            cpu_seconds += run.cpu_seconds
            seconds = self.timeout_s - left_s
            if run.succeeded and run.pdf is not None and _pages(run.pdf) > 0:
                return Compiled(
                    pdf=run.pdf, marks=(run.marks or "") if marked else "", nonce=nonce, engine=engine,
                    code=document.text, repairs=document.notes, warnings=tuple(warnings), isolation=self.isolation,
                    marked=marked, seconds=seconds, cpu_seconds=cpu_seconds,
                )
            reading = _reading(run, self.timeout_s)
            repaired = None
            if left_s > 0.5:
                repaired = repair(document, reading)
            if repaired is not None and repaired.lines != document.lines:
                document = repaired
                continue
            if marked and run.marks and reading.kind not in NOT_BY_MARKS and left_s > 0.5:
                # the hooks were at work when it failed: they may be the reason
                marked = False
                warnings.append(f"compiled without marks, since with them: {reading.message}")
                continue
            break
        return TexFailure(
            kind=reading.kind, message=reading.message, line=_users_line(document, reading), hint=reading.hint,
            engine=engine, repairs=document.notes, log=run.log or run.finished.output, seconds=seconds,
            cpu_seconds=cpu_seconds,
        )




def _users_line(document: Document, reading: Reading) -> int | None:
    """Where in the user's text it went wrong: the line TeX names, else the first that names the culprit."""
    number = reading.line
    if number is None and reading.culprit:
        named = re.compile(rf"(?<![\w-]){re.escape(reading.culprit)}(?![\w-])")
        lines = enumerate(document.code.split("\n"), start=1)
        number = next((number for number, text in lines if named.search(text)), None)
    return None if number is None else document.origin_of(number)


def _pages(pdf: bytes) -> int:
    """How many pages PDFium finds; 0 where it cannot read the file."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError:
        return 0
    try:
        return len(document)
    finally:
        document.close()


def _reading(run: Run, timeout_s: float) -> Reading:
    finished = run.finished
    killed = finished.exit_code == KILLED
    if finished.stopped == "timeout" or finished.exit_code == OUT_OF_CPU or (killed and run.seconds > 0.9 * timeout_s):
        return Reading("timeout", f"no end after {run.seconds:.0f} s", LOOP_HINT)
    if finished.stopped == "total_size" or finished.exit_code == FILE_TOO_BIG or killed:
        return Reading("resource_limit", "the document takes more memory or disk than a diagram may", LOOP_HINT)
    if finished.exit_code == 0:
        return Reading("no_output", "the document has no page", NO_PAGE_HINT)
    return read_log(run.log, finished.output)
