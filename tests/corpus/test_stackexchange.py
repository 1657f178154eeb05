"""What is taken of a dump, on what terms, and in how much memory. About fifteen seconds, most for the 60 MB dump."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest

from diagrammar.corpus.sources.stackexchange import open_dump
from diagrammar.errors import BadInput
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram

PROGRAM = str(Path(sys.executable).with_name("diagrammar"))
PICTURE = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}\n"


def post(number: int, code: str, **attributes: str | int) -> str:
    body = f"<p>Try <code>\\tikz</code>:</p>\n<pre class='lang-tex'><code>{escape(code, quote=False)}</code></pre>"
    told = {"Id": number, "PostTypeId": 2, "Body": body, "Score": 0, "OwnerUserId": 9, **attributes}
    fields = " ".join(f'{name}="{escape(str(value))}"' for name, value in told.items())
    return f"<row {fields} />".replace("\n", "&#xA;")


def dump(folder: Path, *rows: str, head: str = "") -> Path:
    path = folder / "Posts.xml"
    path.write_text(
        f'<?xml version="1.0" encoding="utf-8"?>\n{head}<posts>\n' + "\n".join(rows) + "\n</posts>\n"
    )
    return path


def question(number: int, answer: int, title: str = "How?") -> str:
    return (
        f'<row Id="{number}" PostTypeId="1" AcceptedAnswerId="{answer}" Title="{title}" Tags="&lt;tikz-pgf&gt;" '
        f'Body="&lt;pre&gt;&lt;code&gt;\\tikz x&lt;/code&gt;&lt;/pre&gt;" />'
    )


def read(path: Path, **options: int) -> tuple[list[Diagram], list[Skipped]]:
    pieces = [piece for part in open_dump(path, **options).parts() for piece in part.read()]
    return [p for p in pieces if isinstance(p, Diagram)], [p for p in pieces if isinstance(p, Skipped)]


def test_accepted_answers_are_taken_with_link_author_title_and_terms(tmp_path: Path) -> None:
    path = dump(
        tmp_path, question(1, 3, "A &amp; B"), post(2, PICTURE),
        post(3, PICTURE, OwnerDisplayName="Ann", ContentLicense="CC BY-SA 4.0", ParentId=1),
    )  # fmt: skip
    (diagram,), skipped = read(path)
    assert skipped == []
    assert diagram.code.endswith(PICTURE + "\\end{document}\n")
    source = diagram.source
    assert (source.url, source.file, source.line) == ("https://tex.stackexchange.com/a/3", "block 1", 1)
    assert (source.licence, source.title) == ("CC-BY-SA-4.0", "A & B")
    assert source.author == "Ann https://tex.stackexchange.com/users/9"


def test_with_a_least_score_other_answers_are_taken_too(tmp_path: Path) -> None:
    path = dump(
        tmp_path, question(1, 3), post(2, PICTURE, Score=4), post(3, PICTURE), post(4, PICTURE, Score=-2)
    )
    assert [diagram.id for diagram in read(path)[0]] == ["a3.1.1"]
    assert [diagram.id for diagram in read(path, min_score=4)[0]] == ["a2.1.1", "a3.1.1"]


@pytest.mark.parametrize(
    ("date", "licence"),
    [("2010-07-26", "CC-BY-SA-2.5"), ("2012-01-01", "CC-BY-SA-3.0"), ("2019-01-01", "CC-BY-SA-4.0")],
)
def test_a_post_that_names_no_terms_has_those_of_its_day(tmp_path: Path, date: str, licence: str) -> None:
    (diagram,), _ = read(dump(tmp_path, question(1, 2), post(2, PICTURE, CreationDate=f"{date}T10:00:00")))
    assert diagram.source.licence == licence


def test_a_block_without_a_picture_is_counted_and_single_lines_are_no_pictures(tmp_path: Path) -> None:
    path = dump(
        tmp_path,
        question(1, 2),
        post(2, "\\draw[tikz style] (0,0) -- (1,1);"),
        question(3, 4),
        post(4, "plain"),
    )
    diagrams, skipped = read(path)
    assert diagrams == []
    assert [(piece.where, piece.reason) for piece in skipped] == [("a2", "no_picture"), ("a4", "no_picture")]


def test_what_stands_above_a_fault_in_the_xml_is_read(tmp_path: Path) -> None:
    path = dump(tmp_path, question(1, 2), post(2, PICTURE), '<row Id="3" Body="<oops" />', post(4, PICTURE))
    diagrams, (skipped,) = read(path)
    assert len(diagrams) == 1
    assert skipped.reason == "malformed_xml" and "line 5" in skipped.message


@pytest.mark.parametrize("cut", [0.3, 0.9])
def test_a_dump_that_is_cut_off_is_told(tmp_path: Path, cut: float) -> None:
    path = dump(tmp_path, question(1, 2), post(2, PICTURE))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * cut)])
    assert [piece.reason for piece in read(path)[1]] == ["malformed_xml"]


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    head = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>\n'
    path = dump(tmp_path, question(1, 2), post(2, PICTURE).replace("Try", "&b;&c;"), head=head)
    diagrams, (skipped,) = read(path)
    assert diagrams == [] and skipped.reason == "malformed_xml"


def test_a_row_that_never_ends_is_given_up(tmp_path: Path) -> None:
    path = dump(tmp_path, question(1, 2), post(2, PICTURE), '<row Body="' + "x" * 50_000_000)
    diagrams, (skipped,) = read(path)
    assert len(diagrams) == 1 and skipped.reason == "too_large"


@pytest.mark.parametrize("name", ["posts.7z", "gone.xml"])
def test_what_is_no_xml_file_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "posts.7z").write_bytes(b"7z\xbc\xaf\x27\x1c")
    with pytest.raises(BadInput, match="7z x posts.7z" if name.endswith("7z") else "no such file"):
        open_dump(tmp_path / name)


def generator() -> object:
    spec = importlib.util.spec_from_file_location("make_dump", Path(__file__).with_name("make_dump.py"))
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.write_dump


def collected_with(path: Path, out: Path) -> tuple[float, int]:
    """Peak resident megabytes of the command, and how many diagrams it collected."""
    process = subprocess.Popen(
        [PROGRAM, "collect", "stackexchange", str(path), "--out", str(out)], stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss / 1024, (out / "records.jsonl").read_bytes().count(b"\n")


def test_memory_does_not_grow_with_the_dump(tmp_path: Path) -> None:
    write_dump = generator()
    few = write_dump(tmp_path / "small.xml", 1)  # type: ignore[operator]
    many = write_dump(tmp_path / "large.xml", 60)  # type: ignore[operator]
    small_mb, small = collected_with(tmp_path / "small.xml", tmp_path / "small")
    large_mb, large = collected_with(tmp_path / "large.xml", tmp_path / "large")
    assert (small, large) == (few, many)
    assert large_mb - small_mb < 40  # seen: 2; the file has 60


def test_a_number_that_comes_twice_counts_once(tmp_path: Path) -> None:
    path = dump(tmp_path, question(1, 2), post(2, PICTURE), post(2, PICTURE), post(2, PICTURE))
    _, many = collected_with(path, tmp_path / "out")
    assert many == 1
