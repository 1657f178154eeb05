"""Faults that people reported of other converters, each with the value that is right.

The addresses are those of the reports; the expectations follow from the sources alone.
"""

from __future__ import annotations

import io
from collections import Counter

import numpy as np
import pytest
from PIL import Image

from diagrammar.records.diagrams import Compiled
from diagrammar.records.scenes import Scene
from diagrammar.scene import read_scene
from diagrammar.scene.picture import draw_picture
from diagrammar.tex import compile_tex


def document(body: str, *, options: str = "tikz,border=2pt", preamble: str = "") -> str:
    return f"\\documentclass[{options}]{{standalone}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def compiled(code: str, **options: object) -> Compiled:
    result = compile_tex(code, **options)  # type: ignore[arg-type]
    assert isinstance(result, Compiled), result.message
    return result


def scene(body: str, **options: str) -> Scene:
    return read_scene(compiled(document(body, **options)))


def picture(body: str) -> Scene:
    return scene(f"\\begin{{tikzpicture}}{body}\\end{{tikzpicture}}")


def types(read: Scene) -> Counter[str]:
    return Counter(thing.type_key for thing in read.counted)


def test_what_has_no_opacity_is_not_there_and_its_neighbour_is() -> None:
    # make4ht 96, dvisvgm 292
    read = picture(r"\fill[opacity=0](0,0)circle(1);\fill[gray](2,0)circle(1);")
    assert [thing.fill for thing in read.counted] == ["#808080"]


def test_a_gradient_rectangle_keeps_its_size_and_a_colour() -> None:
    # dvisvgm 154, 263
    (shade,) = picture(r"\shade[left color=blue,right color=white](0,0)rectangle(2,1);").counted
    assert shade.box_pt is not None
    assert (shade.box_pt.width, shade.box_pt.height) == pytest.approx((56.69, 28.35), abs=0.1)
    red, green, blue = (int(shade.fill[i : i + 2], 16) for i in (1, 3, 5))  # type: ignore[index]
    assert blue > 240
    assert 90 < red < 170
    assert 90 < green < 170


def test_a_ball_is_one_path_of_its_colour() -> None:
    # kroki 1870
    (ball,) = picture(r"\shade[ball color=orange](0,0)circle(1);").counted
    assert ball.type_key == "path:closed"
    assert ball.box_pt is not None
    assert ball.box_pt.width == pytest.approx(56.69, abs=0.1)
    assert int(ball.fill[1:3], 16) > int(ball.fill[5:7], 16) + 40  # type: ignore[index]


def test_boxes_start_at_the_ink_wherever_the_origin_is() -> None:
    # dvisvgm 274, 248
    read = picture(r"\draw(5,5)rectangle(7,6);\node at(6,5.5){z};")
    frame = next(thing for thing in read.counted if thing.kind == "path")
    assert frame.box_pt == pytest.approx((0, 0, 57.09, 28.74), abs=0.02)


@pytest.mark.parametrize(
    "label", [r"$(-4)^5$", r"$\left[\frac{1}{2}\right]$", r"\underline{g}", r"$\overline{A}$"]
)
def test_no_ink_touches_the_edge_of_the_picture(label: str) -> None:
    # dvisvgm 8, 33, 256
    png = draw_picture(compiled(document(rf"\tikz\node{{{label}}};", options="tikz"))).png
    pixels = np.array(Image.open(io.BytesIO(png)).convert("L"))
    edges = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert edges.min() == 255
    assert pixels.min() < 60


@pytest.mark.parametrize(
    ("label", "text"),
    [
        (r"$\Omega$", "Ω"),  # dvisvgm 304
        (r"$\oint f$ $\displaystyle\oint f$", "∮ f ∮ f"),  # dvisvgm 287
        ("office flag", "office flag"),  # dvisvgm 284
        ("a $>$ b, c'", "a > b, c'"),  # dvisvgm 276
    ],
)
def test_texts_read_as_their_source(label: str, text: str) -> None:
    assert [thing.text for thing in picture(rf"\node{{{label}}};").counted] == [text]


def test_the_ohm_sign_is_the_same_in_every_engine() -> None:
    # dvisvgm 304: U+2126 by one route, U+03A9 by another
    by_command = document(r"\tikz\node{$\Omega$};")
    typed = document(r"\tikz\node{Ω};", preamble=r"\usepackage{fontspec}")
    texts = {thing.text for code in (by_command, typed) for thing in read_scene(compiled(code)).counted}
    assert texts == {"Ω"}


def test_what_lies_outside_the_bounding_box_does_not_count() -> None:
    # tikzjax 27, LaTeXML 2399: the page is the box [0, 1] x [0, 1], the frame around it is off the page
    code = document(
        r"\begin{tikzpicture}\useasboundingbox(0,0)rectangle(1,1);\draw(-2,-2)rectangle(3,3);\fill[red](.5,.5)circle(.2);"
        r"\end{tikzpicture}",
        options="tikz",
    )
    assert [thing.fill for thing in read_scene(compiled(code)).counted] == ["#ff0000"]


def test_a_ring_has_its_six_bonds_in_xelatex_too() -> None:
    # dvisvgm 113
    code = document(r"\chemfig{*6(=-=-=-)}", preamble=r"\usepackage{fontspec,chemfig}", options="border=2pt")
    read = read_scene(compiled(code, engines=("xelatex",)))
    assert types(read) == {"bond:double": 3, "bond:single": 3}


def test_an_electron_arrow_lands_at_its_bond() -> None:
    # dvisvgm 108: after one run the arrow's ends are not known yet
    code = document(
        r"\chemfig{A@{a}-[,2]B}\chemmove{\draw[red](a)--++(0,1);}",
        preamble=r"\usepackage{chemfig}",
        options="border=20pt",
    )
    read = read_scene(compiled(code))
    bond = next(thing for thing in read.counted if thing.kind == "bond")
    stem = next(thing for thing in read.counted if thing.stroke == "#ff0000")
    assert bond.box_pt is not None
    assert stem.box_pt is not None
    assert bond.box_pt.left - 8 <= stem.box_pt.left <= bond.box_pt.right + 8
    assert stem.box_pt.bottom == pytest.approx(bond.box_pt.bottom, abs=6)


def test_open_and_closed_poles_are_kept() -> None:
    # dvisvgm 139, 150
    read = scene(
        r"\begin{circuitikz}\draw(0,0)to[R,o-*](2,0);\end{circuitikz}", preamble=r"\usepackage{circuitikz}"
    )
    assert types(read) == {"node:ocirc": 1, "node:circ": 1, "component:R": 1, "path:open": 1}


def test_cmyk_colours_are_their_plain_rgb() -> None:
    # pgf 1319: 1 - min(1, c + k) in each channel
    (disc,) = picture(r"\definecolor{m}{cmyk}{.2,.8,.1,.1}\fill[m](0,0)circle(1);").counted
    assert disc.fill == "#b31acc"  # 0.7, 0.1, 0.8


def test_a_cmyk_document_with_fadings_compiles() -> None:
    # pgf 1427
    read = scene(
        r"\tikz\fill[blue,path fading=east](0,0)rectangle(2,1);",
        preamble="\\PassOptionsToPackage{cmyk}{xcolor}\\usepackage{xcolor}\\usepackage{tikz}\\usetikzlibrary{fadings}",
        options="border=2pt",
    )
    assert types(read) == {"path:closed": 1}


def test_text_without_a_colour_is_black_and_a_path_without_stroke_has_none() -> None:
    # dvisvgm 214
    read = picture(r"\node{A};\fill[red](1,0)rectangle(2,1);")
    node, path = read.counted
    assert [run.color for run in node.runs] == ["#000000"]
    assert (node.fill, node.stroke, path.stroke) == (None, None, None)


def test_objects_of_loops_and_macros_are_seen() -> None:
    # tikz-editor 10, 8
    read = picture(r"\newcommand\dotat[2]{\draw(#1,#2)circle(2pt);}\foreach\i in{0,...,2}{\dotat{\i}{0}}")
    assert types(read) == {"path:closed": 3}


def test_white_text_on_a_filled_bar_is_read() -> None:
    # pdfCropMargins 74
    read = picture(r"\node[fill=blue,text=white,minimum width=4cm]{Title};")
    (bar,) = read.counted
    assert (bar.text, bar.fill, bar.runs[0].color) == ("Title", "#0000ff", "#ffffff")


def test_a_thin_minus_is_read_wherever_it_falls_between_pixels() -> None:
    # Its bar is thinner than half a pixel of the pages that tell what shows: 13 of these hundred were lost.
    read = picture(
        r"\foreach \n in {0,...,99}"
        r"\node at ({mod(\n,10)*1.3037},{floor(\n/10)*0.7093+\n*0.0037}) {$10^{-4}$};"
    )
    assert Counter(thing.text for thing in read.counted) == {"10-4": 100}


def test_an_empty_picture_is_an_empty_scene_and_a_blank_picture() -> None:
    # pdfCropMargins 43, 64
    body = r"\begin{tikzpicture}\end{tikzpicture}\strut"
    result = compiled(document(body, options="border=2pt", preamble=r"\usepackage{tikz}"))
    read = read_scene(result)
    assert (read.counted, read.size_pt) == ((), (0.0, 0.0))
    assert np.array(Image.open(io.BytesIO(draw_picture(result).png))).min() == 255


def test_a_negative_origin_cuts_nothing() -> None:
    # pdfCropMargins 56, 54
    result = compiled(document(r"\begin{tikzpicture}\fill[black](-9,-7)rectangle(-8,-6);\end{tikzpicture}"))
    drawn = draw_picture(result, dpi=72)
    pixels = np.array(Image.open(io.BytesIO(drawn.png)).convert("L"))
    assert int((pixels < 128).sum()) == pytest.approx(28.35**2, rel=0.08)
