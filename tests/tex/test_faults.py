"""Faults that people reported: each one's whole kind is named, repaired or refused as it should be."""

from __future__ import annotations

import pytest

from diagrammar.records.diagrams import Compiled, TexFailure
from diagrammar.tex import compile_tex
from diagrammar.tex.colors import color_option


def document(body: str, *, preamble: str = "\\usepackage{tikz}") -> str:
    return f"\\documentclass{{standalone}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def compiled(text: str, **options: object) -> Compiled:
    result = compile_tex(text, timeout_s=30, **options)  # type: ignore[arg-type]
    assert isinstance(result, Compiled), result
    return result


def failed(text: str, *, timeout_s: float = 30, marks: bool = False) -> TexFailure:
    result = compile_tex(text, timeout_s=timeout_s, marks=marks)
    assert isinstance(result, TexFailure), result
    return result


# --- what is repaired, and how the record says it ---


@pytest.mark.parametrize(
    ("body", "preamble", "said"),
    [
        ("\\tikz\\draw[ForestGreen](0,0)--(1,0);", "\\usepackage{tikz}\n\\usepackage[dvipsnames]{xcolor}",
         "options (dvipsnames)"),
        ("\\tikz\\fill[path fading=north](0,0)rectangle(1,1);",
         "\\usepackage{tikz}\n\\usepackage[cmyk,table]{xcolor}\\usetikzlibrary{fadings}", "options (cmyk, table)"),
        ("\\tikz\\draw[draw=Goldenrod](0,0)--(1,0);", "\\usepackage{tikz}", "option dvipsnames"),
        ("\\tikz\\node[diamond,draw]{a};", "\\usepackage{tikz}", "library shapes.geometric"),
        ("\\tikz{\\node(a){a};\\node[right=of a]{b};}", "\\usepackage{tikz}", "library positioning"),
        ("\\tikz\\draw[-{Stealth[round]}](0,0)--(1,0);", "\\usepackage{tikz}", "library arrows.meta"),
        ("\\tikz\\draw[-triangle 45](0,0)--(1,0);", "\\usepackage{tikz}\\usetikzlibrary{arrows.meta}",
         "library arrows"),
        ("\\tikz\\draw(0,0)--($(1,0)+(1,1)$);", "\\usepackage{tikz}", "library calc"),
        ("\\tikz\\draw(0,0) edge[\"x\"] (1,1);", "\\usepackage{tikz}", "library quotes"),
        ("\\tikz\\draw[decorate,decoration=snake](0,0)--(1,0);", "\\usepackage{tikz}", "decorations.pathmorphing"),
        ("\\tikz\\fill[pattern=north east lines](0,0)rectangle(1,1);", "\\usepackage{tikz}", "library patterns"),
        ("\\begin{tikzpicture}\\begin{axis}\\addplot{x};\\end{axis}\\end{tikzpicture}",
         "\\usepackage{tikz}", "package pgfplots"),
        ("\\begin{tikzpicture}\\begin{polaraxis}\\addplot{x};\\end{polaraxis}\\end{tikzpicture}",
         "\\usepackage{pgfplots}", "library polar"),
        ("\\tikz\\draw(0,0) to[R=$R_1$] (2,0);", "\\usepackage{tikz}", "package circuitikz"),
        ("\\tikz\\draw(0,0)--(1,0);",
         "\\usepackage{tikz}\n\\usetikzlibrary{external}\\tikzexternalize[prefix=f/]", "dropped \\tikzexternalize"),
        ("\\tikz\\draw(0,0)--(1,0);",
         "\\usepackage[dvips]{graphicx}\\def\\pgfsysdriver{pgfsys-dvips.def}\n\\usepackage{tikz}",
         "driver for DVI"),
        ("\\tikz\\draw(0,0)--($(1,0)+(0,1)$);", "\\usepackage{pgfplots}\\usepgfplotslibrary{polar,calc}",
         "library calc by \\usetikzlibrary"),
        ("\\tikz\\draw(0,0)--(1,0);", "\\usepackage{pgfplots}\\usetikzlibrary{calc, colormaps}",
         "library colormaps by \\usepgfplotslibrary"),
        ("\\usepackage{tikz}\n\\tikz\\draw(0,0)--(1,0);", "", "into the preamble: \\usepackage{tikz}"),
        ("\\begin{tikzpicture}\\tkzDefPoints{0/0/A,1/0/B}\\tkzDrawSegment(A,B)\\end{tikzpicture}",
         "\\usepackage{tkz-euclide}\n\\usetkzobj{all}", "tkz-euclide 2/3 syntax"),
        ("\\begin{tikzpicture}\\begin{axis}[xtick distance=1]\\addplot{x};\\end{axis}\\end{tikzpicture}",
         "\\usepackage{pgfplots}\n\\pgfplotsset{width=7cm, compat = 1.99}", "compat from 1.99 to the installed 1."),
    ],
)  # fmt: skip
def test_a_repair_is_made_and_recorded(body, preamble, said):
    result = compiled(document(body, preamble=preamble), marks=False)
    assert any(said in repair for repair in result.repairs), result.repairs
    assert len(result.repairs) == 1


def test_a_colour_is_looked_up_where_xcolor_defines_it():
    assert [color_option(name) for name in ("ForestGreen", "SlateGray", "Firebrick3", "red", "nocolor")] == [
        "dvipsnames", "svgnames", "x11names", None, None,
    ]  # fmt: skip


def test_what_compiles_is_not_touched():
    text = document(
        "\\tikz\\draw(0,0)--(1,0);", preamble="\\usepackage[dvipsnames]{xcolor}\n\\usepackage{tikz,tikz}"
    )
    result = compiled(text)
    assert result.repairs == () and result.code.rstrip("\n") == text.rstrip("\n")


def test_several_repairs_follow_one_another():
    body = (
        "\\tikz{\\node[diamond](a){a};\\node[right=of a,state]{b};\\fill[pattern=dots](0,0)rectangle(1,1);}"
    )
    result = compiled(document(body), marks=False)
    assert len(result.repairs) == 4  # shapes.geometric, positioning, automata, patterns


def test_repairs_leave_comments_and_paragraphs_alone():
    body = "\\begin{tikzpicture}\n\\tkzDefPoints{0/0/A,1/0/B}\\tkzDrawSegment(A,B)\n\\end{tikzpicture}"
    preamble = "\\usepackage{tkz-euclide}\n% \\usetkzobj{all} was here\n\\usetkzobj{all}"
    result = compiled(document(body, preamble=preamble), marks=False)
    assert "% \\usetkzobj{all} was here\n%\n" in result.code


# --- what fails, by kind, with the user's line and a hint ---


@pytest.mark.parametrize(
    ("body", "preamble", "kind", "line", "message", "hint"),
    [
        ("\\tikz\\nod{x};", "\\usepackage{tikz}", "undefined_command", 4, "\\nod", "\\nod is not defined"),
        ("\\begin{tikzpicture}\n\\draw(0,0)--(1,0)\n\\draw(0,0)--(0,1);\n\\end{tikzpicture}", "\\usepackage{tikz}",
         "syntax", 6, "semicolon", "missing ;"),
        ("\\begin{nosuch}\\end{nosuch}", "\\usepackage{tikz}", "undefined_environment", 4, "nosuch", "nosuch"),
        ("\\tikz\\draw(A)--(1,0);", "\\usepackage{tikz}", "unknown_shape", 4, "`A'", "called A"),
        ("\\tikz\\draw[nokey](0,0)--(1,0);", "\\usepackage{tikz}", "unknown_key", 4, "/tikz/nokey", "spelling"),
        ("\\tikz\\draw[draw=nocolor](0,0)--(1,0);", "\\usepackage{tikz}", "undefined_color", 4,
         "nocolor", "\\definecolor"),
        ("\\tikz\\node{a_1};", "\\usepackage{tikz}", "math_mode", 4, "Missing $", "$"),
        ("x", "\\usepackage{tikz}\n\\usepackage{nopackage}", "missing_package", 3, "nopackage", "not installed"),
        ("x", "\\usepackage{tikz}\n\\usetikzlibrary{nolib}", "missing_library", 3, "nolib", "no library nolib"),
        ("\\includegraphics{no.png}", "\\usepackage{tikz}", "missing_file", 4, "no.png", "only the document"),
        ("\\begin{tikzpicture}\\begin{axis}\\addplot table{no.csv};\\end{axis}\\end{tikzpicture}",
         "\\usepackage{pgfplots}", "missing_file", 4, "no.csv", "only the document"),
        ("\\tikz{\\draw(0,0)--(1,0);", "\\usepackage{tikz}", "syntax", 5, "Missing }", "brace"),
        ("\\tikz\\fill[pattern=no such lines](0,0)rectangle(1,1);", "\\usepackage{tikz}\\usetikzlibrary{patterns}",
         "unknown_key", 4, "no such lines", "pattern"),
        ("\\tikz\\draw[-Nosuchtip](0,0)--(1,0);", "\\usepackage{tikz}\\usetikzlibrary{arrows.meta,arrows}",
         "missing_library", 4, "Nosuchtip", "Nosuchtip"),
        ("\\begin{tikzpicture}\\tkzDefPoints{0/0/A,1/0/B}\\tkzDrawLine[altitude](A,B,A)\\end{tikzpicture}",
         "\\usepackage{tkz-euclide}\n\\usetkzobj{all}", "unknown_key", 5, "altitude", "tkz-euclide 2/3 syntax"),
    ],
)  # fmt: skip
def test_a_failure_has_its_kind_line_and_hint(body, preamble, kind, line, message, hint):
    failure = failed(document(body, preamble=preamble))
    assert (failure.kind, failure.line) == (kind, line), failure
    assert message in failure.message and hint in failure.hint
    assert "\n" not in failure.message + failure.hint and len(failure.message) <= 300
    assert failure.engine == "pdflatex" and failure.log


def test_the_line_is_that_of_the_users_text_through_fences_and_wrapper():
    picture = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\nod {x};\n\\end{tikzpicture}"
    failure = failed(f"Of course:\n\n```latex\n{picture}\n```\n")
    assert (failure.kind, failure.line) == ("undefined_command", 6)


def test_an_endless_macro_is_a_timeout_of_one_engine_only():
    failure = failed(document("\\def\\x{\\x}\\x"), timeout_s=2)
    assert (failure.kind, failure.engine) == ("timeout", "pdflatex")
    assert failure.seconds < 4


def test_a_loop_that_draws_too_much_is_a_timeout():
    loops = "\\foreach\\i in{1,...,9999}\\foreach\\j in{1,...,9999}"
    failure = failed(document(f"\\tikz{loops}{{\\draw(0,0)--(1,1);}};"), timeout_s=2)
    assert (failure.kind, failure.engine) == ("timeout", "pdflatex")


def test_a_recursion_that_grows_is_a_capacity_failure():
    assert failed(document("\\def\\x{a\\x b}\\x")).kind == "capacity"


def test_a_pdf_of_a_failed_run_is_no_success():
    # nonstopmode alone would write one here
    assert failed(document("\\draw(0,0)--(1,0)\\draw(0,0)--(0,1);")).kind == "undefined_command"


def test_too_large_a_dimension_is_tried_with_lualatex_and_not_rescaled():
    failure = failed(document("\\tikz\\draw(0,0)--(1000,0);"))
    assert (failure.kind, failure.engine, failure.repairs) == ("dimension_too_large", "pdflatex", ())


def test_a_document_without_a_page_is_no_output():
    assert failed("\\documentclass{article}\n\\begin{document}\n\\end{document}\n").kind == "no_output"


def test_division_by_zero_is_arithmetic():
    assert failed(document("\\pgfmathsetmacro\\x{1/0}")).kind == "arithmetic"


# --- which engine ---


@pytest.mark.parametrize(
    ("body", "preamble", "engine"),
    [
        ("\\tikz\\draw(0,0)--(1,0);", "\\usepackage{tikz}", "pdflatex"),
        ("\\tikz\\graph[tree layout]{r->{a,b}};",
         "\\usepackage{tikz}\\usetikzlibrary{graphs,graphdrawing}\\usegdlibrary{trees}", "lualatex"),
        ("\\directlua{tex.print(1)}", "", "lualatex"),
        ("\\tikz\\node{abc};", "\\usepackage{fontspec,tikz}", "lualatex"),
        ("\\tikz\\node{α → β};", "\\usepackage{tikz}", "lualatex"),
        ("x", "\\usepackage{mathspec}", "xelatex"),
        ("\\tikz\\draw(0,0)--(1,0);", "% !TeX program = xelatex\n\\usepackage{tikz}", "xelatex"),
    ],
)  # fmt: skip
def test_the_engine_that_can_take_it_does(body, preamble, engine):
    result = compiled(document(body, preamble=preamble))
    assert result.engine == engine
    assert result.marked and result.repairs == ()


def test_only_the_engines_asked_for_are_used():
    failure = compile_tex(document("x", preamble="\\usepackage{fontspec}"), engines=("pdflatex",))
    assert isinstance(failure, TexFailure)
    assert (failure.kind, failure.engine, failure.line) == ("engine_required", "pdflatex", 2)


# --- documents that need a second run ---


def test_an_arrow_between_pictures_lands_after_a_second_run():
    body = (
        "\\begin{tikzpicture}[remember picture]\\node[draw](a){A};\\end{tikzpicture}\\hspace{3cm}"
        "\\begin{tikzpicture}[remember picture]\\node[draw](b){B};\\draw[overlay,red](a)--(b);\\end{tikzpicture}"
    )
    import pypdfium2

    page = pypdfium2.PdfDocument(compiled(document(body), marks=False).pdf)[0]
    widths = [right - left for left, _, right, _ in (thing.get_bounds() for thing in page.get_objects())]
    assert (
        max(widths) > 80
    )  # bp: the line spans the gap of 3 cm = 85 bp; after one run it would end near its picture


def test_chemical_arrows_between_molecules_get_a_second_run():
    from diagrammar.tex.preset import preset
    from diagrammar.tex.run import run_engine

    molecules = "\\chemfig{@{a}A-B}\\chemfig{@{b}C-D}"
    for arrows, runs in (("", 1), ("\\chemmove{\\draw(a)..controls +(90:1cm)..(b);}", 2)):
        text = document(molecules + arrows, preamble="\\usepackage{chemfig}")
        run = run_engine(
            "pdflatex",
            text,
            preamble=preset("pdflatex"),
            nonce="a" * 16,
            timeout_s=30,
            isolation="bubblewrap",
        )
        assert run.succeeded and run.runs == runs


def test_the_list_of_fonts_is_made_once_for_all_documents(monkeypatch):
    import diagrammar.tex.fontcache
    from diagrammar.tex.run import run_engine

    if not diagrammar.tex.fontcache.font_caches():
        pytest.skip("no font cache here: python -m diagrammar.tex.fontcache makes one")
    text = document("x", preamble="\\usepackage{fontspec}\n\\setmainfont{No Such Font}")
    for has_list in (True, False):
        if not has_list:
            monkeypatch.setattr(diagrammar.tex.fontcache, "font_caches", lambda: ())
        run = run_engine("lualatex", text, preamble="", nonce="a" * 16, timeout_s=60, isolation="bubblewrap")
        assert ("database not found" in run.finished.output) is not has_list


def test_a_missing_font_is_named():
    failure = failed(document("x", preamble="\\usepackage{fontspec}\n\\setmainfont{No Such Font}"))
    assert (failure.kind, failure.engine) == ("font", "lualatex")
    assert failure.line in (3, 4)  # fontspec looks ahead for options


def test_a_document_without_references_runs_once():
    from diagrammar.tex.run import run_engine

    text = document("\\tikz\\draw(0,0)--(1,0);")
    once = run_engine("pdflatex", text, preamble="", nonce="a" * 16, timeout_s=30, isolation="bubblewrap")
    assert once.succeeded and once.runs == 1
    twice = run_engine(
        "pdflatex", text.replace("\\tikz\\draw", "\\label{a}\\ref{a}\\tikz\\draw"), preamble="", nonce="a" * 16,
        timeout_s=30, isolation="bubblewrap",
    )  # fmt: skip
    assert twice.succeeded and twice.runs == 2


# --- marks ---


def test_a_document_that_fails_with_marks_only_is_compiled_without():
    # its own check fails the first picture that a mark is written into
    check = (
        "\\makeatletter\\AtBeginDocument{\\let\\plain\\pgfsys@invoke\\def\\pgfsys@invoke#1{"
        "\\edef\\x{\\noexpand\\in@{\\detokenize{BDC}}{\\detokenize{#1}}}\\x"
        "\\ifin@\\errmessage{marked}\\fi\\plain{#1}}}\\makeatother"
    )
    text = document("\\tikz\\node[draw]{a};", preamble=f"\\usepackage{{tikz}}{check}")
    result = compiled(text)
    assert not result.marked and result.marks == ""
    assert any("without marks" in warning for warning in result.warnings)


def test_a_failure_before_the_hooks_is_not_tried_again():
    failure = failed(document("x", preamble="\\usepackage{tikz}\\nosuch"), marks=True)
    assert failure.kind == "undefined_command"
    assert failure.log.count("This is pdfTeX") == 1
