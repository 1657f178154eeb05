"""arXiv source archives: one .tar.gz or .gz, or a folder of them. Each is a tree of its own, held in memory."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from diagrammar.corpus.domain import domain_of, packages_of
from diagrammar.corpus.reading.archive import LARGEST_ARCHIVE_BYTES, unpack
from diagrammar.corpus.reading.decoding import Refused
from diagrammar.corpus.reading.project import Drawn, id_of, project_of, read_tree, shown
from diagrammar.corpus.reading.source import Opened, Option, Part, Piece, SourceKind
from diagrammar.corpus.reading.tree import tree_in_memory
from diagrammar.errors import BadInput
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram, Source

_NUMBER = re.compile(
    r"(?<!\d)(\d{4}\.\d{4,5})(?:v\d+)?(?!\d)|([a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2})?)[-_/]?(\d{7})(?:v\d+)?"
)
_HASHED_BYTES = 1_000_000_000
_LICENCES = {
    "creativecommons.org/licenses/by/4.0": "CC-BY-4.0",
    "creativecommons.org/licenses/by/3.0": "CC-BY-3.0",
    "creativecommons.org/licenses/by-sa/4.0": "CC-BY-SA-4.0",
    "creativecommons.org/licenses/by-nc-sa/4.0": "CC-BY-NC-SA-4.0",
    "creativecommons.org/licenses/by-nc-sa/3.0": "CC-BY-NC-SA-3.0",
    "creativecommons.org/licenses/by-nc-nd/4.0": "CC-BY-NC-ND-4.0",
    "creativecommons.org/publicdomain/zero/1.0": "CC0-1.0",
    "arxiv.org/licenses/nonexclusive-distrib/1.0": "arXiv-nonexclusive-1.0",
}


@dataclass(frozen=True)
class _Terms:
    """What the metadata say of a paper."""

    licence: str = "unknown"
    authors: str = ""
    title: str = ""


def open_archives(path: Path, *, metadata: str | Path | None = None) -> Opened:
    """The archive, or all below the folder by path. Raises BadInput where there is none.

    `metadata` is arXiv's own list, a JSON object per line with `id`, `license`, `authors` and `title`.
    """
    if path.is_dir():
        files = [Path(parent, name) for parent, name in _files(path)]
        root = path
    elif path.is_file():
        files, root = [path], path.parent
    else:
        raise BadInput(f"{path}: no such file or folder")
    if not files:
        raise BadInput(f"{path}: an empty folder; give archives as arXiv serves them (.tar.gz or .gz)")
    names = [file.relative_to(root).as_posix() for file in files]
    numbers = {number for name in names if (number := _arxiv_number(name))}
    terms = _terms(Path(metadata), numbers) if metadata else {}

    def parts() -> Iterator[Part]:
        for position, (file, name) in enumerate(zip(files, names, strict=True), start=1):
            yield Part(shown(name), partial(_read, file, name, terms), position)

    return Opened(_digest(files, names, terms), parts, len(files), "archives")


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from ((parent, name) for name in sorted(files) if not name.startswith("."))


def _digest(files: list[Path], names: list[str], terms: dict[str, _Terms]) -> str:
    """Of names, sizes and contents; of many large archives without the contents, which take long to read."""
    digest = hashlib.sha256(repr(sorted(terms.items())).encode("utf-8", "backslashreplace"))
    total = sum(file.lstat().st_size for file in files)
    for file, name in zip(files, names, strict=True):
        status = file.lstat()
        digest.update(f"{name} {status.st_size}\n".encode("utf-8", "surrogateescape"))
        if total <= _HASHED_BYTES and stat.S_ISREG(status.st_mode) and os.access(file, os.R_OK):
            with file.open("rb") as opened:
                digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:16]


def _read(file: Path, name: str, terms: dict[str, _Terms]) -> Iterator[Piece]:
    where = shown(name)
    blob = _blob(file)
    unpacked = blob if isinstance(blob, Refused) else unpack(blob, where)
    if isinstance(blob, Refused) or isinstance(unpacked, Refused):
        why = unpacked if isinstance(unpacked, Refused) else Refused("unreadable", "")
        yield Skipped(where=where, reason=why.reason, message=why.message)
        return
    yield from unpacked.skipped
    tree = tree_in_memory(unpacked.files)
    if not tree.documents:
        yield Skipped(where=where, reason="no_tex", message="no TeX file in it")
        return
    number = _arxiv_number(name)
    paper = terms.get(number, _Terms())
    source = Source(
        url=f"https://arxiv.org/abs/{number}" if number else where,
        licence=paper.licence,
        sha256=hashlib.sha256(blob).hexdigest(),
        author=paper.authors,
        title=paper.title,
    )
    prefix = id_of(re.sub(r"(\.tar)?\.(?:gz|tgz|tar)$", "", name))

    def diagram(drawn: Drawn) -> Diagram:
        return Diagram(
            id=f"{prefix}.{id_of(drawn.file)}.{drawn.number}",
            code=drawn.document,
            packages=packages_of(drawn.document),
            domain=domain_of(drawn.document),
            source=source.model_copy(
                update={"file": shown(drawn.file), "line": drawn.line, "note": drawn.note}
            ),
            preamble=drawn.document.partition(r"\begin{document}")[0],
        )

    project = project_of(tree)
    for root in project.roots:
        for piece in read_tree(project, root, diagram):
            if isinstance(piece, Skipped):
                piece = piece.model_copy(update={"where": f"{where}!{shown(piece.where)}"})
            yield piece


def _blob(file: Path) -> bytes | Refused:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        return Refused("unreadable", error.strerror or str(error))
    with open(descriptor, "rb") as opened:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Refused("unreadable", "no regular file")
        if status.st_size > LARGEST_ARCHIVE_BYTES:
            size = f"{status.st_size / 1e6:.0f} MB; an archive may have {LARGEST_ARCHIVE_BYTES / 1e6:.0f} MB"
            return Refused("too_large", size)
        return opened.read()


def _arxiv_number(name: str) -> str:
    """The paper's number in the file's name; "" where it has none."""
    found = _NUMBER.search(name.rsplit("/", 1)[-1])
    if found is None:
        return ""
    return found[1] or f"{found[2]}/{found[3]}"


def _terms(path: Path, numbers: set[str]) -> dict[str, _Terms]:
    """What the list says of these papers. Raises BadInput for a line that is no such record."""
    terms: dict[str, _Terms] = {}
    with path.open("rb") as lines:
        for row, line in enumerate(lines, start=1):
            try:
                paper = json.loads(line)
                number = paper["id"]
            except (ValueError, KeyError, TypeError) as error:
                raise BadInput(
                    f"{path}:{row}: not a JSON object with an id; give arXiv's metadata file"
                ) from error
            if number in numbers:
                address = str(paper.get("license") or "")
                named = next(
                    (name for part, name in _LICENCES.items() if part in address), address or "unknown"
                )
                told = (" ".join(str(paper.get(key) or "").split()) for key in ("authors", "title"))
                terms[number] = _Terms(named, *told)
    return terms


def example(folder: Path) -> Opened:
    """A paper of one gzipped TeX file."""
    text = (
        "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\n"
        "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1);\n\\end{tikzpicture}\n\\end{document}\n"
    )
    (folder / "2001.00001.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / "metadata.jsonl").write_text('{"id": "2001.00001", "license": null, "authors": "A. B."}\n')
    return open_archives(folder / "2001.00001.gz", metadata=folder / "metadata.jsonl")


ARXIV = SourceKind(
    name="arxiv",
    summary="Collect the pictures of arXiv source archives: PATH is one, or a folder of them.",
    takes="path",
    open=open_archives,
    example=example,
    options=(
        Option("metadata", "arXiv's metadata, JSON lines: licence, authors and title of each paper.", "file"),
    ),
)
