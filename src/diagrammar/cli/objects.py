"""`diagrammar objects`: what each file draws, object by object."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import click

from diagrammar.cli.inputs import on_one_line, read_source_file, shown
from diagrammar.errors import BadInput, ToolMissing
from diagrammar.records.diagrams import Compiled, Output, TexFailure


@click.command("objects")
@click.argument("files", nargs=-1, required=True, type=click.Path(readable=False), metavar="FILE...")
@click.option("--timeout", "timeout_s", type=click.FloatRange(1, 3600), default=60, show_default=True,
              help="Seconds for each engine.")  # fmt: skip
@click.option("--reader", type=click.Choice(["pdf", "svg"]), default="pdf", show_default=True,
              help="From our marked PDF, or from SVG as the paper does.")  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(1), default=None, help="Processes; as many as there are cores."
)
@click.option(
    "--trust", is_flag=True, help="Run without isolation where bubblewrap cannot run: for files of your own."
)
@click.option("--json", "as_json", is_flag=True, help="One object per file, one a line, on stdout.")
def command(
    files: tuple[str, ...], timeout_s: float, reader: Output, workers: int | None, trust: bool, as_json: bool
) -> None:
    """List the objects that each FILE draws: kind, text, colours and box."""
    from diagrammar.parallel import WorkerLost, map_items

    work = partial(_read_one, timeout_s=timeout_s, reader=reader, trust=trust)
    inline = len(files) == 1 or workers == 1
    failed = 0
    for path, result in map_items(work, files, workers=workers, engine="inline" if inline else "process"):
        if isinstance(result, WorkerLost):
            hint = "read this file alone"
            result = _entry(
                path, failure={"kind": "worker_lost", "line": None, "message": result.reason, "hint": hint}
            )
        failed += not result["ok"]
        for warning in result.pop("warnings"):
            click.echo(f"warning: {warning}", err=True)
        click.echo(json.dumps(result, ensure_ascii=False) if as_json else _page(result))
    click.echo(f"read {len(files) - failed:,} of {len(files):,} ({failed:,} failed)", err=True)


def _read_one(path: str, *, timeout_s: float, reader: Output, trust: bool) -> dict[str, Any]:
    from diagrammar.scene import read_scene, read_svg_scene, reader_failed
    from diagrammar.tex import compile_tex, compile_to_svg

    try:
        source = read_source_file(path)
    except BadInput as error:
        message = str(error).removeprefix(f"{shown(path)}: ")
        return _entry(path, failure={"kind": "bad_input", "line": None, "message": message, "hint": ""})
    compile_ = compile_to_svg if reader == "svg" else compile_tex
    compiled = compile_(source.text, timeout_s=timeout_s, trust=trust)
    if isinstance(compiled, TexFailure):
        return _entry(path, failure=describe(compiled), warnings=source.warnings)
    try:
        scene = read_scene(compiled) if isinstance(compiled, Compiled) else read_svg_scene(compiled)
    except ToolMissing:
        raise
    except Exception as error:  # noqa: BLE001 - one strange file among many
        return _entry(path, failure=describe(reader_failed(compiled, error)), warnings=source.warnings)
    return _entry(
        path,
        size_pt=list(scene.size_pt),
        objects=[thing.model_dump(mode="json") for thing in scene.objects],
        warnings=(*source.warnings, *compiled.warnings),
    )


def describe(failure: TexFailure) -> dict[str, Any]:
    return {"kind": failure.kind, "line": failure.line, "message": failure.message, "hint": failure.hint}


def _entry(
    path: str, *, size_pt: list[float] | None = None, objects: list[dict[str, Any]] | None = None,
    failure: dict[str, Any] | None = None, warnings: tuple[str, ...] = (),
) -> dict[str, Any]:  # fmt: skip
    return {
        "file": shown(path), "ok": failure is None, "size_pt": size_pt, "objects": objects or [], "failure": failure,
        "warnings": list(warnings),
    }  # fmt: skip


def _page(entry: dict[str, Any]) -> str:
    """The entry for people: a line for the file and one for each object."""
    failure = entry["failure"]
    name = on_one_line(entry["file"])
    if failure is not None:
        place = name if failure["line"] is None else f"{name}:{failure['line']}"
        hint = f" ({failure['hint']})" if failure["hint"] else ""
        return f"{place}: {failure['kind']}: {failure['message']}{hint}"
    width, height = entry["size_pt"]
    head = f"{name}: {len(entry['objects']):,} objects on {width:.1f} x {height:.1f} bp"
    return "\n".join([head, *(f"  {_row(thing)}" for thing in entry["objects"])])


def _row(thing: dict[str, Any]) -> str:
    kind = f"{thing['kind']}:{thing['subtype']}" if thing["subtype"] else thing["kind"]
    box = " ".join(f"{value:.1f}" for value in thing["box_pt"]) if thing["box_pt"] else "no box"
    paint = " ".join(f"{name} {thing[name]}" for name in ("fill", "stroke") if thing[name])
    return f"{thing['id']:<14} {kind:<20} {thing['text']!r:<24} [{box}] {paint}".rstrip()
