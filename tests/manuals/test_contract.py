"""Every file of the room runs its own sample. The documents of the samples compile: about twenty seconds."""

from __future__ import annotations

import subprocess

import pytest

from diagrammar.catalog import load, load_all
from diagrammar.manuals.reading.manual import Manual, SourceFile, Sources
from diagrammar.records.diagrams import DOMAINS, Compiled
from diagrammar.tex import compile_tex

NAMES = {"tikz-pgf": "pgf.sty"}  # of the style file, where it is not the package's


def style_file(package: str) -> bool:
    name = NAMES.get(package, f"{package}.sty")
    return subprocess.run(["kpsewhich", name], capture_output=True, check=False).returncode == 0


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
    if not style_file(manual.package):
        pytest.skip(f"{manual.package} itself is not installed; run scripts/setup.sh --all-manuals")
    assert isinstance(compile_tex(document), Compiled)
