"""`diagrammar score`: a candidate against a truth, object by object."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from diagrammar.errors import BadInput

if TYPE_CHECKING:
    from diagrammar.bench.pairs import BadPair, Pair
    from diagrammar.records.scores import PairScore

_COLUMNS = {
    "type": "f1_type", "text": "f1_text", "color": "f1_color", "bbox": "f1_bbox", "avg": "f1_avg",
    "cbleu": "crystalbleu",
}  # fmt: skip


@click.command()
@click.option("--truth", type=click.Path(path_type=Path, readable=False), help="The TeX file to be matched.")
@click.option(
    "--candidate",
    type=click.Path(path_type=Path, readable=False),
    help="The TeX file or model's reply to score.",
)
@click.option(
    "--pairs",
    type=click.Path(path_type=Path, readable=False, allow_dash=True),
    help='Many pairs, a JSON object a line: {"id", "truth", "candidate"} with paths relative to this file, '
    'or "truth_code", "candidate_code" with the text itself. - reads standard input.',
)
@click.option("--trust", is_flag=True, help="Compile where there is no isolation, too: your own files only.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="Pairs scored at a time; one per core if not given."
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object per pair, one a line, on stdout.")
def command(
    truth: Path | None,
    candidate: Path | None,
    pairs: Path | None,
    trust: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Score a candidate against a truth, object by object.

    Prints the F1s of types, texts, colours and boxes, their mean, and CrystalBLEU, each from 0 to 1.
    A candidate that does not compile scores 0 on all.
    """
    if (truth is None) != (candidate is None) or (truth is None) == (pairs is None):
        raise click.UsageError("give --truth T and --candidate C, or --pairs FILE")
    from diagrammar.bench.pairs import score_pairs

    scored: list[PairScore] = []
    given = _read_many(pairs, trust) if pairs else _read_one(truth, candidate, trust)
    for name, score in score_pairs(given, workers=workers, inline=pairs is None):
        for line in _remarks(score):
            click.echo(f"{name}: {line}", err=True)
        if as_json:
            click.echo(json.dumps({"id": name, **score.model_dump(mode="json")}, ensure_ascii=False))
        else:
            if not scored:
                click.echo(_row("id", _COLUMNS))
            click.echo(_row(name, map(_shown, _values(score))))
        scored.append(score)
    if len(scored) > 1 and not as_json:
        click.echo(_row("mean", map(_shown, _means(scored))))
    click.echo(_count(scored), err=True)


def _read_one(truth: Path | None, candidate: Path | None, trust: bool) -> list[Pair | BadPair]:
    from diagrammar.bench.pairs import Pair
    from diagrammar.cli.inputs import shown

    assert truth is not None and candidate is not None
    return [Pair(shown(str(candidate)), _text(truth), _text(candidate), trust)]


def _read_many(pairs: Path, trust: bool) -> Iterator[Pair | BadPair]:
    from diagrammar.bench.pairs import read_pairs
    from diagrammar.cli.inputs import shown

    try:
        with click.open_file(str(pairs), "rb") as lines:
            folder = Path() if str(pairs) == "-" else pairs.parent
            yield from read_pairs(lines, folder=folder, read_file=_text, trust=trust)
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


def _remarks(score: PairScore) -> Iterator[str]:
    for reason in dict.fromkeys(score.not_computed.values()):
        yield f"not computed: {reason}"
    failure = score.failures.candidate
    if failure is not None and not score.not_computed:
        where = f"line {failure.line}: " if failure.line else ""
        yield f"0, the candidate does not compile: {where}{failure.message}"


def _values(score: PairScore) -> Iterator[float | None]:
    return (getattr(score, field) for field in _COLUMNS.values())


def _means(scored: list[PairScore]) -> Iterator[float | None]:
    for values in zip(*map(_values, scored), strict=True):
        known = [value for value in values if value is not None]
        yield sum(known) / len(known) if known else None


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _row(name: str, cells: Iterator[str] | dict[str, str]) -> str:
    return f"{name:<24} " + " ".join(f"{cell:>6}" for cell in cells)


def _count(scored: list[PairScore]) -> str:
    without = sum(bool(score.not_computed) for score in scored)
    failed = sum(not score.not_computed and not score.compiled.candidate for score in scored)
    done = len(scored) - without
    return f"scored {done} of {len(scored)} ({failed} failed candidates, {without} not computed)"
