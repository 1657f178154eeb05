"""The installed manuals: each package's examples that are shown with their picture."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from diagrammar.catalog import load_all
from diagrammar.corpus.domain import packages_of
from diagrammar.corpus.reading.source import Opened, Option, Part, SourceKind
from diagrammar.errors import ToolMissing
from diagrammar.manuals.reading.manual import Example, Manual, Sources
from diagrammar.manuals.reading.sources import find_sources, texmf_roots
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram, Source

_LISTING = "the manual prints this code without a picture"
_SETUP = "the manual runs this code without a picture"


def installed_manuals(*, roots: Sequence[Path] | None = None) -> list[tuple[Manual, Sources]]:
    """Each manual of this package with its sources; those that are not installed have no files."""
    trees = texmf_roots() if roots is None else roots
    return [
        (manual, find_sources(manual, trees)) for manual in load_all("diagrammar.manuals", Manual).values()
    ]


def open_manuals(*, texmf: Sequence[str | Path] = ()) -> Opened:
    """The manuals in these trees, or in the installed ones. Raises ToolMissing where there are none."""
    found = installed_manuals(roots=[Path(tree) for tree in texmf] or None)
    present = [(manual, sources) for manual, sources in found if sources.files]
    if not present:
        raise ToolMissing("no manual source found; run scripts/setup.sh, or name a texmf tree with --texmf")
    missing = tuple(
        f"{manual.package}: no manual source found; {manual.remedy}" for manual, sources in found
        if not sources.files
    )  # fmt: skip
    hashes = [file.sha256 for _, sources in present for file in sources.files]

    def parts() -> Iterator[Part]:
        for position, (manual, sources) in enumerate(present, start=1):
            yield Part(manual.package, partial(collect_manual, manual, sources), position)

    digest = hashlib.sha256("\n".join(hashes).encode()).hexdigest()[:16]
    return Opened(digest, parts, len(present), "manuals", missing)


def collect_manual(manual: Manual, sources: Sources) -> Iterator[Diagram | Skipped]:
    """A Diagram for each example that the manual shows with its picture, in the manual's order."""
    for example in manual.read(sources):
        if example.role != "shown":
            where = f"{example.file.name}:{example.line}"
            message = _LISTING if example.role == "listing" else _SETUP
            yield Skipped(where=where, reason=example.role, message=message)
            continue
        yield diagram_of(manual, example)


def diagram_of(manual: Manual, example: Example) -> Diagram:
    """The example as a Diagram. Its id names package, file and line."""
    code = manual.document(example)
    stem = re.split(r"[/!]", example.file.name)[-1].removesuffix(".gz").removesuffix(".tex")
    return Diagram(
        id=f"{manual.package}.{stem.removeprefix(manual.package + '.')}.{example.line}",
        code=code,
        packages=packages_of(code),
        domain=manual.classify(example),
        source=Source(
            url=example.file.name, licence=manual.licence, sha256=example.file.sha256, line=example.line
        ),
        preamble=code.partition(r"\begin{document}")[0],
    )


def example(folder: Path) -> Opened:
    """A texmf tree with one manual, which is its own sample."""
    manual, pattern = next(
        (manual, pattern)
        for manual in load_all("diagrammar.manuals", Manual).values()
        for pattern in manual.sources
        if pattern.endswith(".tex") and "**" not in pattern
    )
    path = folder / pattern.replace("*", "example")
    path.parent.mkdir(parents=True)
    path.write_text(manual.sample)
    return open_manuals(texmf=[folder])


MANUALS = SourceKind(
    name="manuals",
    summary="Collect the examples of the packages' installed manuals.",
    takes="nothing",
    open=open_manuals,
    example=example,
    options=(
        Option("texmf", "A texmf tree to search instead of the installed ones; may be repeated.", "folders"),
    ),
)
