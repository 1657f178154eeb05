"""A table with a column of code: JSON lines, CSV or parquet, as data sets of TikZ are published."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from diagrammar.corpus.domain import domain_of, packages_of
from diagrammar.corpus.pictures import FoundPicture, documents_of
from diagrammar.corpus.reading.project import id_of
from diagrammar.corpus.reading.rows import BadRow, Batch, batches_of, columns_of, row_count
from diagrammar.corpus.reading.source import Opened, Option, Part, Piece, SourceKind
from diagrammar.errors import BadInput
from diagrammar.records.corpus import Skipped, SkipReason
from diagrammar.records.diagrams import Diagram, Source

MAX_CODE_CHARACTERS = 2_000_000
# What a column is called where nobody says it: the first that is there.
_GUESSES = {
    "code": ("code", "tikz", "tex", "text"),
    "id": ("id", "uid", "key", "name"),
    "licence": ("license", "licence"),
    "url": ("url", "uri", "source_url", "link"),
    "author": ("author", "authors"),
    "title": ("title", "caption"),
}


def open_table(path: Path, *, licence: str | None = None, **columns: str | None) -> Opened:
    """The table's rows. Raises BadInput where a column that was named, or one of code, is not there.

    `column` is that of the code; `id_column`, `licence_column`, `url_column` and `author_column` are the others.
    """
    if not path.is_file():
        raise BadInput(f"{path}: not a file")
    present = columns_of(path)
    named = {"code": columns.get("column")} | {
        name: columns.get(f"{name}_column") for name in ("id", "licence", "url", "author", "title")
    }
    chosen = {name: _chosen(path, name, asked, present) for name, asked in named.items()}
    column_by_name = {name: column for name, column in chosen.items() if column}
    if "code" not in column_by_name:
        raise BadInput(f"{path}: no column of code; name it with --column. There are: {', '.join(present)}")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()

    def parts() -> Iterator[Part]:
        for batch in batches_of(path, list(dict.fromkeys(column_by_name.values()))):
            read = partial(_read, path, digest, batch, column_by_name, licence)
            yield Part(f"rows {batch.first}-{batch.first + len(batch.rows) - 1}", read, batch.position)

    rows = row_count(path)
    return Opened(
        digest[:16], parts, path.stat().st_size if rows is None else rows, "B" if rows is None else "rows"
    )


def _chosen(path: Path, name: str, asked: str | None, present: list[str]) -> str | None:
    if asked:
        if asked in present:
            return asked
        close = difflib.get_close_matches(asked, present, n=1)
        meant = f"; did you mean {close[0]}?" if close else "."
        raise BadInput(f"{path}: no column {asked!r}{meant} There are: {', '.join(present)}")
    lowered = {column.lower(): column for column in reversed(present)}
    return next((lowered[guess] for guess in _GUESSES[name] if guess in lowered), None)


def _read(
    path: Path, digest: str, batch: Batch, columns: Mapping[str, str], licence: str | None
) -> Iterator[Piece]:
    for number, row in enumerate(batch.rows, start=batch.first):
        where = f"{path.name}, row {number}"
        if isinstance(row, BadRow):
            yield Skipped(where=where, reason="malformed_row", message=row.message)
            continue
        code = row.get(columns["code"])
        why = _unusable(code)
        if why or not isinstance(code, str):
            yield Skipped(
                where=where, reason=why[0] if why else "malformed_row", message=why[1] if why else ""
            )
            continue
        found = _pictures(code)
        if not found:
            yield Skipped(where=where, reason="no_picture", message="nothing in it draws")
        told = {name: _text(row.get(column)) for name, column in columns.items()}
        stem = id_of(told["id"])[:80] if told.get("id") else id_of(path.stem)
        for place, picture in enumerate(found, start=1):
            yield Diagram(
                id=f"{stem}.{number}" + (f".{place}" if len(found) > 1 else ""),
                code=picture.document,
                packages=packages_of(picture.document),
                domain=domain_of(picture.document),
                source=Source(
                    url=told.get("url") or path.name,
                    file=f"row {number}",
                    licence=licence or told.get("licence") or "unknown",
                    author=told.get("author", ""),
                    title=told.get("title", "")[:300],
                    sha256=digest,
                    line=picture.line,
                ),
                preamble=picture.document.partition(r"\begin{document}")[0],
            )


def _unusable(code: object) -> tuple[SkipReason, str] | None:
    if not isinstance(code, str):
        return "malformed_row", f"the code is {'missing' if code is None else 'no text'}"
    if not code.strip():
        return "empty", "the code is empty"
    if len(code) > MAX_CODE_CHARACTERS:
        return "too_large", f"{len(code):,} characters; a diagram may have {MAX_CODE_CHARACTERS:,}"
    if "\0" in code:
        return "binary", "no text"
    return None


def _pictures(code: str) -> list[FoundPicture]:
    # A lone surrogate, which JSON allows, is no text that a file could hold.
    code = code.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    return documents_of(code)


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text.encode("utf-8", "replace").decode()


def example(folder: Path) -> Opened:
    """Two JSON lines: a picture, and a row without code."""
    code = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}"
    rows = [{"id": "line", "tikz": code, "license": "CC0-1.0"}, {"id": "nothing", "tikz": ""}]
    (folder / "pictures.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return open_table(folder / "pictures.jsonl")


TABLE = SourceKind(
    name="table",
    summary="Collect the code of a table: PATH is a .jsonl, .csv, .tsv or .parquet file.",
    takes="path",
    open=open_table,
    example=example,
    options=(
        Option("column", "The column of code; if not given, code, tikz, tex or text."),
        Option("id_column", "The column of names; if not given, id, uid, key or name."),
        Option("licence_column", "The column of licences; if not given, license or licence."),
        Option("url_column", "The column of addresses; if not given, url, uri, source_url or link."),
        Option("author_column", "The column of authors; if not given, author or authors."),
        Option("licence", "The licence of all rows."),
    ),
)
