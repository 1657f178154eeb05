"""`diagrammar curate`: collections -> one clean corpus."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from diagrammar.corpus.curate import Plan


@click.command("curate")
@click.argument("collected", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, readable=False),
    help="The corpus folder to write.",
)
@click.option(
    "--sample", type=click.IntRange(min=1), help="Take only this many of the collected, evenly by domain."
)
@click.option("--seed", default=0, show_default=True, help="Seed of the sample.")
@click.option("--timeout", "timeout_s", default=60.0, show_default=True, help="Seconds for each TeX engine.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; one per core if not given.")
@click.option("--trust", is_flag=True, help="Compile where there is no isolation, too: your own files only.")
def command(
    collected: tuple[Path, ...], out: Path, sample: int | None, seed: int, timeout_s: float,
    workers: int | None, trust: bool,
) -> None:  # fmt: skip
    """Make one corpus of the collections COLLECTED.

    Every diagram is compiled and sifted: trivial ones, near-duplicates and what is none of the six domains are turned
    away, each with its reason. Started again, it goes on where it was.
    """
    from diagrammar.corpus.curate import Plan

    plan = Plan(collected, out, sample=sample, seed=seed, timeout_s=timeout_s, workers=workers, trust=trust)
    _follow(plan)
    _summary(out)


def _follow(plan: Plan) -> None:
    """A bar for each step, with what it turned away so far."""
    from tqdm import tqdm

    from diagrammar.corpus.curate import curate

    for step, progresses in groupby(curate(plan), key=lambda progress: progress.step):
        with tqdm(unit=" diagrams", desc=step, disable=None) as bar:
            for progress in progresses:
                bar.total = progress.total
                bar.set_postfix(rejected=progress.failed, refresh=False)
                bar.update(progress.done - bar.n)


def _summary(out: Path) -> None:
    from diagrammar.records.corpus import CURATED, Refined, Rejected
    from diagrammar.store import open_stage

    corpus = open_stage(out, Refined, stage=CURATED)
    rejected = open_stage(out / "rejected", Rejected, stage="rejected")
    reasons = Counter(record.reason for record in rejected)
    domains = Counter(str(record.diagram.domain) for record in corpus)
    why = "".join(f", {count:,} {name}" for name, count in reasons.most_common())
    click.echo(
        f"kept {len(corpus):,} of {len(corpus) + len(rejected):,} ("
        + ", ".join(f"{count:,} {name}" for name, count in domains.most_common())
        + f"); {len(rejected):,} rejected{why}",
        err=True,
    )
