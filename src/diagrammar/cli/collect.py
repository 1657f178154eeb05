"""`diagrammar collect`: diagrams from the installed manuals or from a folder of .tex files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import click

from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram

_OUT = click.option(
    "--out",
    "out",
    required=True,
    type=click.Path(path_type=Path, readable=False),
    help="The stage folder to write.",
)
_LIMIT = click.option("--limit", type=click.IntRange(min=1), help="Draw this many, evenly by domain.")
_SEED = click.option("--seed", default=0, show_default=True, help="Seed of the draw.")
_JSON = click.option(
    "--json", "as_json", is_flag=True, help="One JSON object per diagram or skipped piece, one a line."
)


@click.group()
def command() -> None:
    """Collect diagrams from the installed manuals or from a folder."""


@command.command("manuals")
@_OUT
@_LIMIT
@_SEED
@click.option(
    "--texmf",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A texmf tree to search instead of the installed ones; may be repeated.",
)
@_JSON
def manuals(out: Path, limit: int | None, seed: int, texmf: tuple[Path, ...], as_json: bool) -> None:
    """Collect the examples of the core packages' manuals."""
    from diagrammar.corpus.collect import collect_manual, digest_of, installed_manuals
    from diagrammar.errors import ToolMissing

    found = installed_manuals(roots=texmf or None)
    for manual, sources in found:
        if not sources.files:
            click.echo(f"{manual.package}: no manual source found; run scripts/setup.sh", err=True)
    present = [(manual, sources) for manual, sources in found if sources.files]
    if not present:
        raise ToolMissing("no manual source found; run scripts/setup.sh, or name a texmf tree with --texmf")
    digest = digest_of([file.sha256 for _, sources in present for file in sources.files])
    pieces = (piece for manual, sources in present for piece in collect_manual(manual, sources))
    _store(pieces, out, limit, seed, as_json, source="manuals", digest=digest)


@command.command("folder")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@_OUT
@_LIMIT
@_SEED
@_JSON
def folder(folder: Path, out: Path, limit: int | None, seed: int, as_json: bool) -> None:
    """Collect every picture of every .tex file below FOLDER."""
    from diagrammar.corpus.collect import collect_folder, folder_digest

    _store(collect_folder(folder), out, limit, seed, as_json, source="folder", digest=folder_digest(folder))


def _store(
    pieces: Iterable[Diagram | Skipped],
    out: Path,
    limit: int | None,
    seed: int,
    as_json: bool,
    *,
    source: str,
    digest: str,
) -> None:
    from tqdm import tqdm

    from diagrammar.corpus.collect import stage_of
    from diagrammar.corpus.draw import draw_balanced

    with stage_of(out, source=source, digest=digest, limit=limit, seed=seed) as stage:
        diagrams: list[Diagram] = []
        skipped: list[Skipped] = []
        with tqdm(pieces, unit=" pieces", desc="collect", disable=None) as bar:
            for piece in bar:
                if isinstance(piece, Skipped):
                    skipped.append(piece)
                else:
                    diagrams.append(piece)
                bar.set_postfix(skipped=len(skipped), refresh=False)
        chosen = diagrams if limit is None else draw_balanced(diagrams, limit, seed)
        stage.extend(diagram for diagram in chosen if diagram.id not in stage.done)
        reasons = Counter(piece.reason for piece in skipped)
        listing = stage.put(
            json.dumps([piece.model_dump() for piece in skipped], ensure_ascii=False).encode(), ".json"
        )
        by_domain = Counter(str(diagram.domain) for diagram in chosen)
        stage.close(
            **{f"domain_{name}": count for name, count in sorted(by_domain.items())},
            **{f"skipped_{name}": count for name, count in sorted(reasons.items())},
            skipped=listing,
        )
    if as_json:
        for line in (*map(_diagram_line, chosen), *map(_skipped_line, skipped)):
            click.echo(json.dumps(line, ensure_ascii=False))
    for piece in skipped:
        if piece.reason not in ("listing", "setup"):
            click.echo(f"{piece.where}: {piece.reason}: {piece.message}", err=True)
    why = "".join(f", {count:,} {name}" for name, count in reasons.most_common())
    of = f" of {len(diagrams):,}" if limit is not None else ""
    click.echo(f"collected {len(chosen):,}{of} diagrams ({len(skipped):,} skipped{why})", err=True)


def _skipped_line(piece: Skipped) -> dict[str, object]:
    return {"ok": False, "file": piece.where, "reason": piece.reason, "message": piece.message}


def _diagram_line(diagram: Diagram) -> dict[str, object]:
    return {
        "ok": True,
        "id": diagram.id,
        "domain": diagram.domain,
        "packages": list(diagram.packages),
        "file": diagram.source.url,
        "line": diagram.source.line,
        "licence": diagram.source.licence,
        "sha256": diagram.source.sha256,
    }
