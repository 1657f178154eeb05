"""bench, step 3: a candidate against a truth -> PairScore. Also the public `score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

from diagrammar.bench.code import code_in
from diagrammar.bench.draw import DPI
from diagrammar.errors import ToolMissing
from diagrammar.metrics.choose import Choice, choose_metrics
from diagrammar.metrics.protocol import Metric, load_metrics
from diagrammar.records.diagrams import CompiledSvg, TexFailure
from diagrammar.records.scores import Case, FailureNote, NotComputed, PairScore, Side, SideFailures, Sides
from diagrammar.scene import read_scene, read_svg_scene, reader_failed
from diagrammar.scene.picture import draw_picture, read_drawing
from diagrammar.tex import compile_tex, compile_to_svg
from diagrammar.tex.dvisvgm import dvisvgm_version

Reader = Literal["pdf", "svg"]
OF_A_SET = "it is a number of many pairs, not of one"
Measured = dict[str, Any]  # by metric: its statistics, Failed or NotComputed


def score(
    truth: str,
    candidate: str,
    *,
    source: str | None = None,
    metrics: Sequence[str] | None = None,
    protocol: Choice = "paper",
    reader: Reader = "pdf",
    trust: bool = False,
) -> PairScore:
    """Every number of `candidate` against `truth`, both TeX as people and models write it.

    With `source`, the program that was to be edited, also the numbers of what had to stay and of what had to
    change. `metrics` and `protocol` choose the numbers (see choose_metrics), `reader` the way from TeX to
    objects: our marked PDF, or the paper's SVG. A candidate that does not compile scores 0 on all; for a
    truth or source that does not, nothing is computed. Source: Diagram-MMU, appendix D.2, failure handling.
    `trust`: see compile_tex; for the user's own files only. Raises BadInput for a metric that there is not.
    """
    chosen = choose_metrics(metrics, protocol=protocol, with_source=source is not None)
    case = read_case(truth, candidate, source=source, chosen=chosen, reader=reader, trust=trust)
    return score_case(case, metrics=chosen, reader=reader)


def read_case(
    truth: str,
    candidate: str,
    *,
    source: str | None,
    chosen: Mapping[str, Metric[Any]],
    reader: Reader,
    trust: bool,
) -> Case:
    """The case of two or three programs, with pictures where a chosen metric looks at them."""
    drawn = any(metric.reads == "picture" for metric in chosen.values())
    side_of = {text: _kept_side(text, reader, drawn, trust) for text in (truth, source) if text is not None}
    if candidate not in side_of:
        side_of[candidate] = read_side(candidate, reader=reader, drawn=drawn, trust=trust)
    return Case(
        truth=side_of[truth],
        candidate=side_of[candidate],
        source=None if source is None else side_of[source],
    )


def read_side(text: str, *, reader: Reader = "pdf", drawn: bool = False, trust: bool = False) -> Side:
    """The side that `text` makes: its code without prose around it, what that draws, and if `drawn` its picture.

    The picture is painted from the PDF, whichever the reader. Raises ToolMissing.
    """
    code = code_in(text)
    if isinstance(code, TexFailure):
        return Side(code=text, failure=code)
    pdf = compile_tex(text, trust=trust) if drawn or reader == "pdf" else None
    svg = compile_to_svg(text, trust=trust) if reader == "svg" else None
    for compiled in (pdf, svg):
        if isinstance(compiled, TexFailure):
            return Side(code=code, failure=compiled)
    assert not isinstance(pdf, TexFailure) and not isinstance(svg, TexFailure)
    read = svg or pdf
    assert read is not None
    try:
        if isinstance(read, CompiledSvg):
            return Side(
                code=code, scene=read_svg_scene(read), png=draw_picture(pdf, dpi=DPI).png if pdf else None
            )
        if not drawn:
            return Side(code=code, scene=read_scene(read))
        scene, picture = read_drawing(read, dpi=DPI)
        return Side(code=code, scene=scene, png=picture.png)
    except ToolMissing:
        raise
    except Exception as error:  # noqa: BLE001 - a drawing out of hostile code: its own failure, not the batch's
        return Side(code=code, failure=reader_failed(read, error))


@lru_cache(maxsize=64)
def _kept_side(text: str, reader: Reader, drawn: bool, trust: bool) -> Side:
    """The side; one truth often stands against the candidates of many models."""
    return read_side(text, reader=reader, drawn=drawn, trust=trust)


def score_case(
    case: Case, *, metrics: Mapping[str, Metric[Any]] | None = None, reader: Reader = "pdf"
) -> PairScore:
    """The numbers of a case whose sides are compiled and read; by default those of the paper."""
    chosen = choose_metrics(with_source=case.source is not None) if metrics is None else metrics
    return score_measured(case, measure_case(case, chosen), metrics=chosen, reader=reader)


def measure_case(case: Case, metrics: Mapping[str, Metric[Any]]) -> Measured:
    """What each metric measures of a case."""
    return {name: metric.measure(case) for name, metric in metrics.items()}


def score_measured(
    case: Case, measured: Measured, *, metrics: Mapping[str, Metric[Any]], reader: Reader = "pdf"
) -> PairScore:
    """The numbers of a case that has been measured. A metric that only a set of cases has is not computed."""
    values: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for name, metric in metrics.items():
        found = measured[name]
        if not isinstance(found, NotComputed):
            found = metric.pool([found]) if metric.score else NotComputed(reason=OF_A_SET)
        if isinstance(found, NotComputed):
            reasons[name] = found.reason
        values[name] = None if isinstance(found, NotComputed) else found
    return PairScore(
        compiled=Sides(truth=case.truth.scene is not None, candidate=case.candidate.scene is not None),
        failures=SideFailures(
            truth=_note(case.truth.failure),
            candidate=_note(case.candidate.failure),
            source=_note(case.source.failure) if case.source else None,
        ),
        not_computed=reasons,
        signatures={name: _signature(name, reader) for name in metrics},
        **values,
    )


@cache
def _signature(name: str, reader: Reader) -> str:
    metric = load_metrics()[name]
    return metric.signature if reader == "pdf" else metric.signed(reader=f"svg-{dvisvgm_version()}")


def _note(failure: TexFailure | None) -> FailureNote | None:
    if failure is None:
        return None
    return FailureNote(kind=failure.kind, message=failure.message, line=failure.line, hint=failure.hint)
