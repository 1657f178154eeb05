"""`diagrammar refine`: keep the collected diagrams that compile and draw something."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from diagrammar.records.corpus import Refined, Rejected


@click.command()
@click.argument("collected", type=click.Path(path_type=Path, readable=False))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, readable=False), help="The stage folder to write."
)
@click.option("--limit", type=click.IntRange(min=1), help="Stop at this many kept, evenly by domain.")
@click.option("--seed", default=0, show_default=True, help="Seed of the order in which diagrams are tried.")
@click.option("--timeout", "timeout_s", default=60.0, show_default=True, help="Seconds for each TeX engine.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="Processes; as many as there are cores by default."
)
@click.option(
    "--trust",
    is_flag=True,
    help="Compile without isolation where bubblewrap cannot run: your own files only.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object per diagram, one a line, on standard output."
)
def command(
    collected: Path,
    out: Path,
    limit: int | None,
    seed: int,
    timeout_s: float,
    workers: int | None,
    trust: bool,
    as_json: bool,
) -> None:
    """Compile the diagrams in COLLECTED and keep those that draw something."""
    from tqdm import tqdm

    from diagrammar.corpus.refine import refine, stages_of
    from diagrammar.records.diagrams import Diagram
    from diagrammar.store import open_stage

    diagrams = list(open_stage(collected, Diagram, stage="collect"))
    kept, turned_away = stages_of(out, collected, limit=limit, seed=seed, timeout_s=timeout_s)
    reasons: Counter[str] = Counter()
    with kept, turned_away:
        before = len(kept) + len(turned_away)
        total = len(diagrams) - before if limit is None else max(0, limit - len(kept))
        with tqdm(total=total, unit=" diagrams", desc="refine", disable=None) as bar:
            for record in refine(
                diagrams,
                kept,
                turned_away,
                limit=limit,
                seed=seed,
                timeout_s=timeout_s,
                workers=workers,
                trust=trust,
            ):
                if isinstance(record, Rejected):
                    reasons[record.reason] += 1
                if limit is None or isinstance(record, Refined):
                    bar.update()
                bar.set_postfix(failed=reasons.total(), refresh=False)
                if as_json:
                    click.echo(json.dumps(_line(record, out), ensure_ascii=False))
        by_reason = Counter(record.reason for record in turned_away)
        by_domain = Counter(str(record.diagram.domain) for record in kept)
        turned_away.close(**{f"reason_{name}": count for name, count in sorted(by_reason.items())})
        kept.close(
            rejected=len(turned_away),
            **{f"domain_{name}": count for name, count in sorted(by_domain.items())},
        )
    why = "".join(f", {count:,} {name}" for name, count in by_reason.most_common())
    resumed = f"; {before:,} were done before" if before else ""
    tried = len(kept) + len(turned_away)
    rejected = f"{len(turned_away):,} rejected{why}{resumed}"
    click.echo(f"refined {len(kept):,} of {tried:,} tried ({rejected})", err=True)


def _line(record: Refined | Rejected, out: Path) -> dict[str, object]:
    line: dict[str, object] = {
        "id": record.id,
        "ok": isinstance(record, Refined),
        "domain": record.diagram.domain,
    }
    if isinstance(record, Refined):
        artefacts = out / "artefacts"
        line |= {"png": str(artefacts / record.picture), "scene": str(artefacts / record.scene)}
        return line | {
            "objects": record.objects,
            "engine": record.engine,
            "seconds": record.seconds,
            "failure": None,
        }
    failure = {"kind": record.reason, "line": record.line, "message": record.message, "hint": record.hint}
    return line | {"engine": record.engine, "seconds": record.seconds, "failure": failure}
