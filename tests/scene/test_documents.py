"""Every golden document reads as its facts say: by its first engine, and a part of them by all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diagrammar.records.diagrams import Compiled
from diagrammar.records.scenes import Scene
from diagrammar.scene import read_scene
from diagrammar.tex import compile_tex
from diagrammar.tex.marks import HOOKS

DOCUMENTS = Path(__file__).parent.parent / "documents"
NAMES = sorted(str(path.relative_to(DOCUMENTS).with_suffix("")) for path in DOCUMENTS.glob("*/*.tex"))
IN_EVERY_ENGINE = [
    name
    for name in NAMES
    if "every_engine = true" in (DOCUMENTS / f"{name}.toml").read_text(encoding="utf-8")
]
DOMAINS = ("3d_shapes", "charts", "chemistry", "circuit", "graph", "planar_geometry")


def _read(code: str, engine: Any) -> Scene:
    compiled = compile_tex(code, engines=(engine,))
    assert isinstance(compiled, Compiled), f"{engine}: {compiled.message}"
    assert not compiled.repairs, f"a golden needs no repair: {compiled.repairs}"
    assert compiled.marked, compiled.warnings
    return read_scene(compiled)


@pytest.mark.parametrize("name", NAMES)
def test_a_document_reads_as_its_facts_say(
    name: str, golden: Callable[[str], Any], differences: Callable[..., list[str]]
) -> None:
    document = golden(name)
    found = differences(document, _read(document.code, document.engines[0]))
    assert not found, f"{document.facts['proves']}\n" + "\n".join(found)


@pytest.mark.parametrize("name", IN_EVERY_ENGINE)
def test_the_other_engines_read_the_same(
    name: str, golden: Callable[[str], Any], differences: Callable[..., list[str]]
) -> None:
    document = golden(name)
    found = [
        f"{engine}: {line}"
        for engine in document.engines[1:]
        for line in differences(document, _read(document.code, engine))
    ]
    assert not found, f"{document.facts['proves']}\n" + "\n".join(found)


def test_the_documents_are_enough_and_cover_every_domain() -> None:
    assert len(NAMES) >= 60
    per_domain = {domain: sum(name.startswith(f"{domain}/") for name in NAMES) for domain in DOMAINS}
    assert min(per_domain.values()) >= 5, per_domain


@pytest.mark.parametrize("name", NAMES)
def test_a_document_says_what_it_proves_and_which_hooks_it_needs(
    name: str, golden: Callable[[str], Any]
) -> None:
    facts = golden(name).facts
    assert facts["proves"]
    assert set(facts["hooks"]) <= set(HOOKS)
    assert "types" in facts or "types_at_least" in facts
