"""`diagrammar demo`: the whole road on a small benchmark, in a few minutes."""

from __future__ import annotations

from pathlib import Path

import click

# What they score is known beforehand: everything, most, next to nothing, nothing.
MODELS = ("reference/oracle", "reference/noisy-0.2", "reference/blank-page", "reference/blank")


@click.command("demo")
@click.option("--out", default=Path("out/demo"), show_default=True, type=click.Path(path_type=Path, readable=False),
              help="The folder for the benchmark, the runs and the report.")  # fmt: skip
@click.option(
    "--limit", default=72, show_default=True, type=click.IntRange(min=1), help="Diagrams, evenly by domain."
)
@click.option("--seed", default=0, show_default=True, help="Seed of the draw from the manuals.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; one per core if not given.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object per model, one a line, on stdout.")
@click.pass_context
def command(ctx: click.Context, out: Path, limit: int, seed: int, workers: int | None, as_json: bool) -> None:
    """Build a small benchmark of real diagrams, run reference models on it, score them, write the report.

    Started again, it goes on where it was.
    """
    from diagrammar.cli import build, run
    from diagrammar.cli.report import make_report, print_json, print_report

    bench = out / "bench"
    ctx.invoke(build.command, out=bench, limit=limit, seed=seed, workers=workers)
    runs = tuple(out / "runs" / model.replace("/", "-") for model in MODELS)
    for model, folder in zip(MODELS, runs, strict=True):
        ctx.invoke(run.command, bench=bench, model=model, out=folder)
    report = make_report(runs, out / "report", title="Diagrams, redrawn", workers=workers)
    (print_json if as_json else print_report)(report)
