"""What the manuals define: rules on small sources, entries read off the manuals by hand. About five seconds."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from diagrammar.catalog import load
from diagrammar.manuals.reading.items import Item, plain
from diagrammar.manuals.reading.items_circuitikz import read_components
from diagrammar.manuals.reading.items_pgf import KINDS, read_pgf_items
from diagrammar.manuals.reading.manual import Manual, SourceFile, Sources
from diagrammar.manuals.reading.sources import find_sources
from diagrammar.records.diagrams import Compiled
from diagrammar.tex import compile_tex


def items_of(package: str) -> tuple[Sources, list[Item]]:
    manual = load("diagrammar.manuals", package, Manual)
    sources = find_sources(manual)
    assert manual.items
    return sources, list(manual.items(sources))


def read(source: str) -> list[Item]:
    return list(read_pgf_items(SourceFile("doc/x.tex", dedent(source), "0" * 64), "tikz-pgf"))


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"Sets \meta{dimension}, see |\draw[red]|.", r"Sets <dimension>, see \draw[red]."),
        (r"\tikzname{} and \TeX\ draw", "TikZ and TeX draw"),
        (r"``quoted''~text\footnote{gone \emph{too}} stays", '"quoted" text stays'),
        (r"\texttt{a} \emph{b} % a comment", "a b"),
        (r"\marg{a}\oarg{b}", "{<a>}[<b>]"),
        (r"a \{brace\} and 5\%", "a {brace} and 5%"),
    ],
)
def test_running_text_becomes_plain(tex: str, text: str) -> None:
    assert plain(tex) == text


def test_key_has_its_values_and_the_text_outside_of_what_is_inside_it() -> None:
    outer, inner = read(
        r"""
        \section{Circles}
        \begin{key}{/tikz/radius=\meta{size} (initially 1cm)}
            The size.
            \begin{codeexample}[]
            \begin{key}{/no/entry}
            \end{key}
            \end{codeexample}
            \begin{key}{/tikz/x radius=\meta{size} (default 2cm)}
                Along x.
            \end{key}
            Of both.
        \end{key}
        """
    )
    assert (outer.name, outer.syntax, outer.initial) == ("/tikz/radius", "/tikz/radius=<size>", "1cm")
    assert (outer.description, outer.section, outer.line) == ("The size. Of both.", "Circles", 3)
    assert (inner.name, inner.default, inner.description) == ("/tikz/x radius", "2cm", "Along x.")


def test_command_environment_and_function_have_names_of_their_own() -> None:
    command, environment, function = read(
        r"""
        \begin{command}{\pgfsetcolor\marg{color}}
        Sets a colour.
        \end{command}
        \begin{environment}{{scope}\oarg{options}}
        \end{environment}
        \begin{math-function}{Mod(\mvar{x},\mvar{y})}
        \end{math-function}
        """
    )
    assert (command.kind, command.name, command.syntax) == (
        "command",
        r"\pgfsetcolor",
        r"\pgfsetcolor{<color>}",
    )
    assert (environment.kind, environment.name) == ("environment", "scope")
    assert (function.kind, function.name, function.syntax) == ("math function", "Mod", "Mod(x,y)")


def test_list_of_keys_gives_one_entry_each_and_axes_are_aliases() -> None:
    first, second, ticks = read(
        r"""
        \begin{pgfplotskeylist}{bar width=\marg{dimension} (initially 10pt), bar shift}
        Bars.
        \end{pgfplotskeylist}
        \begin{pgfplotsxykey}{\x ticklabel=\marg{command}}
        Labels.
        \end{pgfplotsxykey}
        """
    )
    assert (first.name, first.initial) == ("/pgfplots/bar width", "10pt")
    assert (second.name, second.description) == ("/pgfplots/bar shift", "Bars.")
    assert (ticks.name, ticks.aliases) == (
        "/pgfplots/xticklabel",
        ("/pgfplots/yticklabel", "/pgfplots/zticklabel"),
    )


def test_component_has_syntax_aliases_and_terminals() -> None:
    text = r"""
\begin{document}
\subsection{Resistors}
    \circuitdescbip[vresistor]{vR}{Variable resistor}{variable american resistor}(wiper/180/0.3, tip/0/0.3)
    \circuitdesc*{op amp}{Amplifier\footnotemark}{}( +/180/0.2, out/0/
        0.2 )
"""
    variable, amplifier = read_components(SourceFile("circuitikzmanual.tex", text, "0" * 64))
    assert (variable.name, variable.syntax, variable.aliases) == (
        "vR", "to[vR]", ("variable american resistor",),
    )  # fmt: skip
    assert variable.terminals == ("wiper", "tip")
    assert variable.description == "Variable resistor. Path-style component; node name vresistorshape."
    assert (amplifier.syntax, amplifier.terminals) == ("node[op amp]{}", ("+", "out"))
    assert amplifier.description == "Amplifier. Node, fillable."


@pytest.mark.parametrize("package", ["tikz-pgf", "pgfplots", "circuitikz"])
def test_definitions_agree_with_a_count_that_knows_no_tex(package: str) -> None:
    sources, items = items_of(package)
    names = "|".join(re.escape(name) for name in KINDS)
    pattern = r"^[ \t]*\\circuitdesc" if package == "circuitikz" else rf"\\begin\{{(?:{names})\}}(?=\s*\{{)"
    texts = [
        re.sub(r"(?<!\\)%.*", "", file.text)
        for file in sources.files
        if not file.name.endswith((".lua", "-macros.tex", ".sty", ".sty.gz"))
    ]
    found = sum(len(re.findall(pattern, text, re.MULTILINE)) for text in texts)
    read = len({(item.file.name, item.line) for item in items})  # a list of keys begins once
    assert found > 400
    assert abs(found - read) <= 0.03 * found


def test_known_definitions_of_the_manuals_are_there() -> None:
    by_name = {item.name: item for item in items_of("tikz-pgf")[1]}
    assert by_name["/tikz/samples"].initial == "25"
    assert by_name[r"\pgfsetlinewidth"].syntax == r"\pgfsetlinewidth{<line width>}"
    assert by_name["calc"].kind == "library"
    plots = {item.name for item in items_of("pgfplots")[1]}
    assert {"/pgfplots/bar width", "/pgfplots/xmode", "/pgfplots/legend pos"} & plots


def test_a_component_of_the_catalogue_can_be_drawn() -> None:
    item = next(item for item in items_of("circuitikz")[1] if item.name == "pR")
    head = "\\documentclass{standalone}\n\\usepackage{circuitikz}\n\\begin{document}\n"
    document = f"{head}{item.code}\n\\end{{document}}\n"
    assert isinstance(compile_tex(document, engines=("pdflatex",)), Compiled)
