"""Every kind of source reads its own example, and the command collects it. The five examples compile: ten seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from diagrammar.catalog import load, load_all
from diagrammar.cli.collect import command
from diagrammar.corpus.reading.source import Opened, SourceKind
from diagrammar.records.diagrams import DOMAINS, Compiled, Diagram
from diagrammar.tex import compile_tex

KINDS = sorted(load_all("diagrammar.corpus.sources", SourceKind))


def diagrams(opened: Opened) -> list[Diagram]:
    return [piece for part in opened.parts() for piece in part.read() if isinstance(piece, Diagram)]


@pytest.mark.parametrize("name", KINDS)
def test_a_source_reads_its_own_example(name: str, tmp_path: Path) -> None:
    kind = load("diagrammar.corpus.sources", name, SourceKind)
    assert kind.name == name and kind.summary.endswith(".")
    opened = kind.example(tmp_path)
    (diagram,) = diagrams(opened)
    assert diagrams(opened) == [diagram]
    assert diagram.domain in DOMAINS and diagram.packages
    assert diagram.source.licence and diagram.source.url and len(diagram.source.sha256) == 64
    assert diagram.source.line is not None and diagram.source.line >= 1
    parts = list(opened.parts())
    assert len({part.id for part in parts}) == len(parts)
    assert isinstance(compile_tex(diagram.code, engines=("pdflatex",)), Compiled)


@pytest.mark.parametrize("name", KINDS)
def test_every_source_is_a_command_with_its_options_and_the_common_ones(name: str) -> None:
    kind = load("diagrammar.corpus.sources", name, SourceKind)
    told = CliRunner().invoke(command, [name, "--help"])
    assert told.exit_code == 0
    for option in ("out", "limit", "seed", "json", *(option.name for option in kind.options)):
        assert f"--{option.replace('_', '-')}" in told.output
