"""arXiv archives: what is read of them, and what never is. About three seconds."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from diagrammar.corpus.reading.archive import Refused, Unpacked, unpack
from diagrammar.corpus.sources.arxiv import open_archives
from diagrammar.errors import BadInput
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram

PICTURE = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}\n"
HEAD = "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n"
PAPER = f"{HEAD}\\input{{fig/one}}\n{PICTURE}\\end{{document}}\n"


def tar(files: Mapping[str, bytes], *members: tarfile.TarInfo, packed: bool = True) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz" if packed else "w:") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for member in members:
            archive.addfile(member)
    return stream.getvalue()


def member(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def read(path: Path, **options: Path) -> tuple[list[Diagram], list[Skipped]]:
    pieces = [piece for part in open_archives(path, **options).parts() for piece in part.read()]
    return [p for p in pieces if isinstance(p, Diagram)], [p for p in pieces if isinstance(p, Skipped)]


def test_a_paper_of_many_files_is_read_as_one_document(tmp_path: Path) -> None:
    files = {
        "paper.tex": PAPER.encode(),
        "fig/one.tex": PICTURE.encode(),
        "fig/plot.png": b"\x89PNG",
        "x.bbl": b"",
    }
    (tmp_path / "2001.00001v2.tar.gz").write_bytes(tar(files))
    (tmp_path / "metadata.jsonl").write_text(
        json.dumps({"id": "1999.99999"}) + "\n"
        + json.dumps({"id": "2001.00001", "authors": "A. B.\n and C. D.", "title": "On\n  lines",
                      "license": "http://creativecommons.org/licenses/by/4.0/"}) + "\n"
    )  # fmt: skip
    diagrams, skipped = read(tmp_path / "2001.00001v2.tar.gz", metadata=tmp_path / "metadata.jsonl")
    assert skipped == []
    assert [(d.source.file, d.source.line) for d in diagrams] == [("fig/one.tex", 1), ("paper.tex", 5)]
    source = diagrams[0].source
    assert source.url == "https://arxiv.org/abs/2001.00001"
    assert (source.licence, source.author, source.title) == ("CC-BY-4.0", "A. B. and C. D.", "On lines")


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("2001.00001.gz", "https://arxiv.org/abs/2001.00001"), ("hep-th9901001.gz", "https://arxiv.org/abs/hep-th/9901001"),
        ("paper.gz", "paper.gz"),
    ],
)  # fmt: skip
def test_a_single_gzipped_file_is_a_paper(tmp_path: Path, name: str, url: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(PAPER.encode()))
    (diagram,), _ = read(tmp_path / name)
    assert (diagram.source.url, diagram.source.file, diagram.source.licence) == (url, "main.tex", "unknown")


def test_a_folder_of_archives_is_read_by_path_and_each_bad_one_costs_itself(tmp_path: Path) -> None:
    paper = gzip.compress(PAPER.encode())
    blobs = {
        "a/good.gz": paper, "b/good.gz": paper, "pdf.pdf": b"%PDF-1.5 ...", "pdf.gz": gzip.compress(b"%PDF-1.5 ..."),
        "cut.gz": paper[:60], "flipped.gz": paper[:50] + b"\xff" + paper[51:], "empty.gz": b"", "text": b"hello",
        "inner.gz": gzip.compress(paper), "zip.gz": gzip.compress(b"PK\x03\x04" + bytes(9)),
        "bomb.gz": gzip.compress(bytes(60_000_000)), "notex.tar.gz": tar({"a.png": b"x"}),
        "cut.tar.gz": gzip.compress(tar({"a.tex": PAPER.encode() * 20}, packed=False)[:3000]),
    }  # fmt: skip
    for name, blob in blobs.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(blob)
    (tmp_path / "link.gz").symlink_to(tmp_path / "a" / "good.gz")
    diagrams, skipped = read(tmp_path)
    assert [d.source.url for d in diagrams] == ["a/good.gz", "b/good.gz"]
    assert len({d.id for d in diagrams}) == 2
    assert {piece.where: piece.reason for piece in skipped} == {
        "pdf.pdf": "pdf_only", "pdf.gz": "pdf_only", "cut.gz": "broken_archive", "flipped.gz": "broken_archive",
        "empty.gz": "not_an_archive", "text": "not_an_archive", "inner.gz": "nested_archive",
        "zip.gz": "nested_archive",
        "bomb.gz": "archive_bomb", "notex.tar.gz": "no_tex", "cut.tar.gz": "broken_archive", "link.gz": "unreadable",
    }  # fmt: skip


def test_members_that_lead_out_are_refused_and_the_others_read() -> None:
    blob = tar(
        {
            "paper.tex": PAPER.encode(), "../up.tex": b"x", "/etc/abs.tex": b"x", "a/../../b.tex": b"x",
            "c\\d.tex": b"x",
            "more.tar.gz": b"x", "fig.zip": b"x", ".hidden/a.tex": b"x", "big.tex": bytes(3_000_000),
        },
        member("link.tex", tarfile.SYMTYPE, "/etc/passwd"), member("hard.tex", tarfile.LNKTYPE, "paper.tex"),
        member("device", tarfile.CHRTYPE), member("pipe.tex", tarfile.FIFOTYPE),
    )  # fmt: skip
    unpacked = unpack(blob, "x.tar.gz")
    assert isinstance(unpacked, Unpacked)
    assert list(unpacked.files) == ["paper.tex"]
    reasons = {piece.where.removeprefix("x.tar.gz!"): piece.reason for piece in unpacked.skipped}
    assert reasons == {
        "../up.tex": "unsafe_member", "/etc/abs.tex": "unsafe_member", "a/../../b.tex": "unsafe_member",
        "c\\d.tex": "unsafe_member", "more.tar.gz": "nested_archive", "fig.zip": "nested_archive",
        "big.tex": "too_large", "link.tex": "unsafe_member", "hard.tex": "unsafe_member", "device": "unsafe_member",
        "pipe.tex": "unsafe_member",
    }  # fmt: skip


def test_an_archive_of_very_many_members_is_a_bomb() -> None:
    refused = unpack(tar({f"{number}.tex": b"" for number in range(5_001)}), "x")
    assert isinstance(refused, Refused) and refused.reason == "archive_bomb"


def test_a_bomb_is_given_up_long_before_it_is_unpacked() -> None:
    packer = zlib.compressobj(wbits=31)
    megabyte = bytes(1 << 20)
    blob = b"".join(packer.compress(megabyte) for _ in range(100)) + packer.flush()
    refused = unpack(blob, "x")
    assert isinstance(refused, Refused) and refused.reason == "archive_bomb"
    assert (
        "more than 20 MB" in refused.message
    )  # 200 times its own tenth of a megabyte, where a hundred follow


def test_files_in_older_encodings_are_read_with_a_note(tmp_path: Path) -> None:
    files = {
        "latin.tex": PAPER.replace("\\input{fig/one}", "Zürich").encode("latin-1"),
        "wide.tex": ("\ufeff" + PAPER.replace("\\input{fig/one}", "")).encode("utf-16"),
        "big5.tex": ("電阻" * 90).encode("big5") + PAPER.encode(),
    }
    (tmp_path / "p.tar").write_bytes(tar(files, packed=False))
    diagrams, skipped = read(tmp_path / "p.tar")
    assert {d.source.file: d.source.note for d in diagrams} == {
        "latin.tex": "read as Latin-1 (line 4 is not UTF-8)", "wide.tex": "read as UTF-16",
    }  # fmt: skip
    assert [(piece.where, piece.reason) for piece in skipped] == [("p.tar!big5.tex", "invalid_utf8")]


def test_metadata_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "2001.00001.gz").write_bytes(gzip.compress(PAPER.encode()))
    (tmp_path / "metadata").write_text('{"id": "2001.00001"}\n[1]\n')
    with pytest.raises(BadInput, match="metadata:2: "):
        open_archives(tmp_path / "2001.00001.gz", metadata=tmp_path / "metadata")
