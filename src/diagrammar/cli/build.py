"""`diagrammar build`: collect, refine and make tasks in one go."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("build")
@click.option("--out", required=True, type=click.Path(path_type=Path, readable=False),
              help="The benchmark folder: collected/, refined/ and tasks/ are kept in it.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), help="Stop at this many diagrams, evenly by domain.")
@click.option("--seed", default=0, show_default=True, help="Seed of the order in which diagrams are tried.")
@click.option("--folder", type=click.Path(path_type=Path, exists=True, file_okay=False),
              help="Collect from this folder of .tex files instead of the installed manuals.")  # fmt: skip
@click.option("--workers", type=click.IntRange(min=1), help="Processes; one per core if not given.")
@click.option("--trust", is_flag=True, help="Compile where there is no isolation, too: your own files only.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object per task, one a line, on stdout.")
@click.pass_context
def command(
    ctx: click.Context, out: Path, limit: int | None, seed: int, folder: Path | None, workers: int | None,
    trust: bool, as_json: bool,
) -> None:  # fmt: skip
    """Collect, refine and make tasks in one go. Started again, it goes on where it was."""
    from diagrammar.cli import collect, refine, tasks

    collected, refined = out / "collected", out / "refined"
    if folder is not None:
        ctx.invoke(collect.folder, folder=folder, out=collected, limit=None, seed=seed, as_json=False)
    elif not _complete(collected):  # reading all manuals takes a while, and they do not change
        ctx.invoke(collect.manuals, out=collected, limit=None, seed=seed, texmf=(), as_json=False)
    ctx.invoke(
        refine.command, collected=collected, out=refined, limit=limit, seed=seed, timeout_s=60.0,
        workers=workers, trust=trust, as_json=False,
    )  # fmt: skip
    ctx.invoke(tasks.command, refined=refined, out=out / "tasks", as_json=as_json)


def _complete(folder: Path) -> bool:
    from diagrammar.store import read_manifest

    return (folder / "manifest.json").exists() and read_manifest(folder).complete
