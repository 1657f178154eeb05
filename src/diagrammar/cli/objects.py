"""`diagrammar objects`: what each file draws, object by object."""

from __future__ import annotations

import json
from pathlib import Path

import click

from diagrammar.records.diagrams import Compiled, TexFailure
from diagrammar.records.scenes import Scene, SceneObject


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--trust", is_flag=True, help="Compile without isolation where bubblewrap cannot run: your own files only.")
@click.option("--timeout", "timeout_s", default=60.0, show_default=True, help="Seconds for each TeX engine.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per file, one a line, on standard output.")
def command(files: tuple[Path, ...], trust: bool, timeout_s: float, as_json: bool) -> None:
    """List the objects that TeX files draw."""
    from diagrammar.cli.inputs import read_text_file
    from diagrammar.errors import BadInput
    from diagrammar.scene import read_scene
    from diagrammar.tex import compile_tex

    failed = 0
    for file in files:
        scene: Scene | None = None
        failure: dict[str, object] | None = None
        try:
            compiled = compile_tex(read_text_file(file), timeout_s=timeout_s, trust=trust)
        except BadInput as error:
            failure = {"kind": "bad_input", "line": None, "message": str(error), "hint": ""}
        else:
            if isinstance(compiled, Compiled):
                scene = read_scene(compiled)
            else:
                failure = describe(compiled)
        failed += failure is not None
        if as_json:
            click.echo(json.dumps(_line(file, scene, failure), ensure_ascii=False))
        else:
            _print(file, scene, failure)
    click.echo(f"read {len(files) - failed} of {len(files)} files ({failed} failed)", err=True)


def describe(failure: TexFailure) -> dict[str, object]:
    return {"kind": failure.kind, "line": failure.line, "message": failure.message, "hint": failure.hint}


def _line(file: Path, scene: Scene | None, failure: dict[str, object] | None) -> dict[str, object]:
    return {
        "file": str(file),
        "ok": scene is not None,
        "size_pt": list(scene.size_pt) if scene else None,
        "objects": [thing.model_dump(mode="json") for thing in scene.objects] if scene else [],
        "failure": failure,
    }


def _print(file: Path, scene: Scene | None, failure: dict[str, object] | None) -> None:
    if scene is None:
        assert failure is not None
        where = f":{failure['line']}" if failure["line"] else ""
        click.echo(f"{file}{where}: {failure['kind']}: {failure['message']}")
        return
    width, height = scene.size_pt
    click.echo(f"{file}: {len(scene.counted)} objects on {width:.1f} x {height:.1f} bp")
    for thing in scene.objects:
        click.echo("  " + _row(thing))


def _row(thing: SceneObject) -> str:
    box = " ".join(f"{value:.1f}" for value in thing.box_pt) if thing.box_pt else "-"
    paint = " ".join(f"{name} {color}" for name, color in (("fill", thing.fill), ("stroke", thing.stroke)) if color)
    return f"{thing.id:<14} {thing.type_key:<20} {thing.text!r:<24} [{box}] {paint}".rstrip()
