"""corpus, step 1: manuals or a folder -> Diagram. Next: refine."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from diagrammar.catalog import load_all
from diagrammar.corpus.domain import domain_of, packages_of
from diagrammar.corpus.pictures import documents_of
from diagrammar.manuals.reading.manual import Example, Manual, Sources
from diagrammar.manuals.reading.sources import find_sources, texmf_roots
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram, Source
from diagrammar.store import Stage

LARGEST_FILE_BYTES = 2_000_000
_LISTING = "the manual prints this code without a picture"
_SETUP = "the manual runs this code without a picture"


def installed_manuals(*, roots: Sequence[Path] | None = None) -> list[tuple[Manual, Sources]]:
    """Each manual of this package with its sources; those that are not installed have no files."""
    trees = texmf_roots() if roots is None else roots
    return [
        (manual, find_sources(manual, trees)) for manual in load_all("diagrammar.manuals", Manual).values()
    ]


def collect_manual(manual: Manual, sources: Sources) -> Iterator[Diagram | Skipped]:
    """A Diagram for each example that the manual shows with its picture, in the manual's order."""
    for example in manual.read(sources):
        if example.role != "shown":
            where = f"{example.file.name}:{example.line}"
            yield Skipped(
                where=where, reason=example.role, message=_LISTING if example.role == "listing" else _SETUP
            )
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


def collect_folder(folder: Path) -> Iterator[Diagram | Skipped]:
    """A Diagram for each picture in each .tex file below the folder, by path; nothing hidden is read."""
    for path in tex_files(folder):
        name = os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", "replace")
        text = _read(path, name)
        if isinstance(text, Skipped):
            yield text
            continue
        found = documents_of(text)
        if not found:
            yield Skipped(where=name, reason="no_picture", message="nothing in it draws")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        for number, picture in enumerate(found, start=1):
            yield Diagram(
                id=f"{_slug(name)}.{number}",
                code=picture.document,
                packages=packages_of(picture.document),
                domain=domain_of(picture.document),
                source=Source(url=name, licence="unknown", sha256=digest, line=picture.line),
                preamble=picture.document.partition(r"\begin{document}")[0],
            )


def tex_files(folder: Path) -> Iterator[Path]:
    """The .tex files below the folder, sorted; each real file and folder once, so that link loops end."""
    seen: set[tuple[int, int]] = set()
    for parent, folders, files in os.walk(folder, followlinks=True):
        identity = os.stat(parent)
        if (identity.st_dev, identity.st_ino) in seen:
            folders.clear()
            continue
        seen.add((identity.st_dev, identity.st_ino))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(parent, name)
            if name.startswith(".") or not name.lower().endswith(".tex"):
                continue
            try:
                file = path.stat()
            except OSError:  # a broken link: reading it will say so
                yield path
                continue
            if (file.st_dev, file.st_ino) not in seen:
                seen.add((file.st_dev, file.st_ino))
                yield path


def stage_of(out: Path, *, source: str, digest: str, limit: int | None, seed: int) -> Stage[Diagram]:
    """The stage folder of a collection, created or reopened; refused where it was made of something else."""
    made_with: dict[str, str | int] = {"source": source, "digest": digest}
    if limit is not None:
        made_with |= {"limit": limit, "seed": seed}
    return Stage(out, Diagram, stage="collect", made_with=made_with)


def folder_digest(folder: Path) -> str:
    """Changes when a .tex file below the folder comes, goes or is written."""
    parts = []
    for path in tex_files(folder):
        try:
            status = path.stat()
            parts.append(f"{path.relative_to(folder)} {status.st_size} {status.st_mtime_ns}")
        except OSError:
            parts.append(f"{path.relative_to(folder)} -")
    return digest_of(parts)


def digest_of(parts: Sequence[str]) -> str:
    """A short hash of what a stage was made of."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _read(path: Path, name: str) -> str | Skipped:
    try:
        if not path.is_file():
            return Skipped(where=name, reason="unreadable", message="no regular file")
        if path.stat().st_size > LARGEST_FILE_BYTES:
            size = f"{path.stat().st_size / 1e6:.0f} MB; a file may have {LARGEST_FILE_BYTES / 1e6:.0f} MB"
            return Skipped(where=name, reason="too_large", message=size)
        blob = path.read_bytes()
    except OSError as error:
        return Skipped(where=name, reason="unreadable", message=error.strerror or str(error))
    if b"\0" in blob or blob.startswith(b"%PDF-"):
        return Skipped(where=name, reason="binary", message="not a text file")
    try:
        text = blob.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = blob.count(b"\n", 0, error.start) + 1
        return Skipped(
            where=name, reason="invalid_utf8", message=f"line {line} is not UTF-8; save it as UTF-8"
        )
    if not text.strip():
        return Skipped(where=name, reason="empty", message="the file is empty")
    return text


def _slug(name: str) -> str:
    """The path as an id: readable, and unique by a few digits of its hash where characters had to go."""
    stem = name.removesuffix(".tex")
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", stem.replace("/", "."))
    return (
        plain
        if plain == stem.replace("/", ".") and "." not in stem
        else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    )
