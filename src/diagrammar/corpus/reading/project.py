"""The documents of a tree of TeX files: which files are read as a whole, and which one each picture belongs to."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from diagrammar.corpus.pictures import documents_of
from diagrammar.corpus.reading.decoding import Refused
from diagrammar.corpus.reading.inputs import Expanded, asks_of, expand, libraries_of
from diagrammar.corpus.reading.source import Piece
from diagrammar.corpus.reading.tree import TABLES, Tree, folders_above
from diagrammar.corpus.reading.visible import visible
from diagrammar.records.corpus import Skipped

# Larger tables are data sets, not something that a document would carry with it.
BESIDE_LIMIT_BYTES = 60_000
_BEGINS = re.compile(r"\\document(?:class|style)(?![A-Za-z])[\s\S]*?\\begin\s*\{document\}")
_ALONE = re.compile(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{(?:standalone|subfiles)\}")
_SUBFILE = re.compile(r"\\documentclass\s*\[([^\]]*)\]\s*\{subfiles\}")
_NAMED = re.compile(r"\{\s*\"?([^{}\\#\"\n]{1,200}?)\"?\s*\}")


@dataclass(frozen=True)
class Project:
    """A tree and its documents. `owner` says for each file which document its pictures belong to."""

    tree: Tree
    roots: tuple[str, ...]  # files that are read as a whole, sorted
    owner: dict[str, str]
    preamble: str = ""  # what stands above a file that is no document


@dataclass(frozen=True)
class Drawn:
    """One picture of a project: a complete document, and where the picture stands."""

    document: str
    file: str
    line: int
    number: int  # of the picture in its file, from 1
    note: str


def project_of(tree: Tree, *, preamble: str = "") -> Project:
    """The documents of the tree. A file that several of them input belongs to the first."""
    asked: dict[str, list[str]] = {}
    mains: list[str] = []
    papers: set[str] = set()  # mains that are no single figure or part
    for name in tree.documents:
        read = tree.text(name)
        code = "" if isinstance(read, Refused) else visible(read.text)
        if _BEGINS.search(code):
            mains.append(name)
            if not _ALONE.search(code):
                papers.add(name)
        asked[name] = [file for ask in asks_of(tree, code, folders=folders_above(name)) for file in ask.files]
    # A paper that a file without a class inputs belongs to that file: its options stand there.
    wrapped = {file for name, files in asked.items() if name not in mains for file in files if file in papers}
    mains = [name for name in mains if name not in wrapped]
    targets = {file for files in asked.values() for file in files}
    heads = [*mains, *(name for name in asked if name not in targets)]
    owner = {name: name for name in mains}
    # Files that only ask for one another have no head: the first of them is.
    for head in (*heads, *asked):
        if head in owner and head not in mains:
            continue
        owner[head] = head
        waiting = [head]
        while waiting:
            for file in asked.get(waiting.pop(), ()):
                if file not in owner:
                    owner[file] = head
                    waiting.append(file)
    return Project(
        tree, tuple(sorted({name for name, head in owner.items() if name == head})), owner, preamble
    )


def read_document(project: Project, name: str) -> Iterator[Drawn | Skipped]:
    """The pictures that belong to the document, in order, and what of it could not be read."""
    tree = project.tree
    expanded = expand(tree, name)
    if isinstance(expanded, Refused):
        yield Skipped(where=name, reason=expanded.reason, message=expanded.message)
        return
    yield from expanded.skipped
    text, shift = _under_its_main_file(tree, name, expanded)
    if project.preamble and not _BEGINS.search(visible(text)):
        text, shift = f"{project.preamble}\n{text}", len(project.preamble) + 1
    numbers: Counter[str] = Counter()
    seen: set[tuple[str, int]] = set()
    drawn = 0
    rewritten = expanded.own_styles or shift > 0 or len(expanded.notes) > 1
    for found in documents_of(text, rewritten=rewritten):
        drawn += 1
        if found.offset < shift:
            continue
        file, offset, line = expanded.place(found.offset - shift)
        if (file, offset) in seen or project.owner.get(file, name) != name:
            continue
        seen.add((file, offset))
        numbers[file] += 1
        document = with_files(found.document, tree, (*folders_above(name), posixpath.dirname(file)))
        yield Drawn(document, file, line, numbers[file], expanded.notes.get(file, ""))
    if not drawn and not expanded.skipped:
        yield Skipped(where=name, reason="no_picture", message="nothing in it draws")


def read_tree(project: Project, name: str, diagram: Callable[[Drawn], Piece]) -> Iterator[Piece]:
    """The pictures that belong to the document as diagrams, and what of it could not be read."""
    for piece in read_document(project, name):
        yield piece if isinstance(piece, Skipped) else diagram(piece)


def with_files(document: str, tree: Tree, folders: tuple[str, ...]) -> str:
    """The document with the tree's small tables and TikZ libraries that it names written out above it.

    They go by their base names: TeX makes no folders.
    """
    written: dict[str, str] = {}
    for file in libraries_of(tree, document, folders):
        read = tree.text(file)
        if not isinstance(read, Refused) and len(read.text) <= BESIDE_LIMIT_BYTES:
            written[posixpath.basename(file)] = read.text
    for match in list(_NAMED.finditer(document)):
        name = match[1]
        found = tree.find(name, folders=folders, suffixes=("", ".csv", ".dat", ".txt"))
        if not isinstance(found, str) or not found.lower().endswith(TABLES):
            continue
        read = tree.text(found)
        base = posixpath.basename(found)
        if isinstance(read, Refused) or len(read.text) > BESIDE_LIMIT_BYTES or f"]{{{base}}}" in document:
            continue
        if written.setdefault(base, read.text) != read.text:
            continue  # another file of the same name in another folder
        if base != name:
            document = document.replace(match[0], f"{{{base}}}")
    files = "".join(
        f"\\begin{{filecontents*}}[overwrite]{{{name}}}\n{text.rstrip()}\n\\end{{filecontents*}}\n"
        for name, text in sorted(written.items())
    )
    return files + document


def id_of(name: str) -> str:
    """The path as an id: readable, and unique by a few digits of its hash where characters had to go."""
    stem = name.removesuffix(".tex")
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", stem.replace("/", "."))
    if plain == stem.replace("/", ".") and "." not in stem:
        return plain
    return f"{plain}-{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def shown(name: str) -> str:
    """The path as text; bytes that are none as replacement characters."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _under_its_main_file(tree: Tree, name: str, expanded: Expanded) -> tuple[str, int]:
    """The text, for a subfile with its main file's preamble in front, and how long that is."""
    subfile = _SUBFILE.search(expanded.text)
    if subfile is None:
        return expanded.text, 0
    main = tree.find(subfile[1], folders=folders_above(name), suffixes=("", ".tex"))
    if not isinstance(main, str) or main == name:
        return expanded.text, 0
    whole = expand(tree, main)
    begin = None if isinstance(whole, Refused) else re.search(r"\\begin\s*\{document\}", visible(whole.text))
    if isinstance(whole, Refused) or begin is None:
        return expanded.text, 0
    # Its own class stays as text of the same length that loads nothing.
    preamble = whole.text[: begin.start()]
    return preamble + expanded.text.replace("\\documentclass", "\\relax        ", 1), len(preamble)
