"""What `collect folder` finds: pictures, fragments, and files that cannot be used. Under a second."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from diagrammar.corpus.domain import domain_of
from diagrammar.corpus.pictures import documents_of
from diagrammar.corpus.sources.folder import open_folder
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram

ARTICLE = r"""\documentclass[11pt]{article}
\usepackage{tikz}
\usetikzlibrary{calc}
\newcommand\side{2}
\begin{document}
Text with 50\% and \verb|\begin{tikzpicture}|.
% \begin{tikzpicture} \end{tikzpicture}
\tikzset{edge/.style={thick}}
\begin{figure}
  \begin{tikzpicture}
    \draw[edge] (0,0) -- (\side,0);
  \end{tikzpicture}
\end{figure}
An inline \tikz[baseline] \fill (0,0) circle ({1pt+1pt}); dot.
\begin{tikzpicture}
  \begin{scope}\node {a};\end{scope}
\end{tikzpicture}
\end{document}
"""
STANDALONE = r"""\documentclass{standalone}
\usepackage{circuitikz}
\begin{document}
\begin{circuitikz} \draw (0,0) to[R] (2,0); \end{circuitikz}
\end{document}
"""


def collected(folder: Path) -> tuple[list[Diagram], dict[str, str]]:
    pieces = [piece for part in open_folder(folder).parts() for piece in part.read()]
    skipped = {piece.where: piece.reason for piece in pieces if isinstance(piece, Skipped)}
    return [piece for piece in pieces if isinstance(piece, Diagram)], skipped


def test_each_picture_of_a_file_becomes_a_document_with_its_preamble(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(ARTICLE)
    diagrams, skipped = collected(tmp_path)
    assert skipped == {}
    assert [diagram.source.line for diagram in diagrams] == [10, 14, 15]
    assert diagrams[0].code == (
        "\\documentclass[11pt,class=article,border=5pt]{standalone}\n\\usepackage{tikz}\n\\usetikzlibrary{calc}\n"
        "\\newcommand\\side{2}\n\\begin{document}\n\\tikzset{edge/.style={thick}}\n\\begin{tikzpicture}\n"
        "  \\draw[edge] (0,0) -- (\\side,0);\n\\end{tikzpicture}\n\\end{document}\n"
    )
    assert r"\tikz[baseline] \fill (0,0) circle ({1pt+1pt});" in diagrams[1].code
    assert "thick" not in diagrams[2].code  # defined above, but not used
    assert diagrams[0].preamble.endswith("\\newcommand\\side{2}\n")


def test_a_standalone_file_with_one_picture_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "r.tex").write_text(STANDALONE)
    (diagram,), _ = collected(tmp_path)
    assert diagram.code == STANDALONE
    assert (diagram.id, diagram.domain, diagram.packages) == ("r.1", "circuit", ("circuitikz",))


def test_a_fragment_gets_a_preamble_and_its_own_definitions() -> None:
    picture = "\\begin{tikzpicture}\n\\draw[sea] (0,0) -- ($(1,0)+(0,1)$);\n\\end{tikzpicture}\n"
    text = "\\definecolor{sea}{rgb}{0,0,1}\n" + picture
    (found,) = documents_of(text)
    assert found.document.startswith("\\documentclass")
    assert "calc" in found.document and "\\definecolor{sea}" in found.document
    assert found.line == 2


def test_bare_path_commands_are_a_picture_too() -> None:
    (found,) = documents_of("\\draw (0,0) -- (1,1);\n")
    assert "\\begin{tikzpicture}" in found.document


def test_a_picture_inside_a_macro_definition_is_not_drawn() -> None:
    text = ARTICLE.replace(
        "\\tikzset{edge", "\\newcommand\\logo{\\begin{tikzpicture}\\end{tikzpicture}}\n\\tikzset{edge"
    )
    assert len(documents_of(text)) == 3


def test_files_that_cannot_be_used_are_counted_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "good name ü.tex").write_text(STANDALONE)
    (tmp_path / "--help.tex").write_text(STANDALONE)
    (tmp_path / "latin.tex").write_bytes("% Zürich\n".encode("latin-1") + STANDALONE.encode())
    (tmp_path / "chinese.tex").write_bytes(("电阻" * 60).encode("gbk") + STANDALONE.encode())
    (tmp_path / "binary.tex").write_bytes(b"\0\1\2" * 100)
    (tmp_path / "pdf.tex").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "empty.tex").write_text(" \n")
    (tmp_path / "prose.tex").write_text("No drawing here.\n")
    (tmp_path / "long.tex").write_text("%" * 10_000_000)
    (tmp_path / "notes.txt").write_text(STANDALONE)
    (tmp_path / "folder.tex").mkdir()
    (tmp_path / "gone.tex").symlink_to(tmp_path / "nowhere.tex")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "hidden.tex").write_text(STANDALONE)
    os.mkfifo(tmp_path / "pipe.tex")
    diagrams, skipped = collected(tmp_path)
    assert sorted(diagram.source.url for diagram in diagrams) == [
        "--help.tex", "good name ü.tex", "latin.tex",
    ]  # fmt: skip
    assert len({diagram.id for diagram in diagrams}) == 3
    assert [d.source.note for d in diagrams if d.source.url == "latin.tex"] == [
        "read as Latin-1 (line 1 is not UTF-8)"
    ]
    assert all("Zürich" in d.code for d in diagrams if d.source.url == "latin.tex")
    assert all(diagram.id.isascii() and " " not in diagram.id for diagram in diagrams)
    assert skipped == {
        "chinese.tex": "invalid_utf8", "binary.tex": "binary", "pdf.tex": "binary", "empty.tex": "empty",
        "prose.tex": "no_picture", "long.tex": "too_large", "gone.tex": "unreadable", "pipe.tex": "unreadable",
    }  # fmt: skip


def test_link_loops_end_and_a_file_counts_once(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "p.tex").write_text(STANDALONE)
    (inner / "up").symlink_to(tmp_path)
    (tmp_path / "q.tex").symlink_to(inner / "p.tex")
    diagrams, _ = collected(tmp_path)
    assert len(diagrams) == 1


def test_file_names_that_are_no_text_get_an_id(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.tex")).write_text(STANDALONE)
    (diagram,), _ = collected(tmp_path)
    assert diagram.model_dump_json()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["\\tikz ", "\\begin{tikzpicture}", "\\chemfig[", "\\def\\x{", "{", "\\"])
def test_a_megabyte_of_beginnings_without_an_end_is_over_soon(piece: str) -> None:
    assert (
        documents_of("\\documentclass{article}\\begin{document}\n" + piece * (1_000_000 // len(piece))) == []
    )


@pytest.mark.parametrize(
    ("body", "domain"),
    [
        (r"\begin{axis}\addplot {x};\end{axis}", "charts"),
        (r"\begin{axis}\addplot3 {x};\end{axis}", "3d_shapes"),
        (r"\draw (0,0) to[R, l=$R_1$] (2,0);", "circuit"),
        (r"\begin{circuitikz}\end{circuitikz}", "circuit"),
        (r"\chemfig{A-B}", "chemistry"),
        (r"\tkzDrawPoints(A,B)", "planar_geometry"),
        (r"\node (a) {a}; \draw (a) to[bend left] (b);", "graph"),
        (r"\node {}; % \addplot3", "graph"),
    ],
)
def test_domain_follows_what_is_used(body: str, domain: str) -> None:
    assert (
        domain_of(f"\\documentclass[tikz]{{standalone}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")
        == domain
    )
