"""Golden documents through the second reader. Their facts are hand-made and hold for both; all of them go through it in
benchmarks/readers_agree.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diagrammar.records.diagrams import CompiledSvg
from diagrammar.scene import read_svg_scene
from diagrammar.tex import compile_to_svg

# At least one of each domain and of each thing that only one way of drawing has: clips, boxes placed late, layers,
# opacity, patterns, pages, fonts of the other engines.
NAMES = (
    "3d_shapes/cube", "charts/error_bars", "chemistry/aromatic_ring", "circuit/poles_and_wires", "fonts/fontspec",
    "graph/automaton", "ink/colour_models", "ink/patterns", "ink/shadings", "nodes/rotated", "pages/scaled_picture",
    "pages/two_pages", "paths/clip_that_draws", "planar_geometry/triangle_with_altitude", "text/faces_and_turns",
    "visibility/transparency_group",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_document_reads_as_its_facts_say(
    name: str, golden: Callable[[str], Any], differences: Callable[..., list[str]]
) -> None:
    document = golden(name)
    compiled = compile_to_svg(document.code, engines=document.engines[:1])
    assert isinstance(compiled, CompiledSvg), compiled.message
    assert compiled.marked and not compiled.repairs
    found = differences(document, read_svg_scene(compiled))
    assert not found, f"{document.facts['proves']}\n" + "\n".join(found)
