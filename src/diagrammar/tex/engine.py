"""tex, step 2: Document -> Compiled (PDF), CompiledSvg or TexFailure.

One success rule; repairs only after a failure that calls for them; the next engine only where it can help.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from diagrammar.records.diagrams import ENGINES, Compiled, CompiledSvg, Engine, Output, TexFailure
from diagrammar.sandbox import Isolation, bubblewrap_problem
from diagrammar.tex.choice import engines_for, next_can_help, tells_more
from diagrammar.tex.document import Document
from diagrammar.tex.failures import DRIVER_HINTS, DRIVER_LACKS, WRONG_DRIVERS, Reading, read_log
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
CONVERSION_HINT = "read it with --reader pdf; if that works, please report the document"
# Failures that the marks cannot be the reason of.
NOT_BY_MARKS = ("timeout", "no_output", "truncated", "missing_package", "missing_file", "driver_limit")


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
    result = _compile(
        text,
        engines,
        _Terms(timeout_s=timeout_s, trust=trust, marks=marks, without_hooks=without_hooks, output="pdf"),
    )
    assert not isinstance(result, CompiledSvg)
    return result


def compile_to_svg(
    text: str,
    *,
    engines: Sequence[Engine] = ENGINES,
    timeout_s: float = 60,
    trust: bool = False,
    marks: bool = True,
    without_hooks: frozenset[str] = frozenset(),
) -> CompiledSvg | TexFailure:
    """The document as SVG by pgf's dvisvgm driver, or why it did not get there. Terms as in compile_tex.

    Each engine stands for its twin that writes DVI: latex, dvilualatex, xelatex -no-pdf. What pgf's driver cannot draw
    at all is a failure `driver_limit`; what it leaves out with a word is a warning.
    Source: Diagram-MMU, appendix C.1, stages 1 and 2. Differs: marks are empty elements, not groups; a document
    that needs Unicode fonts keeps its marks; no second try as PDF without marks.
    """
    result = _compile(
        text,
        engines,
        _Terms(timeout_s=timeout_s, trust=trust, marks=marks, without_hooks=without_hooks, output="svg"),
    )
    assert not isinstance(result, Compiled)
    return result


@dataclass(frozen=True)
class _Terms:
    """What stays the same from engine to engine."""

    timeout_s: float
    trust: bool
    marks: bool
    without_hooks: frozenset[str]
    output: Output
    isolation: Isolation = "bubblewrap"


def _compile(text: str, engines: Sequence[Engine], terms: _Terms) -> Compiled | CompiledSvg | TexFailure:
    document = read_source(text)
    if isinstance(document, TexFailure):
        return document
    problem = bubblewrap_problem()
    if problem is not None:
        if not terms.trust:
            return TexFailure(
                kind="isolation_required",
                message=f"no isolation: {problem}",
                hint="install bubblewrap (scripts/setup.sh), or pass --trust for files of your own",
            )
        terms = replace(terms, isolation="none")
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
        if not isinstance(result, TexFailure):
            return replace(result, seconds=spent_s, cpu_seconds=spent_cpu_s)
        if failure is None or tells_more(result, failure):
            failure = result
        if following is None or not next_can_help(result, following):
            break
    assert failure is not None
    return replace(failure, seconds=spent_s, cpu_seconds=spent_cpu_s)


@dataclass(frozen=True)
class _Tried:
    """One engine's result, the document as repaired, and the failures that the marks are not the reason of."""

    result: Compiled | CompiledSvg | TexFailure
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
        style = marks_style(nonce, without=terms.without_hooks, output=terms.output) if marked else ""
        run = run_engine(
            engine, document.text, preamble=preset(engine, output=terms.output) + style, nonce=nonce,
            timeout_s=left_s, isolation=terms.isolation, output=terms.output,
        )  # fmt: skip
        left_s -= run.seconds
        cpu_seconds += run.cpu_seconds
        if _is_drawn(run, terms.output):
            warnings = (f"compiled without marks, since with them: {suspect.message}",) if suspect else ()
            spent = _Spent(terms.timeout_s - left_s, cpu_seconds)
            result = _drawn(run, engine, document, terms, nonce, spent, marked=marked, warnings=warnings)
            return _Tried(result, document, excused)
        reading = _reading(run, terms, given_s=left_s + run.seconds)
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


@dataclass(frozen=True)
class _Spent:
    seconds: float
    cpu_seconds: float


def _is_drawn(run: Run, output: Output) -> bool:
    """TeX succeeded, and through the driver that was asked for."""
    if not run.succeeded or WRONG_DRIVERS[output].search(run.log):
        return False
    return output == "svg" or (run.pdf is not None and _pages(run.pdf) > 0)


def _drawn(
    run: Run, engine: Engine, document: Document, terms: _Terms, nonce: str, spent: _Spent, *,
    marked: bool, warnings: tuple[str, ...],
) -> Compiled | CompiledSvg:  # fmt: skip
    marks = run.marks if marked else ""
    if terms.output == "pdf":
        assert run.pdf is not None
        return Compiled(
            pdf=run.pdf, marks=marks, nonce=nonce, engine=engine, code=document.text, repairs=document.notes,
            warnings=warnings, isolation=terms.isolation, marked=marked, seconds=spent.seconds,
            cpu_seconds=spent.cpu_seconds,
        )  # fmt: skip
    assert run.converted is not None
    lacks = tuple(f"pgf's dvisvgm driver leaves out {what}" for what in DRIVER_LACKS.findall(run.log))
    return CompiledSvg(
        pages=run.converted.pages, marks=marks, nonce=nonce, engine=engine, code=document.text,
        repairs=document.notes, warnings=(*warnings, *dict.fromkeys(lacks)), isolation=terms.isolation, marked=marked,
        seconds=spent.seconds, cpu_seconds=spent.cpu_seconds,
    )  # fmt: skip


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


def _reading(run: Run, terms: _Terms, *, given_s: float) -> Reading:
    converted = run.converted
    finished = run.finished if converted is None else converted.finished
    killed = finished.exit_code == KILLED
    if (
        finished.stopped == "timeout"
        or finished.exit_code == OUT_OF_CPU
        or (killed and run.seconds > 0.9 * given_s)
    ):
        return Reading("timeout", f"no end within {terms.timeout_s:g} s", LOOP_HINT)
    if finished.stopped == "total_size" or finished.exit_code == FILE_TOO_BIG or killed:
        return Reading(
            "resource_limit", "the document takes more memory or disk than a diagram may", LOOP_HINT
        )
    if run.finished.exit_code == 0 and (driver := WRONG_DRIVERS[terms.output].search(run.log)):
        return Reading(
            "option_clash", f"the document asks for the driver {driver[0]}", DRIVER_HINTS[terms.output]
        )
    if converted is not None and not converted.pages:
        said = (line for line in finished.output.splitlines() if "error" in line.lower())
        return Reading(
            "conversion_failed", f"dvisvgm: {next(said, 'it wrote no page')}"[:300], CONVERSION_HINT
        )
    if finished.exit_code == 0:
        return Reading("no_output", "the document has no page", NO_PAGE_HINT)
    return read_log(run.log, finished.output)
