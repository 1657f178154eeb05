"""What particular examples become, read off the manuals' sources by hand; and the rules on small sources."""

from __future__ import annotations

from functools import cache
from textwrap import dedent

import pytest

from diagrammar.catalog import load
from diagrammar.manuals.reading.codeexample import read_codeexamples
from diagrammar.manuals.reading.manual import Example, Manual, SourceFile
from diagrammar.manuals.reading.sources import find_sources


@cache
def shown(package: str) -> list[Example]:
    manual = load("diagrammar.manuals", package, Manual)
    return [example for example in manual.read(find_sources(manual)) if example.role == "shown"]


def document(package: str, text: str) -> str:
    """The document of the first shown example whose code holds `text`."""
    example = next(example for example in shown(package) if text in example.code)
    return load("diagrammar.manuals", package, Manual).document(example)


def read(source: str) -> list[Example]:
    return list(read_codeexamples(SourceFile("manual.tex", dedent(source), "0" * 64)))


def test_first_example_of_circuitikz_is_a_resistor() -> None:
    assert shown("circuitikz")[0].code == r"\tikz \draw (0,0) to[R=$R_1$] (2,0);"
    assert document("circuitikz", "to[R=$R_1$] (2,0)") == dedent(
        r"""
        \documentclass[border=5pt]{standalone}
        \usepackage[siunitx,RPvoltages]{circuitikz}
        \begin{document}
        \tikz \draw (0,0) to[R=$R_1$] (2,0);
        \end{document}
        """
    ).lstrip("\n")


def test_first_example_of_chemfig_keeps_its_title() -> None:
    first = shown("chemfig")[0]
    assert first.title == "Name of nodes"
    assert first.code.startswith(r"\setchemfig{debug=true}")
    assert first.code.endswith(r"to[out=75,in=90](n2-4);}")


def test_first_example_of_tikz_network_is_one_picture() -> None:
    assert (
        shown("tikz-network")[0].code.split("\n")[1]
        == r"  \filldraw (-.2,.2) circle (2pt) (.2,.2) circle (2pt);"
    )
    assert document("tikz-network", r"\filldraw (-.2,.2)").startswith(
        "\\documentclass[tikz,border=5pt]{standalone}\n\\usepackage{tikz-network}\n\\begin{document}\n"
    )


def test_data_files_of_tikz_network_travel_with_the_document() -> None:
    text = document("tikz-network", r"\Vertices[opacity=.3]")
    assert "\\begin{filecontents*}[overwrite]{vertices.csv}\nid, x, y ,size, color" in text
    assert r"\Vertices[opacity=.3]{vertices.csv}" in text


def test_an_example_that_is_a_document_keeps_what_it_loads() -> None:
    text = document("tikz-network", r"\Vertex[x=0.785,y=2.375,color=red,opacity=0.5,label=Alice]{a}")
    assert text.startswith("\\documentclass{standalone}\n\\usepackage{tikz-network}\n")


def test_library_of_a_pgf_example_comes_from_its_preamble_option() -> None:
    text = document("tikz-pgf", r"\node [isosceles triangle, fill=gray!25")
    assert r"\usetikzlibrary{shapes.geometric}" in text


def test_setup_code_reaches_the_examples_that_use_it() -> None:
    # The data group `people and money` is filled by set-up code that runs a picture: it belongs into the body.
    example = next(e for e in shown("tikz-pgf") if "data group {people and money}" in e.code)
    assert "data group {people and money} =" in example.setup
    text = load("diagrammar.manuals", "tikz-pgf", Manual).document(example)
    assert text.index(r"\begin{document}") < text.index("data group {people and money} =")


def test_pgfplots_example_gets_the_library_of_its_section() -> None:
    example = next(e for e in shown("pgfplots") if e.file.name.endswith("libs.polar.tex"))
    text = load("diagrammar.manuals", "pgfplots", Manual).document(example)
    assert "\\usepackage{pgfplots}\n\\pgfplotsset{width=7cm,compat=1.18}\n\\usepgfplotslibrary{polar}" in text


def test_macro_of_the_main_file_reaches_the_chapters() -> None:
    # \plotcoords is defined below \begin{document} of pgfplots.tex and used in the reference.
    example = next(e for e in shown("pgfplots") if r"\plotcoords" in e.code)
    assert "(5,8.312e-02)    (17,2.547e-02)" in example.setup


def test_addplot3_makes_an_example_three_dimensional() -> None:
    manual = load("diagrammar.manuals", "pgfplots", Manual)
    three = next(e for e in shown("pgfplots") if r"\addplot3" in e.code)
    flat = next(e for e in shown("pgfplots") if r"\addplot " in e.code and r"\addplot3" not in e.code)
    assert (manual.classify(three), manual.classify(flat)) == ("3d_shapes", "charts")


@pytest.mark.parametrize(
    ("options", "role"),
    [
        ("", "shown"),
        ("width=3cm,preamble={\\usetikzlibrary{calc}}", "shown"),
        ("code only", "listing"),
        ("code only, tikz syntax=false", "listing"),
        ("execute code=false", "listing"),
        ("setup code,hidden", "setup"),
    ],
)
def test_options_decide_what_the_manual_shows(options: str, role: str) -> None:
    source = f"\\begin{{codeexample}}[{options}]\n\\tikz \\draw (0,0) -- (1,0);\n\\end{{codeexample}}\n"
    assert [example.role for example in read(source)] == [role]


def test_preamble_option_over_several_lines_and_with_comments() -> None:
    (example,) = read(
        r"""
        \begin{codeexample}[
            preamble={\usetikzlibrary{graphs,graphdrawing}
            \usegdlibrary{trees}}, % for [tree layout]
        ]
        \tikz \graph [tree layout] { a -> b };
        \end{codeexample}
        """
    )
    assert example.preamble == "\\usetikzlibrary{graphs,graphdrawing}\n\\usegdlibrary{trees}"
    assert example.code == r"\tikz \graph [tree layout] { a -> b };"
    assert example.line == 6


def test_pre_and_post_surround_the_code_and_vbox_does_not() -> None:
    first, second = read(
        r"""
        \begin{codeexample}[pre={\pgfmathsetseed{1}},post={\endinput}]
        \tikz \draw (0,0) -- (rand,1);
        \end{codeexample}
        \begin{codeexample}[pre={\vbox\bgroup\hsize=3cm},post=\egroup]
        text
        \end{codeexample}
        """
    )
    assert first.code.split("\n") == [r"\pgfmathsetseed{1}", r"\tikz \draw (0,0) -- (rand,1);", r"\endinput"]
    assert second.code == "text"


def test_render_instead_gives_what_is_drawn() -> None:
    (example,) = read(
        r"""
        \begin{codeexample}[render instead={\tikz \draw (0,0) circle (1);}]
        \animate
        \end{codeexample}
        """
    )
    assert example.code == r"\tikz \draw (0,0) circle (1);"


def test_examples_in_comments_verbatim_and_dead_code_are_none() -> None:
    source = r"""
        % \begin{codeexample}[]
        % \end{codeexample}
        \begin{verbatim}
        \begin{codeexample}[]
        a
        \end{codeexample}
        \end{verbatim}
        \iffalse
        \begin{codeexample}[]
        b
        \end{codeexample}
        \fi
        The environment |\begin{codeexample}| needs brackets; 50\% of all
        \begin{codeexample}[]
        c
        \end{codeexample}
        \endinput
        \begin{codeexample}[]
        d
        \end{codeexample}
        """
    assert [example.code for example in read(source)] == ["c"]


def test_only_the_definitions_that_an_example_uses_come_along() -> None:
    example = read(
        r"""
        \tikzset{dot/.style={circle, fill=#1}}
        \newcommand\unused{x}
        \definecolor{sea}{rgb}{0,0.4,0.6}
        \newcommand\shore{\node[dot=sea] {};}
        \begin{codeexample}[]
        \tikz \shore
        \end{codeexample}
        """
    )[0]
    assert example.setup == dedent(
        r"""
        \tikzset{dot/.style={circle, fill=#1}}
        \definecolor{sea}{rgb}{0,0.4,0.6}
        \newcommand\shore{\node[dot=sea] {};}
        """
    ).strip("\n")
