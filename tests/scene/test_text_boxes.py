"""Boxes of text are those of its ink: aslant and beside rules."""

from __future__ import annotations

import pytest

from diagrammar.records.diagrams import Compiled
from diagrammar.records.scenes import Box
from diagrammar.scene import read_scene
from diagrammar.tex import compile_tex


def boxes(*nodes: str) -> list[Box]:
    body = "".join(rf"\node{node};" for node in nodes)
    picture = rf"\begin{{tikzpicture}}{body}\end{{tikzpicture}}"
    compiled = compile_tex(rf"\documentclass[tikz]{{standalone}}\begin{{document}}{picture}\end{{document}}")
    assert isinstance(compiled, Compiled), compiled.message
    found = [thing.box_pt for thing in read_scene(compiled).counted]
    assert len(found) == len(nodes)
    return [box for box in found if box is not None]


def test_a_dot_is_as_wide_aslant_as_upright() -> None:
    # cmr10's period is a disc of 0.106 em, 1.056 bp at 10 pt; the box of its turned box would have 1.49
    upright, aslant, sheared = boxes("{.}", "[rotate=45]at(1,0){.}", "[xslant=.5,transform shape]at(2,0){.}")
    assert (upright.width, upright.height) == pytest.approx((1.056, 1.056), abs=0.03)
    assert (aslant.width, aslant.height) == pytest.approx((1.056, 1.056), abs=0.03)
    # a disc under x' = x + y / 2 is sqrt(1.25) as wide; the box of the sheared box is 1.5 as wide
    assert (sheared.width, sheared.height) == pytest.approx((1.181, 1.056), abs=0.03)


def test_a_fraction_is_as_wide_as_its_bar() -> None:
    # a digit of cmr7 advances 0.569 em: 3.97 bp at 7 pt, and the bar ends there, without half a line at each end
    (fraction,) = boxes(r"{$\frac{1}{2}$}")
    assert fraction.width == pytest.approx(3.97, abs=0.02)
