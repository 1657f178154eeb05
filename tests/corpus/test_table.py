"""Tables with a column of code, good and bad ones. Two seconds."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from diagrammar.corpus.sources.table import open_table
from diagrammar.errors import BadInput
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram

PICTURE = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}"
TWO = f"\\documentclass{{article}}\n\\usepackage{{tikz}}\n\\begin{{document}}\n{PICTURE}\n{PICTURE}\n\\end{{document}}"
ROWS = [
    {"uid": "a b", "code": PICTURE, "License": "CC0-1.0", "url": "https://example.org/1", "title": "One"},
    {"uid": "a b", "code": "\\section{No}", "License": "", "url": "", "title": ""},
    {"uid": "", "code": TWO, "License": "", "url": "", "title": ""},
]  # fmt: skip


def write(folder: Path, kind: str) -> Path:
    path = folder / f"pictures.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    elif kind == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(ROWS[0]), delimiter="\t" if kind == "tsv" else ",")
            writer.writeheader()
            writer.writerows(ROWS)
    return path


def read(path: Path, **options: str) -> tuple[list[Diagram], list[Skipped]]:
    pieces = [piece for part in open_table(path, **options).parts() for piece in part.read()]
    return [p for p in pieces if isinstance(p, Diagram)], [p for p in pieces if isinstance(p, Skipped)]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv", "parquet"])
def test_every_kind_of_table_gives_the_same_diagrams(tmp_path: Path, kind: str) -> None:
    diagrams, skipped = read(write(tmp_path, kind))
    assert [d.id for d in diagrams] == ["a-b-c8687a08.1", "pictures.3.1", "pictures.3.2"]
    assert PICTURE in diagrams[0].code and diagrams[0].packages == ("tikz",)
    sources = [(d.source.licence, d.source.url, d.source.title, d.source.file) for d in diagrams]
    assert sources[0] == ("CC0-1.0", "https://example.org/1", "One", "row 1")
    assert sources[1] == ("unknown", path_name(kind), "", "row 3")
    assert [(piece.where, piece.reason) for piece in skipped] == [(f"{path_name(kind)}, row 2", "no_picture")]


def path_name(kind: str) -> str:
    return f"pictures.{kind}"


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_a_column_that_is_not_there_is_refused_with_those_there_are(tmp_path: Path, kind: str) -> None:
    with pytest.raises(
        BadInput, match="no column 'cod'; did you mean code\\? There are: uid, code, License, url, title"
    ):
        open_table(write(tmp_path, kind), column="cod")


def test_a_table_without_a_column_of_code_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"image": [b"x"], "caption": ["y"]}), tmp_path / "x.parquet")
    with pytest.raises(
        BadInput, match=r"no column of code; name it with --column[.] There are: image, caption"
    ):
        open_table(tmp_path / "x.parquet")


def test_columns_and_a_licence_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(
        json.dumps({"code": "no", "drawing": PICTURE, "who": "Ann", "where": "here"}) + "\n"
    )
    options = {"column": "drawing", "author_column": "who", "url_column": "where", "licence": "MIT"}
    (diagram,), _ = read(tmp_path / "x.jsonl", **options)
    assert (diagram.source.author, diagram.source.url, diagram.source.licence) == ("Ann", "here", "MIT")


def test_bad_rows_are_counted_and_the_others_read(tmp_path: Path) -> None:
    good = json.dumps({"code": PICTURE})
    (tmp_path / "x.jsonl").write_bytes(
        b"\n".join(
            [good.encode(), b"{", b"[1]", b'{"code": 7}', b'{"code": null}', b'{"other": 1}', b'{"code": " "}',
             b"\xff\xfe",
             b'{"code": "\\u0000"}', json.dumps({"code": "x" * 3_000_000}).encode(),
             b'{"code": "' + b"y" * 50_000_000 + b'"}',
             b"[" * 100_000, good.replace("draw", "\\ud800 draw").encode(), good.encode()]
        )
    )  # fmt: skip
    diagrams, skipped = read(tmp_path / "x.jsonl")
    assert [d.id for d in diagrams] == ["x.1", "x.13", "x.14"]
    assert [piece.reason for piece in skipped] == [
        "malformed_row", "malformed_row", "malformed_row", "malformed_row", "malformed_row", "empty", "malformed_row",
        "binary", "too_large", "malformed_row", "malformed_row",
    ]  # fmt: skip


def test_csv_rows_of_another_length_and_code_over_many_lines(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f'id,code\n1,"{PICTURE}"\n2\n3,"{PICTURE}",more\n4,"{PICTURE}"\n')
    diagrams, skipped = read(tmp_path / "x.csv")
    assert [d.id for d in diagrams] == ["1.1", "4.4"]
    assert [piece.where for piece in skipped] == ["x.csv, row 2", "x.csv, row 3"]


@pytest.mark.parametrize("blob", [b"", b"PAR1 and no more", b"PAR1" + bytes(100) + b"PAR1"])
def test_a_broken_parquet_file_is_one_line(tmp_path: Path, blob: bytes) -> None:
    (tmp_path / "x.parquet").write_bytes(blob)
    with pytest.raises(BadInput, match="not a whole parquet file"):
        open_table(tmp_path / "x.parquet")


def test_a_large_table_is_read_in_batches(tmp_path: Path) -> None:
    pq.write_table(pa.table({"tikz": [PICTURE] * 1_000}), tmp_path / "x.parquet")
    opened = open_table(tmp_path / "x.parquet")
    parts = list(opened.parts())
    assert opened.size == 1_000
    assert [part.id for part in parts] == ["rows 1-256", "rows 257-512", "rows 513-768", "rows 769-1000"]
    assert parts[-1].position == 1_000
