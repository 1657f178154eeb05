"""`diagrammar compile` on good files and on what else a user may give it."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from diagrammar.cli.compile import command
from diagrammar.cli.inputs import output_stems, read_source_file
from diagrammar.errors import BadInput

PICTURE = "\\tikz\\draw(0,0)--(1,1);\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments], catch_exceptions=False)


def entries(result: Result) -> dict[str, dict[str, Any]]:
    return {entry["file"]: entry for entry in map(json.loads, result.stdout.splitlines())}


def test_a_document_gives_a_pdf_and_a_png(tmp_path: Path) -> None:
    source = tmp_path / "my picture.tex"
    source.write_text(PICTURE)
    result = run(source, "--out", tmp_path / "new" / "out", "--json", "--dpi", "72")
    assert result.exit_code == 0
    [entry] = entries(result).values()
    assert set(entry) >= {"file", "ok", "engine", "pdf", "png", "seconds", "failure"}
    assert entry["ok"] and entry["engine"] == "pdflatex" and entry["failure"] is None
    assert Path(entry["pdf"]).read_bytes().startswith(b"%PDF-")
    assert Path(entry["png"]).read_bytes().startswith(b"\x89PNG")
    assert Path(entry["png"]).name == "my picture.png"
    assert "compiled 1 of 1 (0 failed)" in result.stderr


def test_bad_files_get_one_line_each_and_the_others_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    contents: dict[str, bytes] = {
        "good.tex": PICTURE.encode(),
        "empty.tex": b"",
        "blank.tex": b" \n\n",
        "binary.tex": b"\x7fELF\0\0\1\2" * 50,
        "latin1.tex": "\\tikz\\node{café};".encode("latin-1"),
        "utf16.tex": PICTURE.encode("utf-16"),
        "long.tex": b"\\tikz\\draw(0,0)" + b"--(1,1)" * 1_500_000 + b";",
        "-dash with space.tex": PICTURE.encode(),
        "wrong.tex": b"\\documentclass{standalone}\n\\usepackage{tikz}\n\\begin{document}\n\\nosuch\n\\end{document}\n",
        "prose.tex": b"I cannot draw this.",
    }
    for name, content in contents.items():
        Path(name).write_bytes(content)
    Path("folder.tex").mkdir()
    os.mkfifo("pipe.tex")
    Path("sub").mkdir()
    Path("sub/good.tex").write_text(PICTURE)
    names = [*contents, "folder.tex", "pipe.tex", "missing.tex", "sub/good.tex"]
    result = run("--json", "--out", "out", "--", *names)
    assert result.exit_code == 0
    found = entries(result)
    assert list(found) and set(found) == set(names)
    failed = {name: entry["failure"] for name, entry in found.items() if not entry["ok"]}
    told = {name: (failure["kind"], failure["message"]) for name, failure in failed.items()}
    assert told == {
        "empty.tex": ("bad_input", "the file is empty"),
        "blank.tex": ("bad_input", "the file is empty"),
        "binary.tex": ("bad_input", "the file is binary; give the TeX source"),
        "long.tex": ("bad_input", "11 MB; a document may have 8 MB"),
        "folder.tex": ("bad_input", "this is a folder; give the .tex files in it"),
        "pipe.tex": ("bad_input", "this is no regular file"),
        "missing.tex": ("bad_input", "no such file"),
        "wrong.tex": ("undefined_command", "Undefined control sequence \\nosuch"),
        "prose.tex": ("no_code", "the text holds no LaTeX drawing"),
    }
    assert failed["wrong.tex"]["line"] == 4
    assert "Undefined control sequence" in Path("out/wrong.log").read_text()
    assert any("not UTF-8" in warning for warning in found["latin1.tex"]["warnings"])
    assert "latin1.tex: not UTF-8 (line 1); read as Latin-1" in result.stderr
    assert {found["good.tex"]["pdf"], found["sub/good.tex"]["pdf"]} == {"out/good.pdf", "out/good-2.pdf"}
    assert Path("out/-dash with space.png").is_file()
    assert f"compiled 5 of {len(names)} (9 failed)" in result.stderr


def test_a_failure_is_one_line_for_people(tmp_path: Path) -> None:
    source = tmp_path / "a.tex"
    source.write_text("\\begin{tikzpicture}\n\\nod {x};\n\\end{tikzpicture}\n")
    result = run(source, "--out", tmp_path / "out")
    assert result.exit_code == 0
    [line] = result.stdout.splitlines()
    assert line.startswith(f"{source}:2: undefined_command: Undefined control sequence \\nod (")


def test_results_of_an_earlier_run_do_not_stay(tmp_path: Path) -> None:
    source = tmp_path / "a.tex"
    source.write_text(PICTURE)
    run(source, "--out", tmp_path / "out")
    source.write_text("nothing")
    run(source, "--out", tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_line_longer_than_texs_own_buffer_is_read(tmp_path: Path) -> None:
    source = tmp_path / "a.tex"
    source.write_text("\\tikz\\draw(0,0)--(1,1);" + " " * 300_000 + "% end")
    [entry] = entries(run(source, "--out", tmp_path / "out", "--json")).values()
    assert entry["ok"] and entry["engine"] == "pdflatex"


def test_wrong_usage_exits_with_2(tmp_path: Path) -> None:
    assert run("--out", tmp_path).exit_code == 2
    (tmp_path / "a.tex").write_text(PICTURE)
    assert run(tmp_path / "a.tex", "--out", tmp_path, "--engine", "tex").exit_code == 2
    with pytest.raises(BadInput, match="no folder can be made here"):
        run(tmp_path / "a.tex", "--out", tmp_path / "a.tex" / "out")


def test_an_unreadable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "a.tex"
    source.write_text(PICTURE)
    source.chmod(0)
    if os.geteuid() == 0:  # root may read all: let the system say what it says to others
        real = os.open

        def refused(path: str, flags: int, *rest: int) -> int:
            if path == str(source) and not os.stat(path).st_mode & stat.S_IRUSR:
                raise PermissionError(13, "Permission denied")
            return real(path, flags, *rest)

        monkeypatch.setattr(os, "open", refused)
    with pytest.raises(BadInput, match="no permission to read it"):
        read_source_file(str(source))


def test_names_that_are_no_utf_8_can_be_shown(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_source_file(os.fsdecode(bytes(tmp_path) + b"/\xff.tex"))


def test_each_file_gets_its_own_output_name() -> None:
    assert output_stems(["a.tex", "b/a.tex", "A.TEX", "a-2.tex", ".hidden", "x.y.tex"]) == [
        "a", "a-2", "A-3", "a-2-2", ".hidden", "x.y",
    ]  # fmt: skip
