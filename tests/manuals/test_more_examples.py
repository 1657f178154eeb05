"""Particular examples of the further packages, read off their sources by hand. Under three seconds."""

from __future__ import annotations

import re
from textwrap import dedent

from diagrammar.catalog import load
from diagrammar.manuals.reading.blocks import find_blocks
from diagrammar.manuals.reading.definitions import find_definitions, needed
from diagrammar.manuals.reading.dtx import documentation, read_verbatim
from diagrammar.manuals.reading.luadoc import read_lua_examples
from diagrammar.manuals.reading.manual import Example, Manual, SourceFile, Sources
from diagrammar.manuals.reading.sources import find_sources


def examples(package: str) -> list[Example]:
    manual = load("diagrammar.manuals", package, Manual)
    return list(manual.read(find_sources(manual)))


def read(package: str, name: str, text: str) -> list[Example]:
    manual = load("diagrammar.manuals", package, Manual)
    return list(manual.read(Sources((SourceFile(name, text, "0" * 64),))))


def lua(text: str, name: str = "tex/generic/pgf/graphdrawing/lua/pgf/gd/trees/x.lua") -> list[Example]:
    return list(read_lua_examples(SourceFile(name, dedent(text), "0" * 64)))


def test_examples_of_a_graph_drawing_key_are_read_one_by_one() -> None:
    first, second = lua(
        """
        declare {
          key = "minimum number of children",
          examples = {[["
            \\tikz \\graph [tree layout] { a -> b };
          "]],[["
            \\tikz \\graph [tree layout]
              { a -> c };
          "]]},
        }
        """
    )
    assert first.code == "\\tikz \\graph [tree layout] { a -> b };"
    assert first.preamble == "\\usetikzlibrary{graphs,graphdrawing}\n\\usegdlibrary{trees}"
    assert (first.line, second.line) == (5, 7)
    assert second.code == "\\tikz \\graph [tree layout]\n  { a -> c };"


def test_examples_with_options_bring_their_own_libraries() -> None:
    (example,) = lua(
        """
        examples = {
          {
            options = [["preamble={\\usetikzlibrary{graphs} \\usegdlibrary{force}}"]],
            code = [["
              \\tikz \\graph [spring layout] { a -- b };
            "]]
          },
        }
        """
    )
    assert example.preamble == "\\usetikzlibrary{graphs}\n\\usegdlibrary{force}"
    assert example.code == "\\tikz \\graph [spring layout] { a -- b };"


def test_codeexamples_in_lua_comments_lose_the_comment_sign() -> None:
    (example,) = lua(
        """
        ---
        --\\begin{codeexample}[code only]
        -- local x = 1
        --\\end{codeexample}
        """
    )
    assert (example.code, example.role, example.line) == ("local x = 1", "listing", 4)


def test_graph_drawing_examples_ask_for_lualatex_by_their_library() -> None:
    shown = [e for e in examples("tikz-pgf") if e.file.name.endswith(".lua") and e.role == "shown"]
    assert len(shown) > 150
    assert all("graphdrawing" in e.preamble + e.code for e in shown)


def test_forest_loses_the_signs_of_emphasis_and_gets_its_libraries() -> None:
    example = next(e for e in examples("forest") if "GP1" in e.code)
    assert "~" not in example.code
    document = load("diagrammar.manuals", "forest", Manual).document(example)
    assert document.startswith("\\documentclass[border=5pt]{standalone}\n\\usepackage[linguistics]{forest}\n")


def test_an_exported_forest_example_serves_those_that_use_its_style() -> None:
    example = next(e for e in examples("forest") if "fit=tight" in e.code)
    assert "show boundary/.style" in example.setup


def test_text_behind_a_switched_off_end_of_document_is_read() -> None:
    # tikz-3dplot's manual ends inside \ifscratch near its beginning, which is never true.
    assert examples("tikz-3dplot")[0].code == "\\usepackage{tikz-3dplot}"


def test_a_style_with_a_space_behind_its_equals_sign_ends_at_its_bracket() -> None:
    (definition,) = find_definitions("\\tikzstyle{Edge}= [thick,\n  double]\n  \\draw (0,0);\n")
    assert definition.text == "\\tikzstyle{Edge}= [thick,\n  double]"


def test_a_box_brings_the_box_whose_counter_it_uses() -> None:
    text = "\\newtcolorbox[auto counter]{first}[1][]{#1}\n\\newtcolorbox[use counter from=first]{second}{}\n"
    assert needed("\\begin{second}x\\end{second}", list(find_definitions(text))) == text.strip()


def test_arguments_behind_the_options_are_no_part_of_the_code() -> None:
    (block,) = find_blocks("\\begin{x}[a]{b}{c}\ncode\n\\end{x}", ["x"], arguments={"x": 1})
    assert (block.options, block.arguments, block.body) == ("a", ("b",), "{c}\ncode")


def test_tcolorbox_frame_options_are_left_out_and_its_preamble_boxes_come_along() -> None:
    style = SourceFile(
        "doc/latex/tcolorbox/tcolorbox.doc.s_snippet.sty",
        "\\begin{tcbverbatimwrite}{\\jobname_A.tex}\n\\newtcolorbox{pabox}[2][]{title=#2,#1}\n\\end{tcbverbatimwrite}\n",
        "0" * 64,
    )
    text = "\\begin{dispExample*}{sbs}\n\\begin{pabox}{T}x\\end{pabox}\n\\end{dispExample*}\n"
    chapter = SourceFile("doc/latex/tcolorbox/tcolorbox.doc.intro.tex", text, "0" * 64)
    (example,) = load("diagrammar.manuals", "tcolorbox", Manual).read(Sources((chapter, style)))
    assert example.code == "\\begin{pabox}{T}x\\end{pabox}"
    assert example.setup == "\\newtcolorbox{pabox}[2][]{title=#2,#1}"


def test_documentation_of_a_dtx_keeps_its_lines_and_leaves_out_code() -> None:
    source = "% Text\n%    \\begin{macrocode}\n\\def\\a{}\n%    \\end{macrocode}\n%<*x>\n%% File\n% \\ul{a}\n"
    assert documentation(source) == "Text\n\n\n\n\n\n\\ul{a}\n"


def test_verbatim_code_of_a_dtx_is_shown_where_it_sets_something() -> None:
    block = "% \\begin{{verbatim}}\n% {}\n% \\end{{verbatim}}\n"
    source = block.format("\\ul{a}") + block.format("\\setul{1ex}{}")
    file = SourceFile("source/generic/soul/soul.dtx", source, "0" * 64)
    found = read_verbatim(
        Sources((file,)), mentions=re.compile(r"\\(?:set)?ul\b"), shows=re.compile(r"\\ul\{")
    )
    assert [(e.code, e.role, e.line) for e in found] == [
        ("\\ul{a}", "shown", 2),
        ("\\setul{1ex}{}", "listing", 5),
    ]


def test_pictures_between_the_examples_of_pst_solides3d_bring_their_settings() -> None:
    text = "\\psset{unit=0.5}\n\\begin{pspicture}(1,1)\n\\psSolid[object=cube]\n\\end{pspicture}\n"
    (example,) = read("pst-solides3d", "doc/generic/pst-solides3d/text/par-x-en.tex", text)
    assert example.code == text.strip()
    assert (example.role, example.line) == ("shown", 1)


def test_commutative_diagram_is_set_as_a_formula() -> None:
    text = "\\begin{verbatim}\n\\begin{CD}\nA @>>> \\End P\n\\end{CD}\n\\end{verbatim}\n"
    (example,) = read("amscd", "doc/latex/amsmath/amsldoc.tex", text)
    document = load("diagrammar.manuals", "amscd", Manual).document(example)
    assert "\\DeclareMathOperator{\\End}{End}" in document
    assert "$\\displaystyle\n\\begin{CD}" in document
