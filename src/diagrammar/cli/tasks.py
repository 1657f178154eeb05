"""`diagrammar tasks`: benchmark tasks of refined diagrams."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("tasks")
@click.argument("refined", type=click.Path(path_type=Path, readable=False, file_okay=False))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, readable=False),
    help="The benchmark folder to write.",
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object per task, one a line, on stdout.")
def command(refined: Path, out: Path, as_json: bool) -> None:
    """Make benchmark tasks of the diagrams in REFINED."""
    from diagrammar.bench.make import make_tasks, open_tasks

    made = 0
    for task in make_tasks(refined, out):
        made += 1
        if as_json:
            click.echo(json.dumps({"id": task.id, "kind": task.kind, "domain": task.domain}))
    total = len(open_tasks(out))
    before = f"; {total - made:,} were there before" if total > made else ""
    click.echo(f"made {made:,} tasks{before}", err=True)
