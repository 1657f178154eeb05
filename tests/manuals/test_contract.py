"""Every file of the room runs its own sample. The documents of the six samples compile: about six seconds."""

from __future__ import annotations

import pytest

from diagrammar.catalog import load, load_all
from diagrammar.manuals.reading.manual import Manual, SourceFile, Sources
from diagrammar.records.diagrams import DOMAINS, Compiled
from diagrammar.tex import compile_tex

MANUALS = sorted(load_all("diagrammar.manuals", Manual))


@pytest.mark.parametrize("name", MANUALS)
def test_a_manual_reads_its_own_sample(name: str) -> None:
    manual = load("diagrammar.manuals", name, Manual)
    file = SourceFile(manual.sources[0].replace("*", ""), manual.sample, "0" * 64)
    examples = [example for example in manual.read(Sources((file,))) if example.role == "shown"]
    assert len(examples) == 1
    assert manual.classify(examples[0]) in DOMAINS
    assert manual.licence
    document = manual.document(examples[0])
    assert document.startswith("\\documentclass")
    assert isinstance(compile_tex(document, engines=("pdflatex",)), Compiled)
