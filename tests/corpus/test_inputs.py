"""Which files a document is made of, and what is never followed. Two documents compile: three seconds."""

from __future__ import annotations

from pathlib import Path

from diagrammar.corpus.reading.project import Drawn, project_of, read_document
from diagrammar.corpus.reading.tree import tree_in_memory
from diagrammar.corpus.sources.folder import open_folder
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Compiled, Diagram
from diagrammar.tex import compile_tex

PICTURE = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}\n"


def paper(body: str, preamble: str = "\\usepackage{tikz}\n", class_: str = "article") -> str:
    return f"\\documentclass{{{class_}}}\n{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def read(files: dict[str, str]) -> tuple[list[Drawn], dict[str, str]]:
    project = project_of(tree_in_memory({name: text.encode() for name, text in files.items()}))
    pieces = [piece for root in project.roots for piece in read_document(project, root)]
    drawn = [piece for piece in pieces if isinstance(piece, Drawn)]
    return drawn, {piece.where: piece.reason for piece in pieces if isinstance(piece, Skipped)}


def test_inputs_of_every_kind_are_followed_and_lines_are_those_of_their_files() -> None:
    drawn, skipped = read(
        {
            "paper.tex": paper(
                "\\input{one}\n\\include{parts/two}\n\\input parts/three.tex\n\\subfile{parts/four}\n"
                "\\import{parts/}{five}\n\\includestandalone[width=1cm]{six}\n"
            ),
            "one.tex": "text\n\n" + PICTURE,
            "parts/two.tex": PICTURE + "\\input{parts/inner}",
            "parts/inner.tex": "\n" + PICTURE,
            "parts/three.tex": PICTURE,
            "parts/four.tex": "\\documentclass[../paper.tex]{subfiles}\n\\begin{document}\n"
            + PICTURE
            + "\\end{document}\n",
            "parts/five.tex": "\\input{deep/data}" + PICTURE,
            "parts/deep/data.tex": PICTURE,
            "six.tikz": PICTURE,
        }
    )
    assert skipped == {}
    assert sorted((picture.file, picture.line) for picture in drawn) == [
        ("one.tex", 3), ("parts/deep/data.tex", 1), ("parts/five.tex", 1), ("parts/four.tex", 3),
        ("parts/inner.tex", 2), ("parts/three.tex", 1), ("parts/two.tex", 1), ("six.tikz", 1),
    ]  # fmt: skip
    assert all("\\usepackage{tikz}" in picture.document for picture in drawn)


def test_an_input_file_brings_its_macros_to_the_pictures_below_it() -> None:
    files = {
        "paper.tex": paper("\\input{macros}\n\\tikz \\draw[strong] (0,0) -- (\\far,1);"),
        "macros.tex": "\\newcommand\\far{3}\n\\tikzstyle{strong} = [red, thick]\n\\newcommand\\other{4}\n",
    }
    ((picture,), skipped) = read(files)
    assert skipped == {}
    assert "\\newcommand\\far{3}\n\\tikzstyle{strong} = [red, thick]" in picture.document
    assert "other" not in picture.document
    assert isinstance(compile_tex(picture.document, engines=("pdflatex",)), Compiled)


def test_a_file_of_two_documents_counts_once() -> None:
    drawn, _ = read(
        {"a.tex": paper("\\input{pic}"), "b.tex": paper("\\input{pic}\n" + PICTURE), "pic.tex": PICTURE}
    )
    assert [(picture.file, picture.number) for picture in drawn] == [("pic.tex", 1), ("b.tex", 1)]


def test_files_that_ask_for_one_another_are_told_and_the_others_unharmed() -> None:
    drawn, skipped = read(
        {
            "paper.tex": paper(f"{PICTURE}\\input{{a}}\n{PICTURE}"),
            "a.tex": "\\input{b}\n" + PICTURE, "b.tex": PICTURE + "\\input{a}\n", "self.tex": "\\input{self}",
        }
    )  # fmt: skip
    assert skipped == {"b.tex:4": "cyclic_input", "self.tex:1": "cyclic_input"}
    assert [picture.file for picture in drawn] == ["paper.tex", "b.tex", "a.tex", "paper.tex"]


def test_paths_that_lead_out_are_refused_and_those_inside_are_not() -> None:
    drawn, skipped = read(
        {
            "text/paper.tex": paper(
                "\\input{/etc/passwd}\n\\input{../../secret}\n\\input{~/x}\n\\input{|ls}\n\\input{../inside}\n\\input{nowhere}"
            ),
            "inside.tex": PICTURE,
        }
    )
    assert set(skipped.values()) == {"unsafe_input"}
    assert sorted(skipped) == [f"text/paper.tex:{line}" for line in (4, 5, 6, 7)]
    assert [picture.file for picture in drawn] == ["inside.tex"]


def test_a_tree_that_doubles_at_every_step_ends_at_a_limit() -> None:
    files = {f"f{n}.tex": f"\\input{{f{n + 1}}}\\input{{f{n + 1}}}" for n in range(18)}
    drawn, skipped = read({**files, "f18.tex": PICTURE, "main.tex": paper(PICTURE + "\\input{f0}")})
    assert "input_limit" in skipped.values()
    assert [picture.file for picture in drawn] == ["main.tex", "f18.tex"]


def test_the_documents_own_package_class_and_library_are_in_what_it_draws() -> None:
    drawn, skipped = read(
        {
            "paper.tex": paper(
                "\\begin{tikzpicture}\\node[flag] {\\our};\\draw[zig] (0,0) -- (1,1);\\end{tikzpicture}",
                "\\usepackage{amsmath,ours}\n\\usetikzlibrary{zig}\n", "journal",
            ),
            "journal.cls": "\\ProvidesClass{journal}\n\\LoadClass[10pt]{article}\n\\RequirePackage{tikz}\n"
            "\\newcommand\\unused{}\n",
            "ours.sty": "\\RequirePackage{xcolor}\n\\definecolor{sea}{rgb}{0,0,1}\n\\newcommand\\our@word{hi}\n"
            "\\newcommand\\our{\\our@word}\n\\tikzset{flag/.style={fill=sea}}\n\\endinput\nnever\n",
            "tikzlibraryzig.code.tex": "\\tikzset{zig/.style={dashed}}\n",
        }
    )  # fmt: skip
    assert skipped == {}
    code = drawn[0].document
    assert (
        "\\usepackage{amsmath}" in code
        and "{ours}" not in code
        and "journal" not in code
        and "never" not in code
    )
    assert "\\begin{filecontents*}[overwrite]{tikzlibraryzig.code.tex}" in code
    assert isinstance(compile_tex(code, engines=("pdflatex",)), Compiled)


def test_a_table_that_is_plotted_goes_with_the_picture() -> None:
    plot = "\\begin{tikzpicture}\\begin{axis}\\addplot table {data/a.dat};\\end{axis}\\end{tikzpicture}"
    drawn, _ = read(
        {
            "paper.tex": paper(plot, "\\usepackage{pgfplots}\n"),
            "data/a.dat": "x y\n1 2\n",
            "data/b.dat": "x y\n3 4\n",
        }
    )
    code = drawn[0].document
    assert code.startswith("\\begin{filecontents*}[overwrite]{a.dat}\nx y\n1 2\n\\end{filecontents*}\n")
    assert "table {a.dat}" in code and "3 4" not in code


def test_a_file_in_the_encoding_of_its_document_is_read_in_it(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(
        paper("\\input{pic}", "\\usepackage[cp1251]{inputenc}\n\\usepackage{tikz}\n")
    )
    (tmp_path / "pic.tex").write_bytes("\\tikz \\node {Ток};\n".encode("cp1251"))
    (tmp_path / "wide.tex").write_bytes(("\ufeff" + paper("\\tikz \\node {Ток};")).encode("utf-16"))
    pieces = [piece for part in open_folder(tmp_path).parts() for piece in part.read()]
    assert [(piece.source.url, piece.source.note) for piece in pieces if isinstance(piece, Diagram)] == [
        ("pic.tex", "read as cp1251"), ("wide.tex", "read as UTF-16"),
    ]  # fmt: skip
    assert all(isinstance(piece, Diagram) and "Ток" in piece.code for piece in pieces)


def test_links_that_lead_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.tex").write_text(paper(PICTURE))
    (inside / "link.tex").symlink_to(tmp_path / "secret.tex")
    (inside / "out").symlink_to(tmp_path)
    (inside / "paper.tex").write_text(paper("\\input{link}\n" + PICTURE))
    pieces = [piece for part in open_folder(inside).parts() for piece in part.read()]
    assert [piece.source.url for piece in pieces if isinstance(piece, Diagram)] == ["paper.tex"]
    assert {piece.reason for piece in pieces if isinstance(piece, Skipped)} == {"unsafe_path"}


def test_the_licence_file_at_the_top_is_named_unless_another_is_told(tmp_path: Path) -> None:
    (tmp_path / "LICENSE.md").write_text(
        "The MIT License\n\nPermission is hereby granted, free of charge, to any person"
    )
    (tmp_path / "paper.tex").write_text(paper(PICTURE))

    def first(**options: str) -> Diagram:
        (part,) = open_folder(tmp_path, **options).parts()
        (diagram,) = part.read()
        assert isinstance(diagram, Diagram)
        return diagram

    assert first().source.licence == "MIT"
    told = first(licence="CC0-1.0", author="A. B.", url="https://example.org/x/").source
    assert (told.licence, told.author, told.url) == ("CC0-1.0", "A. B.", "https://example.org/x/paper.tex")


def test_a_preamble_file_stands_above_what_is_no_document(tmp_path: Path) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (tmp_path / "preamble.txt").write_text(
        "\\usepackage{tikz}\n\\definecolor{sea}{rgb}{0,0,1}\n\\definecolor{sky}{rgb}{0,1,1}\n"
    )
    (folder / "pic.pgf").write_text("\n\\begin{tikzpicture}\\draw[sea] (0,0) -- (1,1);\\end{tikzpicture}\n")
    (part,) = open_folder(folder, preamble=tmp_path / "preamble.txt").parts()
    (diagram,) = part.read()
    assert isinstance(diagram, Diagram)
    assert "\\definecolor{sea}" in diagram.code and "sky" not in diagram.code
    assert diagram.source.line == 2


def test_paths_may_be_relative_to_a_folder_above_where_tex_is_run() -> None:
    drawn, skipped = read(
        {"a/b/paper.tex": paper("\\input{fig/one}\n\\input{../gone}"), "a/fig/one.tex": PICTURE}
    )
    assert skipped == {}
    assert [picture.file for picture in drawn] == ["a/fig/one.tex"]


def test_a_paper_is_read_with_the_options_of_the_file_that_inputs_it() -> None:
    drawn, skipped = read(
        {
            "a4.tex": "\\newcommand\\hue{red}\n\\input{main}\n", "wide.tex": "\\newcommand\\hue{blue}\n\\input{main}\n",
            "main.tex": paper("\\input{part}\n"), "part.tex": "\\tikz \\draw[\\hue] (0,0) -- (1,1);\n",
        }
    )  # fmt: skip
    assert [picture.file for picture in drawn] == ["part.tex"]
    assert "\\newcommand\\hue{red}" in drawn[0].document
    assert skipped == {}  # the other edition shows the same pictures
