"""Each hook of marks.sty is needed: without it a golden document that names it no longer reads as its facts say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from diagrammar.records.diagrams import Compiled
from diagrammar.scene import read_scene
from diagrammar.tex import compile_tex
from diagrammar.tex.marks import HOOKS

WITNESSES = {
    "picture": "scopes/parents",
    "scope": "scopes/transformations",
    "node": "nodes/shapes_basic",
    "axis": "charts/group",
    "path": "paths/pre_and_postactions",
    "basicpath": "paths/basic_layer",
    "series": "charts/bars",
    "point": "charts/function_plot",
    "marker": "charts/line_and_markers",
    "component": "circuit/divider",
    "atom": "chemistry/groups_and_charges",
    "bond": "chemistry/branches_and_bonds",
}


def test_every_hook_has_a_witness() -> None:
    assert set(WITNESSES) == set(HOOKS)


@pytest.mark.parametrize("hook", HOOKS)
def test_without_the_hook_a_golden_document_fails(
    hook: str, golden: Callable[[str], Any], differences: Callable[..., list[str]]
) -> None:
    document = golden(WITNESSES[hook])
    assert hook in document.facts["hooks"]
    compiled = compile_tex(document.code, engines=("pdflatex",), without_hooks=frozenset({hook}))
    assert isinstance(compiled, Compiled)
    assert compiled.marked, "it must be the missing mark that shows, not a document compiled without any"
    assert differences(document, read_scene(compiled))
