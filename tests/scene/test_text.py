"""Strings as a person reads them: what is folded, whichever engine wrote the glyphs."""

from __future__ import annotations

import pytest

from diagrammar.records.diagrams import ENGINES, Engine
from diagrammar.scene import read_scene
from diagrammar.scene.oldfonts import character
from diagrammar.scene.text import fold
from diagrammar.tex import compile_tex


@pytest.mark.parametrize(
    ("decoded", "read"),
    [
        ("a\x02 b", "a- b"),  # a hyphen at the end of a line
        ("−1", "-1"),
        ("–", "-"),
        ("ﬁne", "fine"),
        ("µ", "μ"),
        ("Ω", "Ω"),
        ("90◦", "90°"),
        ("  two \n words ", "two words"),
        ("f′", "f'"),
        ("\uf731\uf739\uf6be", "19j"),
    ],
)
def test_look_alikes_read_as_one_character(decoded: str, read: str) -> None:
    assert fold(decoded) == read


def test_a_code_means_what_its_font_says() -> None:
    assert character("CMSY10", 0x0C) == "⊙"
    assert character("ABCDEF+MSAM7", 0x0C) == "⊟"
    assert character("CMR10", 0x0C) is None


@pytest.mark.parametrize("engine", ENGINES)
def test_maths_of_the_old_fonts_reads_alike_in_every_engine(engine: Engine) -> None:
    # among them codes that are white space or control characters elsewhere, and big braces at codes 9 and 28
    nodes = {
        r"\epsilon\triangleright.\ell": "ε▷.l",
        r"A\odot B\ominus C\bot D": "A ⊙ B ⊖ C⊥D",
        r"\lfloor x\rfloor\langle y\rangle": "⌊x⌋〈y〉",
        r"\square\leqslant\nleq\mathbb{R}": "□ ⩽≰ R",
        r"\big\{x\big\}": "{x}",
    }
    body = "".join(rf"\node at (0,{n}) {{${formula}$}};" for n, formula in enumerate(nodes))
    head = r"\documentclass[tikz]{standalone}\usepackage{amssymb}\begin{document}\begin{tikzpicture}"
    text = head + body + r"\end{tikzpicture}\end{document}"
    compiled = compile_tex(text, engines=(engine,))
    assert compiled.ok
    read = [thing.text.replace(" ", "") for thing in read_scene(compiled).counted]
    assert read == [expected.replace(" ", "") for expected in nodes.values()]


@pytest.mark.parametrize("engine", ["lualatex", "xelatex"])
def test_letters_beyond_the_first_plane_are_one_character(engine: Engine) -> None:
    text = r"""\documentclass[tikz]{standalone}\usepackage{unicode-math}\begin{document}
\begin{tikzpicture}\node{$x\alpha\mathcal{A}$};\end{tikzpicture}\end{document}"""
    compiled = compile_tex(text, engines=(engine,))
    assert compiled.ok
    scene = read_scene(compiled)
    assert [thing.text for thing in scene.counted] == ["xαA"]
    assert "xαA" in scene.model_dump_json()
