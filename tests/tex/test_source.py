"""Text as people and models give it -> the document that TeX gets."""

from __future__ import annotations

import time

import pytest

from diagrammar.records.diagrams import TexFailure
from diagrammar.tex.document import Document
from diagrammar.tex.needs import needs_of
from diagrammar.tex.source import read_source

ONE = "\\documentclass{standalone}\n\\begin{document}\nfirst\n\\end{document}"
TWO = ONE.replace("first", "second")


def read(text: str) -> Document:
    document = read_source(text)
    assert isinstance(document, Document), document
    return document


def refused(text: str) -> TexFailure:
    failure = read_source(text)
    assert isinstance(failure, TexFailure)
    return failure


def test_a_document_is_taken_as_it_is():
    text = "% mine\n\\RequirePackage{xcolor}\n" + ONE
    assert read(text).text == text + "\n"
    assert [line.origin for line in read(text).lines] == [1, 2, 3, 4, 5, 6]
    assert read(text).notes == ()


@pytest.mark.parametrize(
    "text",
    [
        f"Here:\n```latex\n{ONE}\n```\nBetter:\n```latex\n{TWO}\n```\nHope this helps.",
        f"```latex\n{ONE}\n```\nand\n~~~tex\n{TWO}",  # the last fence is never closed
        f"{ONE}\nThat was a try. Now the real one:\n{TWO}\nDone.",
        f"```json\n{{}}\n```\nSure, here is the code you want:\n{TWO}",
        f"```latex\n{ONE}\n```\nthen\n```latex\n{TWO}\n```\nand\n```latex\n\\documentclass{{article}}\n\\begin{{do",
        f"1. Do this:\n   ```latex\n{TWO}\n   ```\n2. Then run it.",
        f"````markdown\n{TWO}\n````",
        f"```latex {TWO}```",
        f"<think>\n```latex\n{ONE}\n```\n</think>\n{TWO}",
        f"first I thought of this:\n{ONE}\n</think>\n```latex\n{TWO}\n```",
        f"\ufeff{TWO}".replace("\n", "\r\n"),
        TWO.replace("second", "sec\0ond"),
    ],
)
def test_the_last_complete_document_is_taken(text):
    assert read(text).text == TWO + "\n"


def test_lines_keep_their_numbers_in_the_users_text():
    text = f"Prose first.\n\n```latex\n{TWO}\n```\n"
    assert [line.origin for line in read(text).lines] == [4, 5, 6, 7]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "no_code"),
        (" \n\t\n", "no_code"),
        ("I cannot see a diagram in this picture.", "no_code"),
        ("```json\n{\"answer\": 3}\n```", "no_code"),
        ("<think>\nmaybe \\begin{tikzpicture}\\end{tikzpicture}", "no_code"),
        ("```latex\n\\documentclass{standalone}\n\\begin{document}\n\\draw (0,0)", "truncated"),
        ("\\documentclass{standalone}\n\\usepackage{tikz}\n", "truncated"),
        ("\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n", "truncated"),
        ("```latex\n\\begin{tikzpicture}\n\\draw (0,0) -- (1,", "truncated"),
        ("```latex\n\\tikz{\\draw (0,0) -- (1,", "truncated"),
        ("% \\documentclass{x} \\begin{document} \\end{document}", "no_code"),
        ("\\draw (0,0) -- (1,1); " * 200_000, "resource_limit"),
    ],
)  # fmt: skip
def test_what_holds_no_whole_drawing_is_refused_by_kind(text, kind):
    assert refused(text).kind == kind


def test_the_truncated_line_is_named():
    failure = refused("Look:\n```latex\n\\documentclass{standalone}\n\\begin{document}\n\\tikz\\draw (0,0)\n")
    assert (failure.kind, failure.line) == ("truncated", 5)
    assert "\\end{document}" in failure.hint


@pytest.mark.parametrize(
    ("fragment", "body"),
    [
        ("\\begin{tikzpicture}\n\\draw (0,0)--(1,1);\n\\end{tikzpicture}", None),
        ("\\tikz\\draw (0,0)--(1,1);", None),
        ("\\chemfig{A-B}", None),
        ("\\schemestart A \\arrow B \\schemestop", None),
        ("\\draw (0,0)--(1,1);", "\\begin{tikzpicture}\n\\draw (0,0)--(1,1);\n\\end{tikzpicture}"),
        ("\\begin{axis}\\addplot{x};\\end{axis}",
         "\\begin{tikzpicture}\n\\begin{axis}\\addplot{x};\\end{axis}\n\\end{tikzpicture}"),
        ("\\addplot{x};", "\\begin{tikzpicture}\\begin{axis}\n\\addplot{x};\n\\end{axis}\\end{tikzpicture}"),
        ("\\tkzDefPoint(0,0){A}\\tkzDrawPoint(A)",
         "\\begin{tikzpicture}\n\\tkzDefPoint(0,0){A}\\tkzDrawPoint(A)\n\\end{tikzpicture}"),
        ("\\begin{forest} [a [b] [c]] \\end{forest}", None),
    ],
)  # fmt: skip
def test_a_fragment_gets_what_stands_around_it(fragment, body):
    text = read(fragment).text
    assert text.startswith("\\documentclass")
    assert f"\\begin{{document}}\n{body or fragment}\n\\end{{document}}\n" in text


def test_settings_above_a_picture_are_kept_and_prose_is_not():
    text = (
        "Here is the picture you asked for:\n\n\\usetikzlibrary{calc}\n"
        "\\newcommand{\\dot}[1]{\\fill (#1) circle (2pt);}\n"
        "\\begin{tikzpicture}\n\\dot{0,0}\n\\end{tikzpicture}\nIt shows a dot."
    )
    document = read(text)
    assert "asked" not in document.text and "It shows" not in document.text
    head, _, body = document.text.partition("\\begin{document}")
    assert "\\usetikzlibrary{calc}" in head and "\\newcommand{\\dot}" in head
    assert "\\dot{0,0}" in body
    shown = next(line for line in document.lines if line.text.startswith("\\dot"))
    assert shown.origin == 6


def test_a_preamble_and_a_picture_in_two_fences_are_put_together():
    text = (
        "```latex\n\\documentclass{standalone}\n\\usepackage{tikz}\n```\nand\n"
        "```latex\n\\begin{tikzpicture}\\draw (0,0)--(1,0);\\end{tikzpicture}\n```"
    )
    assert read(text).text.count("\\documentclass") == 1
    assert "two" not in read(text).text and "\\draw (0,0)--(1,0);" in read(text).text


def test_html_entities_are_characters():
    document = read(ONE.replace("first", "\\tikz\\draw[-&gt;] (0,0) -- (1,1);"))
    assert "[->]" in document.text
    assert document.notes


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (r"\node[right=of a] {};", {"positioning"}),
        (r"\node[above left=1cm and 2cm of a] {};", {"positioning"}),
        (r"\draw[-{Stealth[length=3mm]}] (0,0) -- (1,1);", {"arrows.meta"}),
        (r"\draw[-Latex] (0,0) -- (1,1);", {"arrows.meta"}),
        (r"\draw[->, >=Stealth] (0,0) -- (1,1);", {"arrows.meta"}),
        (r"\draw[->, >=stealth] (0,0) -- (1,1);", set()),
        (r"\draw (0,0) -- ($(a)!.5!(b)$);", {"calc"}),
        (r"\draw let \p1=(a) in (0,0) -- (\x1,0);", {"calc"}),
        (r"\node[diamond] {};", {"shapes.geometric"}),
        (r"\node[rectangle split, rectangle split parts=2] {};", {"shapes.multipart"}),
        (r"\node[cloud, draw] {};", {"shapes.symbols"}),
        (r"\draw[decorate, decoration={brace, amplitude=3pt}] (0,0)--(1,0);", {"decorations.pathreplacing"}),
        (r"\draw[decorate, decoration=snake] (0,0)--(1,0);", {"decorations.pathmorphing"}),
        (r"\draw[postaction={decorate}, decoration={markings, mark=at position .5 with {}}] (0,0)--(1,0);",
         {"decorations.markings"}),
        (r"\fill[pattern=north east lines] (0,0) rectangle (1,1);", {"patterns"}),
        (r"\node[state, initial] (a) {};", {"automata"}),
        (r"\matrix[matrix of nodes] {a & b\\};", {"matrix"}),
        (r"\graph { a -> b };", {"graphs"}),
        (r"\path[name path=a] (0,0); \path[name intersections={of=a and b}];", {"intersections"}),
        (r"\draw pic[draw, angle radius=1cm] {angle=a--b--c};", {"angles"}),
        (r'\draw (a) edge["x"] (b);', {"quotes"}),
        (r"\node[fit=(a)(b)] {};", {"fit"}),
        (r"\begin{scope}[on background layer] \end{scope}", {"backgrounds"}),
        (r"\node[drop shadow] {};", {"shadows"}),
        (r"\begin{scope}[canvas is xy plane at z=0]\end{scope}", {"3d"}),
        (r"\begin{tikzpicture}[3d view={30}{20}]\end{tikzpicture}", {"perspective"}),
        (r"\path[mindmap, concept color=red] node[concept] {};", {"mindmap"}),
        (r"\begin{tikzpicture}[spy using outlines]\spy on (0,0) in node at (1,1);\end{tikzpicture}", {"spy"}),
    ],
)  # fmt: skip
def test_a_key_names_its_library(code, expected):
    found = set(
        needs_of(code if "\\begin" in code else f"\\begin{{tikzpicture}}{code}\\end{{tikzpicture}}").tikz
    )
    assert found - {"decorations"} == expected


@pytest.mark.parametrize(
    ("code", "package"),
    [
        (r"\begin{tikzpicture}\draw (0,0) to[R=$R_1$] (2,0);\end{tikzpicture}", "circuitikz"),
        (r"\begin{tikzpicture}\node[op amp] {};\end{tikzpicture}", "circuitikz"),
        (r"\chemfig{A-B}", "chemfig"),
        (r"\begin{tikzcd} A \arrow[r] & B \end{tikzcd}", "tikz-cd"),
        (r"\begin{tikzpicture}\tkzDefPoint(0,0){A}\end{tikzpicture}", "tkz-euclide"),
        (r"\tdplotsetmaincoords{60}{110}\begin{tikzpicture}\end{tikzpicture}", "tikz-3dplot"),
        (r"\begin{tikzpicture}\Vertex[x=1]{A}\end{tikzpicture}", "tikz-network"),
        (r"\tikz\node{\SI{3}{\ohm}};", "siunitx"),
        (r"\tikz\node{$\mathbb{R}$};", "amssymb"),
        (r"\tikz\node{$\begin{pmatrix}1\end{pmatrix}$};", "amsmath"),
    ],
)
def test_a_command_names_its_package(code, package):
    assert package in needs_of(code).packages


def test_a_plain_picture_needs_tikz_alone():
    assert needs_of(
        r"\begin{tikzpicture}\draw[->] (0,0) -- (1,1) node[above] {a};\end{tikzpicture}"
    ).lines() == (r"\usepackage{tikz}",)


@pytest.mark.parametrize(
    "text",
    [
        "\\draw" + "[" * 60_000,
        "\\draw\n" + "\n" * 60_000,
        "\\draw to[" + "a " * 30_000 + "]",
        "</think>" * 8_000,
        "\\end{document}" * 8_000,
        "\\documentclass{a}\\begin{document}" * 4_000,
        "\\draw[" + "left " * 12_000 + "]",
        "```\n" * 20_000,
    ],
    ids=["brackets", "blank-lines", "options", "thinking", "ends", "begins", "words", "fences"],
)
def test_hostile_text_is_read_in_no_time(text):
    started = time.process_time()
    read_source(text)
    assert time.process_time() - started < 3
