"""bench, for `score --pairs`: lines of a pairs file -> pairs of texts -> PairScores, each line for itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from diagrammar.bench.score import Measured, Reader, measure_case, read_case, score_measured
from diagrammar.errors import BadInput
from diagrammar.metrics.choose import Choice, choose_metrics
from diagrammar.metrics.protocol import Metric, count_failed
from diagrammar.parallel import PoolEngine, WorkerLost, map_in_order
from diagrammar.records.scores import NotComputed, PairScore, Sides

Name = Literal["truth", "candidate", "source"]


@dataclass(frozen=True)
class Pair:
    """A truth and a candidate as text, the source where they are edits, and how the user calls them."""

    id: str
    truth: str
    candidate: str
    source: str | None = None


@dataclass(frozen=True)
class Scoring:
    """Which numbers, and how they are come by; see bench.score.score."""

    metrics: tuple[str, ...] | None = None
    protocol: Choice = "paper"
    reader: Reader = "pdf"
    trust: bool = False

    def chosen(self, *, with_source: bool) -> dict[str, Metric[Any]]:
        return choose_metrics(self.metrics, protocol=self.protocol, with_source=with_source)


@dataclass(frozen=True)
class ScoredPair:
    """A pair's numbers, and what it adds to the numbers of the whole set."""

    id: str
    score: PairScore
    of_set: Measured


@dataclass(frozen=True)
class SetScore:
    """A number of many pairs: how many are in it, and how many are not since their candidate draws nothing."""

    value: float | NotComputed
    n: int
    n_failed: int
    signature: str


@dataclass(frozen=True)
class BadPair:
    """A line that gives no pair, and why."""

    id: str
    reason: str


def read_pairs(
    lines: Iterable[bytes], *, folder: Path, read_file: Callable[[Path], str]
) -> Iterator[Pair | BadPair]:
    """A pair per line: {"id", "truth", "candidate", "source"} with paths relative to `folder`, or "truth_code",
    "candidate_code", "source_code" with text; the source may be missing. Blank lines are passed over; a line
    without id is called by its number.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        name = str(number)
        try:
            fields = _fields(line)
            if fields.get("id") is not None:
                # JSON may hold half a character, which nothing can print
                name = str(fields["id"]).encode("utf-8", "replace").decode("utf-8")
            truth, candidate = (_text(fields, side, folder, read_file) for side in ("truth", "candidate"))
            edited = fields.get("source") is not None or fields.get("source_code") is not None
            source = _text(fields, "source", folder, read_file) if edited else None
        except BadInput as error:
            yield BadPair(name, f"line {number}: {error}")
        else:
            yield Pair(name, truth, candidate, source)


def _fields(line: bytes) -> dict[str, object]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"no JSON: {error}") from error
    if not isinstance(fields, dict):
        raise BadInput('no JSON object; a pair is {"id": ..., "truth": ..., "candidate": ...}')
    return fields


def _text(fields: dict[str, object], side: Name, folder: Path, read_file: Callable[[Path], str]) -> str:
    path, code = fields.get(side), fields.get(f"{side}_code")
    if (path is None) == (code is None):
        raise BadInput(f'give either "{side}" (a path) or "{side}_code" (text)')
    value = code if path is None else path
    if not isinstance(value, str):
        raise BadInput(f'"{side if code is None else side + "_code"}" is a {type(value).__name__}, not text')
    return value if path is None else read_file(folder / value)


def score_pairs(
    pairs: Iterable[Pair | BadPair],
    *,
    scoring: Scoring = Scoring(),
    workers: int | None = None,
    inline: bool = False,
) -> Iterator[ScoredPair]:
    """Each pair scored, in the order given. A bad one is not computed, nor is one whose worker died.

    `inline` scores in this process, one after the other: for a single pair, quicker.
    """
    engine: PoolEngine = "inline" if inline else "process"
    for pair, scored in map_in_order(partial(_score, scoring), pairs, workers=workers, engine=engine):
        yield not_computed(pair, scored.reason, scoring) if isinstance(scored, WorkerLost) else scored


def score_set(pairs: Sequence[ScoredPair], *, scoring: Scoring) -> dict[str, SetScore]:
    """The chosen numbers that only many pairs have, by metric."""
    scores: dict[str, SetScore] = {}
    for name, metric in scoring.chosen(with_source=True).items():
        if metric.score is not None:
            continue
        measured = [pair.of_set[name] for pair in pairs if name in pair.of_set]
        known = [found for found in measured if not isinstance(found, NotComputed)]
        reasons = [found for found in measured if isinstance(found, NotComputed)]
        value = reasons[0] if reasons and not known else metric.pool(known)
        failed = count_failed(known)
        scores[name] = SetScore(value, len(known) - failed, failed, metric.signature)
    return scores


def _score(scoring: Scoring, pair: Pair | BadPair) -> ScoredPair:
    if isinstance(pair, BadPair):
        return not_computed(pair, pair.reason, scoring)
    chosen = scoring.chosen(with_source=pair.source is not None)
    case = read_case(
        pair.truth,
        pair.candidate,
        source=pair.source,
        chosen=chosen,
        reader=scoring.reader,
        trust=scoring.trust,
    )
    measured = measure_case(case, chosen)
    of_set = {name: measured[name] for name, metric in chosen.items() if metric.score is None}
    return ScoredPair(pair.id, score_measured(case, measured, metrics=chosen, reader=scoring.reader), of_set)


def not_computed(pair: Pair | BadPair, reason: str, scoring: Scoring) -> ScoredPair:
    """A pair without a number."""
    names = scoring.chosen(with_source=isinstance(pair, Pair) and pair.source is not None)
    score = PairScore(
        compiled=Sides(truth=False, candidate=False),
        not_computed=dict.fromkeys(names, reason),
        **dict.fromkeys(names),
    )
    return ScoredPair(pair.id, score, {})
