"""`diagrammar score`: a candidate against a truth, object by object."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from diagrammar.errors import BadInput

if TYPE_CHECKING:
    from diagrammar.bench.pairs import BadPair, Pair, ScoredPair, SetScore
    from diagrammar.records.scores import PairScore

_FILE = click.Path(path_type=Path, readable=False)


@click.command()
@click.option("--truth", type=_FILE, help="The TeX file to be matched.")
@click.option("--candidate", type=_FILE, help="The TeX file or model's reply to score.")
@click.option(
    "--source",
    type=_FILE,
    help="The TeX file that both are edits of: also scores what stayed and what changed.",
)
@click.option(
    "--pairs",
    type=click.Path(path_type=Path, readable=False, allow_dash=True),
    help='Many pairs, a JSON object a line: {"id", "truth", "candidate"[, "source"]} with paths relative to this '
    'file, or "truth_code", "candidate_code", "source_code" with the text itself. - reads standard input.',
)
@click.option(
    "--metrics",
    default=None,
    metavar="NAME,...",
    help="Which numbers: names of metrics, objects, code, pictures, or all. By default objects,code.",
)
@click.option(
    "--protocol",
    type=click.Choice(["paper", "strict"]),
    default="paper",
    show_default=True,
    help="strict: objects are matched by optimal assignment, and nothing is got for what neither side has.",
)
@click.option(
    "--reader",
    type=click.Choice(["pdf", "svg"]),
    default="pdf",
    show_default=True,
    help="How objects are read: from our marked PDF, or as the paper does from SVG.",
)
@click.option("--trust", is_flag=True, help="Compile where there is no isolation, too: your own files only.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="Pairs scored at a time; one per core if not given."
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object per pair, one a line, on stdout.")
def command(
    truth: Path | None,
    candidate: Path | None,
    source: Path | None,
    pairs: Path | None,
    metrics: str | None,
    protocol: Literal["paper", "strict"],
    reader: Literal["pdf", "svg"],
    trust: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Score a candidate against a truth, object by object.

    Prints the F1s of types, texts, colours and boxes, their mean, and CrystalBLEU, each from 0 to 1.
    A candidate that does not compile scores 0 on all.
    """
    one = truth is not None and candidate is not None
    if one == (pairs is not None) or (not one and any((truth, candidate, source))):
        raise click.UsageError("give --truth T and --candidate C, or --pairs FILE")
    from diagrammar.bench.pairs import Scoring, score_pairs, score_set

    wanted = tuple(name.strip() for name in metrics.split(",") if name.strip()) if metrics else None
    scoring = Scoring(metrics=wanted, protocol=protocol, reader=reader, trust=trust)
    scoring.chosen(with_source=True)  # a wrong name is told before anything is compiled
    table: _Table | None = None
    given = _read_many(pairs) if pairs else _read_one(truth, candidate, source)
    scored: list[ScoredPair] = []
    for pair in score_pairs(given, scoring=scoring, workers=workers, inline=pairs is None):
        for line in _remarks(pair.score):
            click.echo(f"{pair.id}: {line}", err=True)
        if as_json:
            click.echo(json.dumps({"id": pair.id, **pair.score.model_dump(mode="json")}, ensure_ascii=False))
        else:
            table = table or _Table(pair.score.values)
            table.print(pair.id, pair.score.values)
        scored.append(pair)
    scores = [pair.score for pair in scored]
    if table and len(scored) > 1:
        table.print("mean", _means(scores))
    if pairs is not None:
        _print_set(score_set(scored, scoring=scoring), as_json=as_json)
    for line in _summary(scores):
        click.echo(line, err=True)


class _Table:
    """A row per pair under a head of the first pair's metrics."""

    def __init__(self, names: Iterable[str]) -> None:
        self.label_by_name = {name: _label(name) for name in names}
        click.echo(self._row("id", self.label_by_name))

    def print(self, name: str, values: Mapping[str, float | None]) -> None:
        cells = {
            metric: "-" if (value := values.get(metric)) is None else f"{value:.3f}"
            for metric in self.label_by_name
        }
        click.echo(self._row(name, cells))

    def _row(self, name: str, cells: Mapping[str, str]) -> str:
        widths = {metric: max(6, len(label)) for metric, label in self.label_by_name.items()}
        return f"{name:<24} " + " ".join(f"{cells[metric]:>{widths[metric]}}" for metric in widths)


def _label(name: str) -> str:
    return name.removeprefix("f1_").replace("crystalbleu", "cbleu")


def _read_one(truth: Path | None, candidate: Path | None, source: Path | None) -> list[Pair | BadPair]:
    from diagrammar.bench.pairs import Pair
    from diagrammar.cli.inputs import shown

    assert truth is not None and candidate is not None
    return [Pair(shown(str(candidate)), _text(truth), _text(candidate), _text(source) if source else None)]


def _read_many(pairs: Path) -> Iterator[Pair | BadPair]:
    from diagrammar.bench.pairs import read_pairs
    from diagrammar.cli.inputs import shown

    try:
        with click.open_file(str(pairs), "rb") as lines:
            folder = Path() if str(pairs) == "-" else pairs.parent
            yield from read_pairs(lines, folder=folder, read_file=_text)
    except OSError as error:
        raise BadInput(f"{shown(str(pairs))}: {error.strerror or error}") from None


def _text(path: Path) -> str:
    """The file's text. A blank one is a model that said nothing: it scores 0, and is no fault of the user's."""
    from diagrammar.cli.inputs import read_source_file

    if _is_blank(path):
        return ""
    return read_source_file(str(path)).text


def _is_blank(path: Path) -> bool:
    readable = os.path.isfile(path) and os.access(path, os.R_OK)
    return readable and path.stat().st_size < 1000 and not path.read_bytes().strip()


def _is_scored(score: PairScore) -> bool:
    return any(value is not None for value in score.values.values())


def _remarks(score: PairScore) -> Iterator[str]:
    if not _is_scored(score):
        yield from (f"not computed: {reason}" for reason in dict.fromkeys(score.not_computed.values()))
        return
    failure = score.failures.candidate
    if failure is not None:
        where = f"line {failure.line}: " if failure.line else ""
        yield f"0, the candidate does not compile: {where}{failure.message}"


def _means(scores: list[PairScore]) -> dict[str, float | None]:
    """The mean of each metric over the pairs that have it."""
    values_by_name: dict[str, list[float]] = {}
    for score in scores:
        for name, value in score.values.items():
            if value is not None:
                values_by_name.setdefault(name, []).append(value)
    return {name: fsum(values) / len(values) for name, values in values_by_name.items()}


def _print_set(scores: Mapping[str, SetScore], *, as_json: bool) -> None:
    from diagrammar.records.scores import NotComputed

    for name, found in scores.items():
        value = None if isinstance(found.value, NotComputed) else found.value
        reason = found.value.reason if isinstance(found.value, NotComputed) else None
        if as_json:
            fields = {"value": value, "not_computed": reason, "n": found.n, "n_failed": found.n_failed}
            click.echo(json.dumps({"set": name, **fields, "signature": found.signature}))
        else:
            shown = f"{value:.3f}" if value is not None else f"not computed: {reason}"
            click.echo(f"{name} of all: {shown} (n {found.n}, {found.n_failed} failed candidates)")


def _summary(scores: list[PairScore]) -> Iterator[str]:
    """What some pairs lack, by reason, and the count."""
    lacking = Counter(
        (reason, name) for score in scores if _is_scored(score) for name, reason in score.not_computed.items()
    )
    from diagrammar.bench.score import OF_A_SET

    for reason in dict.fromkeys(reason for reason, _ in lacking if reason != OF_A_SET):
        names = [name for other, name in lacking if other == reason]
        pairs = max(lacking[reason, name] for name in names)
        yield f"{', '.join(names)} not computed for {pairs} of {len(scores)}: {reason}"
    without = sum(not _is_scored(score) for score in scores)
    failed = sum(_is_scored(score) and not score.compiled.candidate for score in scores)
    done = len(scores) - without
    yield f"scored {done} of {len(scores)} ({failed} failed candidates, {without} not computed)"
