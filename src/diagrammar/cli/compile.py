"""`diagrammar compile`: TeX as people and models write it to PDF and PNG."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from diagrammar.cli.inputs import on_one_line, output_stems, read_source_file, shown
from diagrammar.errors import BadInput
from diagrammar.records.diagrams import ENGINES, Compiled, Engine


@dataclass(frozen=True)
class Order:
    """What to do with one file, and where its results go."""

    path: str
    stem: str


@click.command("compile")
@click.argument("files", nargs=-1, required=True, type=click.Path(readable=False), metavar="FILE...")
@click.option("--out", required=True, type=click.Path(file_okay=False), help="Folder for the PDFs and PNGs.")
@click.option(
    "--engine", type=click.Choice(["auto", *ENGINES]), default="auto", show_default=True,
    help="auto: pdflatex, then lualatex, then xelatex, where the next one can help.",
)  # fmt: skip
@click.option("--dpi", type=click.IntRange(10, 1200), default=300, show_default=True, help="Of the PNG.")
@click.option("--timeout", "timeout_s", type=click.FloatRange(1, 3600), default=60, show_default=True,
              help="Seconds for each engine.")  # fmt: skip
@click.option(
    "--workers", type=click.IntRange(1), default=None, help="Processes; as many as there are cores."
)
@click.option(
    "--trust", is_flag=True, help="Run without isolation where bubblewrap cannot run: for files of your own."
)
@click.option("--json", "as_json", is_flag=True, help="One object per file, one a line, on stdout.")
def command(
    files: tuple[str, ...], out: str, engine: str, dpi: int, timeout_s: float, workers: int | None, trust: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Compile TeX FILEs to OUT/<name>.pdf and OUT/<name>.png.

    A file may hold a document, a bare picture, or a reply with either in it. A failure is one line; TeX's
    log is then in OUT/<name>.log.
    """
    from diagrammar.parallel import WorkerLost, map_in_order

    folder = _folder(out)
    engines: tuple[Engine, ...] = ENGINES if engine == "auto" else (engine,)  # type: ignore[assignment]
    orders = [Order(path, stem) for path, stem in zip(files, output_stems(list(files)), strict=True)]
    work = partial(
        _compile_one, folder=str(folder), engines=engines, dpi=dpi, timeout_s=timeout_s, trust=trust
    )
    counts = {"ok": 0, "failed": 0}
    inline = len(orders) == 1 or workers == 1
    for order, result in map_in_order(
        work, orders, workers=workers, engine="inline" if inline else "process"
    ):
        if isinstance(result, WorkerLost):
            result = _entry(
                order.path, failure=_failure("worker_lost", result.reason, "compile this file alone")
            )
        counts["ok" if result["ok"] else "failed"] += 1
        for warning in result["warnings"]:
            click.echo(f"warning: {warning}", err=True)
        click.echo(json.dumps(result, ensure_ascii=False) if as_json else _line(result))
    click.echo(f"compiled {counts['ok']:,} of {len(orders):,} ({counts['failed']:,} failed)", err=True)


def _folder(out: str) -> Path:
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{shown(out)}: no folder can be made here: {error.strerror or error}") from None
    if not os.access(folder, os.W_OK):
        raise BadInput(f"{shown(out)}: no permission to write here")
    return folder


def _compile_one(
    order: Order, *, folder: str, engines: tuple[Engine, ...], dpi: int, timeout_s: float, trust: bool
) -> dict[str, Any]:
    """The entry of one file; its results are written."""
    from diagrammar.scene.picture import draw_picture
    from diagrammar.store import write_atomically
    from diagrammar.tex import compile_tex

    place = Path(folder)
    pdf, png, log = (place / f"{order.stem}{suffix}" for suffix in (".pdf", ".png", ".log"))
    for old in (pdf, png, log):  # of an earlier run
        old.unlink(missing_ok=True)
    try:
        source = read_source_file(order.path)
    except BadInput as error:
        message = str(error).removeprefix(f"{shown(order.path)}: ")
        return _entry(order.path, failure=_failure("bad_input", message, ""))
    result = compile_tex(source.text, engines=engines, timeout_s=timeout_s, trust=trust, marks=False)
    warnings = source.warnings
    if not isinstance(result, Compiled):
        if result.log:
            log.write_text(result.log, encoding="utf-8", errors="replace")
        failure = _failure(result.kind, result.message, result.hint, result.line)
        return _entry(order.path, engine=result.engine, seconds=result.seconds, repairs=result.repairs,
                      warnings=warnings, failure=failure, log=str(log) if result.log else None)  # fmt: skip
    write_atomically(pdf, result.pdf)
    write_atomically(png, draw_picture(result, dpi=dpi).png)
    return _entry(order.path, engine=result.engine, seconds=result.seconds, repairs=result.repairs,
                  warnings=(*warnings, *result.warnings), pdf=str(pdf), png=str(png))  # fmt: skip


def _entry(
    path: str, *, engine: str | None = None, seconds: float = 0.0, repairs: tuple[str, ...] = (),
    warnings: tuple[str, ...] = (), pdf: str | None = None, png: str | None = None, log: str | None = None,
    failure: dict[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "file": shown(path), "ok": failure is None, "engine": engine,
        "pdf": None if pdf is None else shown(pdf), "png": None if png is None else shown(png),
        "seconds": round(seconds, 3), "repairs": list(repairs), "warnings": list(warnings),
        "log": None if log is None else shown(log), "failure": failure,
    }  # fmt: skip


def _failure(kind: str, message: str, hint: str, line: int | None = None) -> dict[str, Any]:
    return {"kind": kind, "line": line, "message": message, "hint": hint}


def _line(entry: dict[str, Any]) -> str:
    """The entry on one line for people."""
    failure = entry["failure"]
    if failure is None:
        repaired = f", repaired: {'; '.join(entry['repairs'])}" if entry["repairs"] else ""
        how = f"{entry['engine']}, {entry['seconds']:.1f} s{repaired}"
        written = on_one_line(f"{entry['file']}: {entry['pdf']}, {entry['png']}")
        return f"{written} ({how})"
    name = on_one_line(entry["file"])
    place = name if failure["line"] is None else f"{name}:{failure['line']}"
    hint = f" ({failure['hint']})" if failure["hint"] else ""
    return f"{place}: {failure['kind']}: {failure['message']}{hint}"
