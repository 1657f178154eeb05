"""bench, for `score --pairs`: lines of a pairs file -> pairs of texts -> PairScores, each line for itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diagrammar.bench.score import METRIC_NAMES, score
from diagrammar.errors import BadInput
from diagrammar.parallel import PoolEngine, WorkerLost, map_items
from diagrammar.records.scores import PairScore, Sides

Name = Literal["truth", "candidate"]


@dataclass(frozen=True)
class Pair:
    """A truth and a candidate as text, and how the user calls them."""

    id: str
    truth: str
    candidate: str
    trust: bool = False


@dataclass(frozen=True)
class BadPair:
    """A line that gives no pair, and why."""

    id: str
    reason: str


def read_pairs(
    lines: Iterable[bytes], *, folder: Path, read_file: Callable[[Path], str], trust: bool = False
) -> Iterator[Pair | BadPair]:
    """A pair per line: {"id", "truth", "candidate"} with paths relative to `folder`, or "truth_code",
    "candidate_code" with text. Blank lines are passed over; a line without id is called by its number.
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
        except BadInput as error:
            yield BadPair(name, f"line {number}: {error}")
        else:
            yield Pair(name, truth, candidate, trust)


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
    pairs: Iterable[Pair | BadPair], *, workers: int | None = None, inline: bool = False
) -> Iterator[tuple[str, PairScore]]:
    """Id and score of each pair, in the order given. A bad one is not computed, nor is one whose worker died.

    `inline` scores in this process, one after the other: for a single pair, quicker.
    """
    waiting: dict[int, tuple[str, PairScore]] = {}
    due = 0
    engine: PoolEngine = "inline" if inline else "process"
    for (position, pair), scored in map_items(_score, enumerate(pairs), workers=workers, engine=engine):
        pair_score = not_computed(scored.reason) if isinstance(scored, WorkerLost) else scored
        waiting[position] = (pair.id, pair_score)
        while due in waiting:
            yield waiting.pop(due)
            due += 1


def _score(numbered: tuple[int, Pair | BadPair]) -> PairScore:
    _, pair = numbered
    if isinstance(pair, BadPair):
        return not_computed(pair.reason)
    return score(pair.truth, pair.candidate, trust=pair.trust)


def not_computed(reason: str) -> PairScore:
    """A score without a number."""
    return PairScore(
        compiled=Sides(truth=False, candidate=False), not_computed=dict.fromkeys(METRIC_NAMES, reason)
    )
