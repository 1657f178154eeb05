"""tex, step 2: Document -> Compiled | TexFailure.

One success rule; repairs only after a failure that calls for them; the next engine only where it can help.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from diagrammar.records.diagrams import ENGINES, Compiled, Engine, TexFailure
from diagrammar.sandbox import Isolation, bubblewrap_problem
from diagrammar.tex.choice import engines_for, next_can_help, tells_more
from diagrammar.tex.document import Document
from diagrammar.tex.failures import DRIVER_HINT, WRONG_DRIVER, Reading, read_log
from diagrammar.tex.hints import hint_for
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
                kind="isolation_required",
                message=f"no isolation: {problem}",
                hint="install bubblewrap (scripts/setup.sh), or pass --trust for files of your own",
            )
        isolation = "none"
    terms = _Terms(timeout_s=timeout_s, isolation=isolation, marks=marks, without_hooks=without_hooks)
    failure: TexFailure | None = None
    spent_s = spent_cpu_s = 0.0
    excused: frozenset[tuple[str, str]] = frozenset()
    order = engines_for(document, engines)
    for engine, following in zip(order, (*order[1:], None), strict=True):
        tried = _through(engine, document, terms, excused=excused)
        document, result = tried.document, tried.result
        excused |= tried.excused
        spent_s += result.seconds
        spent_cpu_s += result.cpu_seconds
        if isinstance(result, Compiled):
            return replace(result, seconds=spent_s, cpu_seconds=spent_cpu_s)
        if failure is None or tells_more(result, failure):
            failure = result
        if following is None or not next_can_help(result, following):
            break
    assert failure is not None
    return replace(failure, seconds=spent_s, cpu_seconds=spent_cpu_s)


@dataclass(frozen=True)
class _Terms:
    """What stays the same from engine to engine."""

    timeout_s: float
    isolation: Isolation
    marks: bool
    without_hooks: frozenset[str]


@dataclass(frozen=True)
class _Tried:
    """One engine's result, the document as repaired, and the failures that the marks are not the reason of."""

    result: Compiled | TexFailure
    document: Document
    excused: frozenset[tuple[str, str]]


def _through(
    engine: Engine, document: Document, terms: _Terms, *, excused: frozenset[tuple[str, str]]
) -> _Tried:
    """The document through one engine, repaired as its failures call for; without marks where only they fail."""
    left_s = terms.timeout_s
    cpu_seconds = 0.0
    suspect: Reading | None = None  # a failure with the hooks at work: they may be its reason
    for _ in range(MAX_REPAIRS + 2):
        marked = terms.marks and suspect is None
        nonce = make_nonce(document.text)
        style = marks_style(nonce, without=terms.without_hooks) if marked else ""
        run = run_engine(
            engine, document.text, preamble=preset(engine) + style, nonce=nonce, timeout_s=left_s,
            isolation=terms.isolation,
        )  # fmt: skip
        left_s -= run.seconds
        cpu_seconds += run.cpu_seconds
        if run.succeeded and run.pdf is not None and not WRONG_DRIVER.search(run.log) and _pages(run.pdf) > 0:
            warnings = (f"compiled without marks, since with them: {suspect.message}",) if suspect else ()
            compiled = Compiled(
                pdf=run.pdf, marks=run.marks if marked else "", nonce=nonce, engine=engine, code=document.text,
                repairs=document.notes, warnings=warnings, isolation=terms.isolation, marked=marked,
                seconds=terms.timeout_s - left_s, cpu_seconds=cpu_seconds,
            )  # fmt: skip
            return _Tried(compiled, document, excused)
        reading = _reading(run, terms.timeout_s, given_s=left_s + run.seconds)
        if suspect is not None:
            excused |= {(suspect.kind, suspect.message)}
        if left_s < 0.5:
            break
        repaired = repair(document, reading)
        if repaired is not None:
            document = repaired
        elif marked and run.marks and _may_be_the_marks(reading, excused):
            suspect = reading
        else:
            break
    failure = TexFailure(
        kind=reading.kind, message=reading.message, line=_users_line(document, reading),
        hint=hint_for(reading, document), engine=engine, repairs=document.notes, log=run.log or run.finished.output,
        seconds=terms.timeout_s - left_s, cpu_seconds=cpu_seconds,
    )  # fmt: skip
    return _Tried(failure, document, excused)


def _may_be_the_marks(reading: Reading, excused: frozenset[tuple[str, str]]) -> bool:
    return reading.kind not in NOT_BY_MARKS and (reading.kind, reading.message) not in excused


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


def _reading(run: Run, timeout_s: float, *, given_s: float) -> Reading:
    finished = run.finished
    killed = finished.exit_code == KILLED
    if (
        finished.stopped == "timeout"
        or finished.exit_code == OUT_OF_CPU
        or (killed and run.seconds > 0.9 * given_s)
    ):
        return Reading("timeout", f"no end within {timeout_s:g} s", LOOP_HINT)
    if finished.stopped == "total_size" or finished.exit_code == FILE_TOO_BIG or killed:
        return Reading(
            "resource_limit", "the document takes more memory or disk than a diagram may", LOOP_HINT
        )
    if finished.exit_code == 0 and (driver := WRONG_DRIVER.search(run.log)):
        return Reading("option_clash", f"the document asks for the driver {driver[0]}", DRIVER_HINT)
    if finished.exit_code == 0:
        return Reading("no_output", "the document has no page", NO_PAGE_HINT)
    return read_log(run.log, finished.output)
