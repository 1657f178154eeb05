"""`diagrammar collect SOURCE`: diagrams from manuals, folders, dumps, archives and tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click

from diagrammar.catalog import load_all
from diagrammar.corpus.reading.source import Option, SourceKind
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram

# People read these; all are in the folder `read`.
_SHOWN_SKIPPED = 200
_QUIET = ("listing", "setup")
_COMMON = (
    click.Option(["--out"], required=True, type=click.Path(path_type=Path, readable=False),
                 help="The stage folder to write."),
    click.Option(["--limit"], type=click.IntRange(min=1), help="Draw this many, evenly by domain."),
    click.Option(["--seed"], default=0, show_default=True, help="Seed of the draw."),
    click.Option(["--json", "as_json"], is_flag=True,
                 help="One JSON object per diagram or skipped piece, one a line."),
)  # fmt: skip


@click.group()
def command() -> None:
    """Collect diagrams from the installed manuals, a folder, a dump, archives or a table.

    Started again, it goes on where it was.
    """


def _source_command(kind: SourceKind) -> click.Command:
    """The command of one kind of source: its argument, its own options, and those that all have."""
    argument: list[click.Parameter] = []
    if kind.takes == "folder":
        argument = [click.Argument(["folder"], type=click.Path(path_type=Path, exists=True, file_okay=False))]
    elif kind.takes == "path":
        argument = [click.Argument(["path"], type=click.Path(path_type=Path, exists=True))]
    own = [_option(option) for option in kind.options]
    return click.Command(
        kind.name, params=[*argument, *own, *_COMMON], callback=_collecting(kind), help=kind.summary
    )


def _option(option: Option) -> click.Option:
    flag = f"--{option.name.replace('_', '-')}"
    name = [flag, option.name]
    folder = click.Path(path_type=Path, exists=True, file_okay=False)
    if option.kind == "flag":
        return click.Option(name, is_flag=True, help=option.help)
    if option.kind == "folders":
        return click.Option(name, multiple=True, type=folder, help=option.help)
    types: dict[str, click.ParamType[object]] = {
        "number": click.INT, "file": click.Path(path_type=Path, exists=True, dir_okay=False)
    }  # fmt: skip
    return click.Option(
        name, type=types.get(option.kind, click.STRING), default=option.default, help=option.help,
        show_default=option.default is not None,
    )  # fmt: skip


def _collecting(kind: SourceKind) -> Callable[..., None]:
    def run(
        out: Path,
        limit: int | None,
        seed: int,
        as_json: bool,
        folder: Path | None = None,
        path: Path | None = None,
        **options: object,
    ) -> None:
        from tqdm import tqdm

        from diagrammar.corpus.collect import close, collect, open_collection

        where = folder or path
        opened = kind.open(*([where] if where else []), **options)
        for line in opened.missing:
            click.echo(line, err=True)
        # What the digest covers already, such as the files that are read, need not be told.
        told: dict[str, str | int | float] = {
            name: value for name, value in options.items() if isinstance(value, str | int) and value != ""
        }
        collection = open_collection(out, opened, source=kind.name, options=told, limit=limit, seed=seed)
        with collection.stage, collection.found, collection.read:
            found = len(collection.found)
            skipped = 0
            scale = opened.measure == "B"
            with tqdm(
                total=opened.size, unit="B" if scale else f" {opened.measure}", unit_scale=scale, desc="collect",
                disable=None,
            ) as bar:  # fmt: skip
                for part, read in collect(opened, collection):
                    found += read.diagrams
                    skipped += len(read.skipped)
                    bar.set_postfix(diagrams=found, skipped=skipped, refresh=False)
                    bar.update(part.position - bar.n)
            result = close(collection)
            shown = 0
            for piece in collection:
                if as_json:
                    known = _skipped_line(piece) if isinstance(piece, Skipped) else _diagram_line(piece)
                    click.echo(json.dumps(known, ensure_ascii=False))
                if isinstance(piece, Skipped) and piece.reason not in _QUIET:
                    shown += 1
                    if shown <= _SHOWN_SKIPPED:
                        click.echo(f"{piece.where}: {piece.reason}: {piece.message}", err=True)
        if shown > _SHOWN_SKIPPED:
            click.echo(f"... and {shown - _SHOWN_SKIPPED:,} more, all in {out / 'read'}", err=True)
        why = "".join(f", {count:,} {name}" for name, count in result.skipped.most_common())
        of = f" of {result.found:,}" if limit is not None else ""
        total = result.skipped.total()
        click.echo(f"collected {result.diagrams:,}{of} diagrams ({total:,} skipped{why})", err=True)

    return run


def _skipped_line(piece: Skipped) -> dict[str, object]:
    return {"ok": False, "file": piece.where, "reason": piece.reason, "message": piece.message}


def _diagram_line(diagram: Diagram) -> dict[str, object]:
    source = diagram.source
    told = {"author": source.author, "title": source.title, "note": source.note}
    return {
        "ok": True,
        "id": diagram.id,
        "domain": diagram.domain,
        "packages": list(diagram.packages),
        "file": source.url,
        **({"inside": source.file} if source.file else {}),
        "line": source.line,
        "licence": source.licence,
        **{name: value for name, value in told.items() if value},
        "sha256": source.sha256,
    }


for _kind in load_all("diagrammar.corpus.sources", SourceKind).values():
    command.add_command(_source_command(_kind))
folder, manuals = command.commands["folder"], command.commands["manuals"]  # `build` invokes these
