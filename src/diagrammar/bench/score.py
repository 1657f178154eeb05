"""bench, step 3: a candidate against a truth -> PairScore. Also the public `score`."""

from __future__ import annotations

from functools import lru_cache

from diagrammar.bench.code import code_in
from diagrammar.metrics.protocol import load_metrics
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.scores import Case, FailureNote, NotComputed, PairScore, Side, SideFailures, Sides
from diagrammar.scene import read_scene, reader_failed
from diagrammar.tex import compile_tex

METRIC_NAMES = ("f1_type", "f1_text", "f1_color", "f1_bbox", "f1_avg", "crystalbleu")


def score(truth: str, candidate: str, *, trust: bool = False) -> PairScore:
    """Every number of `candidate` against `truth`, both TeX as people and models write it.

    A candidate that does not compile scores 0 on all; for a truth that does not, nothing is computed.
    Source: Diagram-MMU, appendix D.2, failure handling. `trust`: see compile_tex; for the user's own files
    only.
    """
    truth_side = _truth_side(truth, trust=trust)
    candidate_side = truth_side if candidate == truth else read_side(candidate, trust=trust)
    return score_case(Case(truth=truth_side, candidate=candidate_side))


def read_side(text: str, *, trust: bool = False) -> Side:
    """The side that `text` makes: its code without prose around it, and what that draws."""
    code = code_in(text)
    if isinstance(code, TexFailure):
        return Side(code=text, failure=code)
    compiled = compile_tex(text, trust=trust)
    if isinstance(compiled, TexFailure):
        return Side(code=code, failure=compiled)
    try:
        return Side(code=code, scene=read_scene(compiled))
    except Exception as error:  # noqa: BLE001 - a PDF out of hostile code: its own failure, not the batch's
        return Side(code=code, failure=reader_failed(compiled, error))


# One truth often stands against the candidates of many models.
_truth_side = lru_cache(maxsize=32)(read_side)


def score_case(case: Case) -> PairScore:
    """Every number of a case whose sides are compiled and read."""
    values: dict[str, float] = {}
    reasons: dict[str, str] = {}
    metrics = load_metrics()
    for name, metric in metrics.items():
        measured = metric.measure(case)
        pooled = measured if isinstance(measured, NotComputed) else metric.pool([measured])
        if isinstance(pooled, NotComputed):
            reasons[name] = pooled.reason
        else:
            values[name] = pooled
    return PairScore(
        compiled=Sides(truth=case.truth.scene is not None, candidate=case.candidate.scene is not None),
        failures=SideFailures(truth=_note(case.truth.failure), candidate=_note(case.candidate.failure)),
        not_computed=reasons,
        signatures={name: metric.signature for name, metric in metrics.items()},
        **values,
    )


def _note(failure: TexFailure | None) -> FailureNote | None:
    if failure is None:
        return None
    return FailureNote(kind=failure.kind, message=failure.message, line=failure.line, hint=failure.hint)
