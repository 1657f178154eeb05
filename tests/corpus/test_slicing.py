"""What of a document goes with a picture cut out of it. Two documents compile: three seconds."""

from __future__ import annotations

import pytest

from diagrammar.corpus.pictures import documents_of
from diagrammar.records.diagrams import Compiled
from diagrammar.tex import compile_tex

PAPER = r"""\documentclass[a4paper,11pt]{article}
\usepackage[latin1]{inputenc}
\usepackage{geometry,tikz,amsmath}
\usepackage{pgfplots}
\pgfplotsset{compat=1.18}
\usetikzlibrary{calc,external}
\tikzexternalize
\definecolor{sea}{RGB}{0,80,160}
\definecolor{unused}{RGB}{1,2,3}
\tikzset{>=stealth}
\tikzset{base/.style={draw=sea}, box/.style={base, thick}}
\tikzset{never/.style={dashed}}
\newcommand{\R}{\mathbb{R}}
\DeclareMathOperator{\rank}{rank}
\newcommand{\name}[1]{$\rank(#1)$}
\newlength{\side}
\setlength{\side}{2cm}
\newsavebox{\seal}
\sbox{\seal}{\textbf{S}}
\makeatletter
\newcommand{\inner@width}{1pt}
\newcommand{\wide}{\inner@width}
\makeatother
\title{A paper}
\begin{document}
\section{One}
{\tikzset{box/.append style={fill=red}}}
\begin{tikzpicture}
  \node[box] (a) {\name{A}};
  \draw[line width=\wide] (a) -- ($(a)+(\side,0)$) node {\usebox{\seal}};
\end{tikzpicture}
\renewcommand{\R}{R}
\begin{tikzpicture}\begin{axis}\addplot {x};\node {$\R$};\end{axis}\end{tikzpicture}
\end{document}
"""


def test_a_picture_takes_what_it_uses_and_what_that_uses() -> None:
    first = documents_of(PAPER)[0].document
    kept = (
        r"\usepackage{tikz,amsmath}", r"\usepackage{pgfplots}", r"\pgfplotsset{compat=1.18}", r"\usetikzlibrary{calc}",
        r"\definecolor{sea}", r"\tikzset{>=stealth}", "box/.style={base, thick}", r"\DeclareMathOperator{\rank}",
        r"\newcommand{\name}", r"\newlength{\side}", r"\setlength{\side}{2cm}", r"\newsavebox{\seal}", r"\sbox{\seal}",
        "\\makeatletter\n\\newcommand{\\inner@width}{1pt}",
    )  # fmt: skip
    for text in kept:
        assert text in first
    left_out = (
        "geometry",
        "inputenc",
        "external",
        "unused",
        "never",
        r"\R",
        r"\title",
        r"\section",
        "fill=red",
    )
    for text in left_out:
        assert text not in first
    assert isinstance(compile_tex(first, engines=("pdflatex",)), Compiled)


def test_what_is_kept_stays_in_its_order() -> None:
    first = documents_of(PAPER)[0].document
    order = [
        r"\usepackage{tikz",
        r"\definecolor{sea}",
        "base/.style",
        r"\newcommand{\name}",
        r"\newlength",
        r"\sbox",
    ]
    places = [first.index(text) for text in order]
    assert places == sorted(places)
    assert first.index(r"\makeatother") < first.index(r"\begin{document}")


def test_a_command_changed_on_the_way_is_the_changed_one() -> None:
    second = documents_of(PAPER)[1].document
    assert (
        second.index(r"\newcommand{\R}") < second.index(r"\renewcommand{\R}{R}") < second.index("tikzpicture")
    )
    assert "sbox" not in second
    assert isinstance(compile_tex(second, engines=("pdflatex",)), Compiled)


def test_a_setting_ends_with_its_group() -> None:
    text = (
        "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n"
        "\\begin{figure}\n\\tikzset{every node/.style={red}}\n\\begin{tikzpicture}\\node {a};\\end{tikzpicture}\n"
        "\\end{figure}\n\\begin{figure}\n\\begin{tikzpicture}\\node {b};\\end{tikzpicture}\n\\end{figure}\n"
        "\\end{document}\n"
    )
    inside, outside = documents_of(text)
    assert "every node" in inside.document
    assert "every node" not in outside.document


@pytest.mark.parametrize(
    ("setting", "kept"),
    [
        (r"\tikzset{every node/.style={red}}", True),
        (r"\tikzset{x=2cm, dot/.style={fill}}", True),
        (r"\tikzset{dot/.style={fill}, dash/.style 2 args={#1}}", False),
        (r"\tikzstyle{every path} = [red]", True),
        (r"\tikzstyle{dot} = [fill]", False),
        (r"\pgfplotsset{width=7cm}", True),
        (r"\sisetup{detect-all}", False),
        (r"\tikzset{declare function={f(\x)=\x;}}", True),
        (r"\newcommand\dot[1]{#1}", False),
    ],
)
def test_settings_that_reach_every_picture_are_kept_and_named_ones_where_named(
    setting: str, kept: bool
) -> None:
    head = f"\\documentclass{{article}}\n\\usepackage{{tikz}}\n{setting}\n\\begin{{document}}\n"
    text = head + "\\tikz \\draw (0,0) -- (1,1);\n\\end{document}\n"
    (found,) = documents_of(text)
    assert (setting in found.document) is kept


@pytest.mark.parametrize(
    ("class_", "line"),
    [
        (
            r"\documentclass[twocolumn]{article}",
            r"\documentclass[twocolumn,class=article,border=5pt]{standalone}",
        ),
        (r"\documentclass[10pt,conference]{IEEEtran}", r"\documentclass[10pt,border=5pt]{standalone}"),
        (
            r"\documentclass[\size,oneside]{book}",
            r"\documentclass[oneside,class=book,border=5pt]{standalone}",
        ),
        (r"\documentclass{beamer}", r"\documentclass[class=beamer,border=5pt]{standalone}"),
    ],
)
def test_the_class_is_kept_where_it_is_a_usual_one(class_: str, line: str) -> None:
    text = f"{class_}\n\\usepackage{{tikz}}\n\\begin{{document}}\n\\tikz \\draw (0,0) -- (1,1);\n\\end{{document}}\n"
    (found,) = documents_of(text)
    assert found.document.startswith(line + "\n")


def test_what_a_left_out_class_had_loaded_is_loaded() -> None:
    picture = "\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}"
    text = f"\\documentclass{{journal}}\n\\begin{{document}}\n{picture}\n\\end{{document}}\n"
    (found,) = documents_of(text)
    assert r"\usepackage{tikz}" in found.document


def test_data_written_in_the_document_goes_with_the_picture_that_plots_it() -> None:
    text = (
        "\\begin{filecontents}{a.csv}\nx,y\n1,2\n\\end{filecontents}\n\\documentclass{article}\n\\usepackage{pgfplots}\n"
        "\\begin{document}\n\\begin{tikzpicture}\\begin{axis}\\addplot table[col sep=comma]{a.csv};\\end{axis}"
        "\\end{tikzpicture}\n"
        "\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}\n\\end{document}\n"
    )
    plot, line = documents_of(text)
    assert plot.document.startswith("\\begin{filecontents}{a.csv}")
    assert "filecontents" not in line.document


def test_pictures_in_comments_verbatim_and_never_run_text_are_none() -> None:
    picture = "\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}"
    text = (
        f"\\documentclass{{article}}\n\\usepackage{{tikz}}\n\\begin{{document}}\n%{picture}\n\\iffalse {picture} \\fi\n"
        f"\\begin{{lstlisting}}\n{picture}\n\\end{{lstlisting}}\n\\verb|{picture}|\n{picture}\n\\end{{document}}\n"
    )
    (found,) = documents_of(text)
    assert found.line == 10


def test_prose_without_a_picture_is_none() -> None:
    assert (
        documents_of("\\section{A}\n\\begin{itemize}\\item one\\end{itemize}\nThe path \\path is long.\n")
        == []
    )


def test_a_fragment_that_loads_packages_gets_what_else_it_needs_behind_them() -> None:
    text = (
        "\\usepackage{amsmath}\n\\usepackage{tikz}\n\\definecolor{sea}{rgb}{0,0,1}\n"
        "\\begin{tikzpicture}\\draw[sea] (0,0) -- ($(1,0)+(0,1)$) node[diamond] {a};\\end{tikzpicture}\n"
    )
    (found,) = documents_of(text)
    assert found.document.index("{tikz}") < found.document.index("\\usetikzlibrary{")
    assert "{tikz}" not in found.document.replace("\\usepackage{tikz}", "", 1)
    assert isinstance(compile_tex(found.document, engines=("pdflatex",)), Compiled)


def test_a_picture_in_a_macro_of_many_lines_is_none_and_goes_with_those_that_use_it() -> None:
    text = (
        "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n"
        "\\newcommand{\\flag}[1]{%\n  \\begin{tikzpicture}\n    \\node {#1};\n  \\end{tikzpicture}%\n}\n"
        "\\pgfmathsetmacro{\\far}{2}\n\\pgfmathsetmacro{\\far}{\\far+1}\n\\pgfmathsetmacro{\\far}{\\far+1}\n"
        "\\begin{tikzpicture}\\node at (\\far,0) {\\flag{a}};\\end{tikzpicture}\n\\end{document}\n"
    )
    (found,) = documents_of(text)
    assert found.line == 12
    assert found.document.count("pgfmathsetmacro") == 3 and "\\node {#1};" in found.document
    assert isinstance(compile_tex(found.document, engines=("pdflatex",)), Compiled)


def test_a_definition_without_an_end_hides_no_picture() -> None:
    text = (
        "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n\\newcommand{\\open}{oops\n"
        "\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}\n\\end{document}\n"
    )
    assert len(documents_of(text)) == 1


@pytest.mark.parametrize("name", ["v", "c1", "my style"])
def test_short_names_of_styles_and_colours_are_found(name: str) -> None:
    text = (
        f"\\documentclass{{article}}\n\\usepackage{{tikz}}\n\\definecolor{{{name}}}{{rgb}}{{0,0,1}}\n"
        f"\\tikzset{{{name}/.style={{draw}}}}\n\\begin{{document}}\n\\tikz \\node[{name}] {{a}};\n"
        "\\tikz \\node[draw] {};\n\\end{document}\n"
    )
    named, plain = documents_of(text)
    assert "\\definecolor" in named.document and "\\tikzset" in named.document
    assert "\\definecolor" not in plain.document and "\\tikzset" not in plain.document
