"""The second reader on faults that people reported of dvisvgm and of what reads its SVG, and on hostile pages.

The addresses are those of the reports; the expectations follow from the sources alone.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from diagrammar.records.diagrams import Compiled, CompiledSvg, TexFailure
from diagrammar.records.scenes import Scene
from diagrammar.scene import read_scene, read_svg_scene
from diagrammar.scene.sidefile import PageFrame
from diagrammar.scene.svg.page import read_page
from diagrammar.scene.svg.tree import MAX_BYTES, UnreadableSvg, parse
from diagrammar.tex import compile_tex, compile_to_svg

HEAD = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'>"


def document(body: str, *, options: str = "tikz,border=2pt", preamble: str = "") -> str:
    return f"\\documentclass[{options}]{{standalone}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def picture(body: str) -> str:
    return f"\\begin{{tikzpicture}}{body}\\end{{tikzpicture}}"


def compiled(code: str, **options: object) -> CompiledSvg:
    result = compile_to_svg(code, **options)  # type: ignore[arg-type]
    assert isinstance(result, CompiledSvg), f"{result.kind}: {result.message}"
    return result


def scene(body: str, **options: str) -> Scene:
    return read_svg_scene(compiled(document(body, **options)))


def types(read: Scene) -> Counter[str]:
    return Counter(thing.type_key for thing in read.counted)


def page(content: str) -> list[object]:
    return [
        item.ink
        for item in read_page(parse(f"{HEAD}{content}</svg>".encode()), 0, "nonce", PageFrame(600, 600))
    ]


def test_shadings_opacity_and_origin_are_those_of_the_picture() -> None:
    read = scene(
        picture(r"\shade[left color=blue,right color=white](0,0)rectangle(2,1);")  # dvisvgm 154, 263
        + picture(r"\shade[ball color=orange](0,0)circle(1);")  # kroki 1870
        + picture(r"\fill[opacity=0](0,0)circle(1);\fill[gray](3,0)circle(1);")  # make4ht 96, dvisvgm 292
    )
    shade, ball, disc = read.counted
    assert shade.box_pt is not None and ball.box_pt is not None and disc.box_pt is not None
    assert (shade.box_pt.width, shade.box_pt.height) == pytest.approx((56.69, 28.35), abs=0.1)
    assert (ball.box_pt.width, disc.box_pt.width) == pytest.approx((56.69, 56.69), abs=0.1)
    red, green, blue = (int(shade.fill[i : i + 2], 16) for i in (1, 3, 5))  # type: ignore[index]
    assert blue > 240 and 90 < red < 170 and 90 < green < 170
    assert int(ball.fill[1:3], 16) > int(ball.fill[5:7], 16) + 40  # type: ignore[index]
    assert disc.fill == "#808080"


@pytest.mark.parametrize(
    "body",
    [
        r"\draw(5,5)rectangle(7,6);\node at(6,5.5){z};",  # dvisvgm 274, 248
        r"\useasboundingbox(0,0)rectangle(1,1);\draw(-2,-2)--(3,3);\fill[red](1,0)circle(9pt);",  # tikzjax 27
    ],
)
def test_both_drivers_give_the_same_boxes_in_the_frame_of_the_ink(body: str) -> None:
    code = document(picture(body))
    pdf = compile_tex(code)
    assert isinstance(pdf, Compiled)
    one, other = read_scene(pdf), read_svg_scene(compiled(code))
    assert one.counted
    assert [thing.type_key for thing in one.counted] == [thing.type_key for thing in other.counted]
    for left, right in zip(one.counted, other.counted, strict=True):
        assert right.box_pt == pytest.approx(left.box_pt, abs=0.05)


def test_texts_are_what_the_source_says() -> None:
    labels = [
        (r"$\Omega$ 5", "Ω 5"),  # dvisvgm 304: OHM SIGN
        (r"$\oint\!f+{\displaystyle\oint}\!f$", "∮f+∮f"),  # 287: two glyphs for one character
        (r"office flag", "office flag"),  # 284
        (r"a $>$ b, c'", "a > b, c'"),  # 276
        (r"$(-4)^5$", "(-4)5"),  # 8, 33, 256
        (r"\&\%\#", "&%#"),
    ]
    nodes = "".join(f"\\node at(0,{n}){{{tex}}};" for n, (tex, _) in enumerate(labels))
    read = scene(picture(nodes))
    folded = [thing.text.replace(" + ", "+") for thing in read.counted]
    assert folded == [text for _, text in labels]
    # 214: no colour attribute is black
    assert {run.color for thing in read.counted for run in thing.runs} == {"#000000"}


def test_every_engine_keeps_its_graphics_and_marks() -> None:
    # dvisvgm 109, 283, 192: with XDV the graphics were gone
    code = document(
        picture(r"\draw(0,0)circle(1);\node[draw]at(3,0){Ω fi};"), preamble=r"\usepackage{fontspec}"
    )
    for engine in ("lualatex", "xelatex"):
        read = read_svg_scene(compiled(code, engines=(engine,)))
        assert types(read) == {"path:closed": 1, "node:rectangle": 1}
        assert [thing.text for thing in read.counted] == ["", "Ω fi"]
        assert read.counted[0].box_pt == pytest.approx((0, 0, 57.09, 57.09), abs=0.05)


def test_molecules_and_circuits_keep_their_parts() -> None:
    read = scene(
        r"\chemfig{*6(=-=-=-)}\quad\begin{circuitikz}\draw(0,0)to[R,o-*](2,0);\end{circuitikz}",
        options="border=2pt",
        preamble=r"\usepackage{chemfig,circuitikz}",
    )
    found = types(read)
    assert found["bond:single"] == 3 and found["bond:double"] == 3  # dvisvgm 113
    assert (found["component:R"], found["node:ocirc"], found["node:circ"]) == (1, 1, 1)  # 139, 150


def test_an_arrow_between_pictures_lands_where_the_pdf_has_it() -> None:
    # dvisvgm 108: wrong after one run, since its ends are remembered
    remembered = r"\begin{tikzpicture}[remember picture]\node[draw](%s){%s};\end{tikzpicture}"
    path = r"\draw[red](a)..controls +(90:1cm)and +(90:1cm)..(b);"
    arrow = rf"\begin{{tikzpicture}}[remember picture,overlay]{path}\end{{tikzpicture}}"
    code = document(
        remembered % ("a", "A") + r"\hspace{2cm}" + remembered % ("b", "B") + arrow,
        options="border=40pt",
        preamble=r"\usepackage{tikz}",
    )
    pdf = compile_tex(code)
    assert isinstance(pdf, Compiled)
    arrows = [
        next(thing for thing in read.counted if thing.stroke == "#ff0000")
        for read in (read_scene(pdf), read_svg_scene(compiled(code)))
    ]
    assert arrows[0].box_pt is not None and arrows[0].box_pt.width > 40
    assert arrows[1].box_pt is not None
    assert tuple(arrows[1].box_pt) == pytest.approx(tuple(arrows[0].box_pt), abs=0.1)


def test_cmyk_is_the_colour_that_its_numbers_say() -> None:
    # pgf 1319: by driver another RGB; 1427: fadings under the model cmyk did not compile
    read = scene(
        picture(
            r"\definecolor{m}{cmyk}{1,0,1,0}\fill[m](0,0)circle(1);\fill[m,path fading=west](3,0)circle(1);"
        ),
        options="tikz,border=2pt,cmyk",
        preamble=r"\usetikzlibrary{fadings}",
    )
    assert read.counted[0].fill == "#00ff00"


def test_what_the_driver_cannot_draw_is_a_failure_of_its_own_kind() -> None:
    code = document(
        r"\begin{tikzpicture}\begin{axis}\addplot3[surf,shader=interp,samples=3]{x};\end{axis}\end{tikzpicture}",
        preamble=r"\usepackage{pgfplots}\pgfplotsset{compat=1.18}",
    )
    failure = compile_to_svg(code)
    assert isinstance(failure, TexFailure)
    assert failure.kind == "driver_limit" and "--reader pdf" in failure.hint


def test_what_the_driver_leaves_out_is_a_warning() -> None:
    read = compiled(document(picture(r"\shade[shading=color wheel](0,0)circle(1);\draw(0,0)--(1,1);"),
                             preamble=r"\usetikzlibrary{shadings}"))  # fmt: skip
    assert any("functional shadings" in warning for warning in read.warnings)


def test_pages_stand_below_one_another_and_share_their_fonts() -> None:
    # dvisvgm 110: with --no-fonts a page referred to glyphs of another page's file
    code = document(
        picture(r"\node{a$\bullet$};") + picture(r"\node[draw,minimum size=2cm]{b$\bullet$};") + "c"
        + picture(r"\draw(0,0)--(1,3);")
    )  # fmt: skip
    read = read_svg_scene(compiled(code))
    assert [thing.text for thing in read.counted] == ["a·", "b·", "c", ""]
    first, second = (thing.box_pt for thing in read.counted[:2])
    assert first is not None and second is not None
    assert (second.width, second.height) == pytest.approx((57.09, 57.09), abs=0.02)
    assert second.top == pytest.approx(first.bottom + 12, abs=0.01)
    # pages of latex's own order: each picture on its own, as in the PDF
    pdf = compile_tex(code)
    assert isinstance(pdf, Compiled)
    assert (read.pages, read.size_pt) == (4, pytest.approx(read_scene(pdf).size_pt, abs=0.1))


def test_a_document_reaches_nothing_through_dvisvgm(tmp_path: Path) -> None:
    secret = tmp_path / "secret.svg"
    secret.write_text(f"{HEAD}<rect id='leaked' width='9' height='9'/></svg>")
    specials = (
        rf"\special{{dvisvgm:img 20 20 {secret}}}\special{{psfile={secret}}}"
        rf"\special{{dvisvgm:raw <image width='9' height='9' xlink:href='file://{secret}'/>}}"
        rf"\special{{ps: ({secret}) (r) file 100 string readstring pop == }}"
    )
    result = compile_to_svg(document(specials + picture(r"\node{seen};")))
    # dvisvgm may refuse such a file; what it makes of it holds nothing of the host
    if isinstance(result, CompiledSvg):
        assert b"leaked" not in b"".join(result.pages)
    else:
        assert result.kind == "conversion_failed"


def test_what_a_document_writes_into_its_page_carries_no_mark() -> None:
    mark = "<g class='aaaaaaaaaaaaaaaa' data-n='1'/>"
    forged = rf"\special{{dvisvgm:raw {mark}<rect x='10' y='10' width='30' height='9'/>}}"
    read = scene(picture(rf"\draw(0,0)--(2,2);{forged}"), options="border=2pt", preamble=r"\usepackage{tikz}")
    assert types(read) == {"path:open": 1}
    assert [thing.kind for thing in read.objects if thing.kind == "ink"] == ["ink"]


def test_a_page_out_of_joint_is_a_failure_and_no_crash() -> None:
    result = compile_to_svg(document(r"\special{dvisvgm:raw <g><b}" + picture(r"\draw(0,0)--(1,0);")))
    assert isinstance(result, TexFailure)
    assert result.kind == "conversion_failed" and result.message.startswith("dvisvgm: ")


def test_a_missing_target_is_told_and_not_read_as_nothing() -> None:
    with pytest.raises(UnreadableSvg, match="#g0-65"):
        page("<use x='1' y='2' xlink:href='#g0-65'/>")


@pytest.mark.parametrize(
    "content",
    [
        "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/hostname'>]>" + HEAD + "<text>&a;</text></svg>",
        "<!DOCTYPE svg [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]>"
        + HEAD
        + "<rect width='3' height='3'/>&b;</svg>",
    ],
)
def test_entities_stay_shut(content: str) -> None:
    tree = parse(content.encode())
    assert all(item.ink.kind == "path" for item in read_page(tree, 0, "nonce", PageFrame(9, 9)))


@pytest.mark.parametrize("content", [b"", b"<svg", b"<html/>", b"\xff\xfe", b"<svg>" + b" " * MAX_BYTES])
def test_what_is_no_page_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableSvg):
        parse(content)


def test_hostile_shapes_are_read_or_left_out_but_never_loop() -> None:
    deep = "<g stroke='#f00'>" * 1500 + "<rect width='9' height='9'/>" + "</g>" * 1500
    assert len(page(deep)) == 1
    with pytest.raises(UnreadableSvg, match="depth"):
        page(deep.replace("<g", "<g><g").replace("</g>", "</g></g>"))
    assert len(page("<g id='a'><use xlink:href='#a'/><rect width='9' height='9'/></g>")) == 2
    assert page("<linearGradient id='b' xlink:href='#b'/><rect width='9' height='9' fill='url(#b)'/>")
    assert (
        page("<path d='M0 0L1e400 nan 5 5A1 1 0 2 2'/><rect width='-5' height='x'/><path d='Q'/>") is not None
    )
    (clipped,) = page("<clipPath id='c'/><rect width='9' height='9' clip-path='url(#c)'/>")
    assert clipped.box is None  # type: ignore[attr-defined]


def test_a_pattern_hides_nothing_of_what_lies_under_it() -> None:
    read = scene(
        picture(r"\fill[black!50](0,0)rectangle(1,1);\pattern[pattern=bricks](0,0)rectangle(1,1);"),
        preamble=r"\usetikzlibrary{patterns}",
    )
    assert [thing.fill for thing in read.counted] == ["#808080", "#000000"]
