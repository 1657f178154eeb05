"""The rows of a JSONL, CSV or parquet file, in batches: never the whole file at once."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diagrammar.errors import BadInput, ToolMissing

BATCH_ROWS = 256
LARGEST_ROW_BYTES = 8 << 20
_JSON = (".jsonl", ".ndjson", ".json")


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be read, and why."""

    message: str


@dataclass(frozen=True)
class Batch:
    """Consecutive rows. `first` is the 1-based number of the first one, `position` how far into the file they reach."""

    first: int
    rows: tuple[dict[str, Any] | BadRow, ...]
    position: int


def columns_of(path: Path) -> list[str]:
    """The names of the file's columns, of JSON lines those of the first object. Raises BadInput, ToolMissing."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return list(_parquet(path).schema_arrow.names)
    if suffix in _JSON:
        batch = next(_json_batches(path), None)
        first = next((row for row in batch.rows if isinstance(row, dict)), None) if batch else None
        return list(first or {})
    if suffix in (".csv", ".tsv"):
        with path.open("rb") as file:
            line = file.readline(LARGEST_ROW_BYTES).decode("utf-8-sig", "replace")
        return next(csv.reader([line], delimiter=_delimiter(path)), [])
    raise BadInput(f"{path}: not a table this reads; give a .jsonl, .csv, .tsv or .parquet file")


def batches_of(path: Path, columns: Sequence[str]) -> Iterator[Batch]:
    """The rows in order, with at least these columns, those of a batch in memory at once."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _parquet_batches(path, columns)
    return _json_batches(path) if suffix in _JSON else _csv_batches(path)


def _lines(path: Path) -> Iterator[tuple[bytes, int]]:
    """The lines with the position behind each; of one that is too long, its beginning."""
    with path.open("rb") as file:
        while line := file.readline(LARGEST_ROW_BYTES):
            if not line.endswith(b"\n") and len(line) == LARGEST_ROW_BYTES:
                while (rest := file.readline(LARGEST_ROW_BYTES)) and not rest.endswith(b"\n"):
                    pass
            yield line, file.tell()


def _json_batches(path: Path) -> Iterator[Batch]:
    rows: list[dict[str, Any] | BadRow] = []
    first, position = 1, 0
    for number, (line, position) in enumerate(_lines(path), start=1):
        rows.append(_json_row(line))
        if len(rows) == BATCH_ROWS:
            yield Batch(first, tuple(rows), position)
            rows, first = [], number + 1
    if rows:
        yield Batch(first, tuple(rows), position)


def _json_row(line: bytes) -> dict[str, Any] | BadRow:
    if len(line) >= LARGEST_ROW_BYTES:
        return BadRow(f"a line of more than {LARGEST_ROW_BYTES >> 20} MB")
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return BadRow(f"no JSON: {str(error)[:100]}")
    return row if isinstance(row, dict) else BadRow("no JSON object; a row is an object on a line of its own")


def _csv_batches(path: Path) -> Iterator[Batch]:
    csv.field_size_limit(LARGEST_ROW_BYTES)
    with path.open("rb") as binary:
        text = io.TextIOWrapper(binary, "utf-8-sig", errors="replace", newline="")
        reader = csv.reader(text, delimiter=_delimiter(path))
        names = next(reader, [])
        rows: list[dict[str, Any] | BadRow] = []
        first = number = 1
        while True:
            try:
                row = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                rows.append(BadRow(str(error)))
            else:
                rows.append(
                    dict(zip(names, row, strict=True)) if len(row) == len(names)
                    else BadRow(f"{len(row)} fields, the head has {len(names)}")
                )  # fmt: skip
            number += 1
            if len(rows) == BATCH_ROWS:
                yield Batch(first, tuple(rows), binary.tell())
                rows, first = [], number
        if rows:
            yield Batch(first, tuple(rows), binary.tell())


def _parquet_batches(path: Path, columns: Sequence[str]) -> Iterator[Batch]:
    first = 1
    for batch in _parquet(path).iter_batches(batch_size=BATCH_ROWS, columns=list(columns)):
        rows = tuple(batch.to_pylist())
        yield Batch(first, rows, first + len(rows) - 1)
        first += len(rows)


def row_count(path: Path) -> int | None:
    """How many rows a parquet file has; None for the others, which have to be read for it."""
    return int(_parquet(path).metadata.num_rows) if path.suffix.lower() == ".parquet" else None


def _parquet(path: Path) -> Any:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as error:
        raise ToolMissing("parquet files need pyarrow; run: pip install 'diagrammar[datasets]'") from error
    try:
        return parquet.ParquetFile(path, pre_buffer=False)
    except (ArrowException, OSError) as error:
        raise BadInput(f"{path}: not a whole parquet file ({str(error).splitlines()[0][:100]})") from error


def _delimiter(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","
