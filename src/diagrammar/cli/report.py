"""`diagrammar report`: runs are scored where they are not, and shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from diagrammar.bench.report.write import Report


@click.command("report")
@click.argument(
    "runs",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, readable=False, file_okay=False),
    metavar="RUN...",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, readable=False),
    help="The folder for index.html, table.md, report.json.",
)
@click.option("--title", default="Diagrams, redrawn", show_default=True, help="The report's headline.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; one per core if not given.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object per model, one a line, on stdout.")
def command(runs: tuple[Path, ...], out: Path, title: str, workers: int | None, as_json: bool) -> None:
    """Score the answers in each RUN and show them beside the originals.

    What is scored already is not scored again. Prints the table and the path of the page.
    """
    report = make_report(runs, out, title=title, workers=workers)
    (print_json if as_json else print_report)(report)


def make_report(runs: tuple[Path, ...], out: Path, *, title: str, workers: int | None) -> Report:
    """Scores with a progress bar, then writes the report."""
    from tqdm import tqdm

    from diagrammar.bench.evaluate import draw_missing, missing_texts, open_runs, score_missing
    from diagrammar.bench.report.write import write_report
    from diagrammar.bench.sets import look_at_missing, missing_features

    out.mkdir(parents=True, exist_ok=True)  # refused now rather than after the scoring
    opened = open_runs(runs)
    programs, failed = missing_texts(opened), 0
    with tqdm(total=programs, unit=" programs", desc="compile", disable=None) as bar:

        def drawn(record: object) -> None:
            nonlocal failed
            failed += getattr(record, "failure", None) is not None
            bar.set_postfix(failed=failed, refresh=False)
            bar.update()

        draw_missing(opened, workers=workers, seen=drawn)
    waiting = sum(len(run.outputs) - len(run.scores) for run in opened)
    with tqdm(total=waiting, unit=" answers", desc="score", disable=None) as bar:

        def scored(_: object) -> None:
            bar.update()

        score_missing(opened, workers=workers, seen=scored)
    if unseen := missing_features(opened):
        with tqdm(total=unseen, unit=" pictures", desc="look", disable=None) as bar:

            def looked(_: object) -> None:
                bar.update()

            look_at_missing(opened, workers=workers, seen=looked)
    total = sum(len(run.scores) for run in opened)
    made = f"compiled {programs:,} distinct program{'' if programs == 1 else 's'}, {failed:,} failed"
    click.echo(f"scored {waiting:,} of {total:,} answers ({made})", err=True)
    return write_report(opened, out, title=title)


def print_report(report: Report) -> None:
    """The tables and where the page is, on stdout."""
    from diagrammar.bench.report.tables import as_text, overall, per_domain, remarks

    click.echo(as_text(overall(report.models)))
    click.echo()
    click.echo(as_text(per_domain(report.models)))
    click.echo()
    for remark in remarks(report.models):
        click.echo(remark)
    click.echo(f"report: {report.page}")


def print_json(report: Report) -> None:
    """A JSON object per model on stdout; the answers one by one are in report.json beside the page."""
    from diagrammar.bench.report.facts import model_facts

    for model in model_facts(report.models, report.comparisons, report.attempts):
        click.echo(json.dumps({**model, "page": str(report.page)}, ensure_ascii=False))
