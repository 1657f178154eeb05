"""A folder or a git checkout of TeX files: every picture of every document below it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from diagrammar.corpus.domain import domain_of, packages_of
from diagrammar.corpus.reading.decoding import Refused, decode_tex
from diagrammar.corpus.reading.licences import licence_of_folder
from diagrammar.corpus.reading.project import Drawn, Project, id_of, project_of, read_tree, shown
from diagrammar.corpus.reading.source import Opened, Option, Part, Piece, SourceKind
from diagrammar.corpus.reading.tree import Tree, tree_of_folder
from diagrammar.errors import BadInput
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram, Source


def open_folder(
    folder: Path,
    *,
    licence: str | None = None,
    author: str | None = None,
    url: str | None = None,
    preamble: str | Path | None = None,
) -> Opened:
    """The folder's documents, by path. Raises BadInput where it is no folder.

    `preamble` is a file of macros and styles that stand above every file that is no document of its own.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: not a folder")
    tree = tree_of_folder(folder)
    terms = licence or licence_of_folder(folder)
    above = _preamble(Path(preamble)) if preamble else ""

    def parts() -> Iterator[Part]:
        project = project_of(tree, preamble=above)
        for position, name in enumerate(project.roots, start=1):
            read = partial(_read, project, name, licence=terms, author=author or "", url=url or "")
            yield Part(id_of(name), read, position)

    return Opened(digest_of_tree(tree, above), parts, len(tree.documents))


def _preamble(path: Path) -> str:
    read = decode_tex(path.read_bytes())
    if isinstance(read, Refused):
        raise BadInput(f"{path}: {read.message}")
    return read.text.partition(r"\begin{document}")[0]


def digest_of_tree(tree: Tree, above: str = "") -> str:
    """A short hash of every file that is read."""
    digest = hashlib.sha256(above.encode("utf-8", "surrogateescape"))
    for name in tree.names:
        blob = tree.blob(name)
        content = blob.reason.encode() if isinstance(blob, Refused) else hashlib.sha256(blob).digest()
        digest.update(name.encode("utf-8", "surrogateescape") + b"\0" + content)
    return digest.hexdigest()[:16]


def _read(project: Project, name: str, *, licence: str, author: str, url: str) -> Iterator[Piece]:
    def diagram(drawn: Drawn) -> Diagram:
        return _diagram(project, drawn, licence=licence, author=author, url=url)

    for piece in read_tree(project, name, diagram):
        yield (
            piece.model_copy(update={"where": shown(piece.where)}) if isinstance(piece, Skipped) else piece
        )


def _diagram(project: Project, drawn: Drawn, *, licence: str, author: str, url: str) -> Diagram:
    blob = project.tree.blob(drawn.file)
    path = shown(drawn.file)
    return Diagram(
        id=f"{id_of(drawn.file)}.{drawn.number}",
        code=drawn.document,
        packages=packages_of(drawn.document),
        domain=domain_of(drawn.document),
        source=Source(
            url=f"{url.rstrip('/')}/{path}" if url else path,
            file=path if url else "",
            licence=licence,
            author=author,
            note=drawn.note,
            sha256=hashlib.sha256(b"" if isinstance(blob, Refused) else blob).hexdigest(),
            line=drawn.line,
        ),
        preamble=drawn.document.partition(r"\begin{document}")[0],
    )


def example(folder: Path) -> Opened:
    """A paper whose one picture is in a file of its own, and uses a macro of the paper."""
    (folder / "figures").mkdir()
    (folder / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage{tikz}\n\\newcommand\\side{2}\n\\begin{document}\n"
        "\\input{figures/square}\n\\end{document}\n"
    )
    (folder / "figures" / "square.tex").write_text(
        "\\begin{tikzpicture}\n\\draw (0,0) rectangle (\\side,\\side);\n\\end{tikzpicture}\n"
    )
    return open_folder(folder)


FOLDER = SourceKind(
    name="folder",
    summary="Collect every picture of every .tex file below FOLDER.",
    takes="folder",
    open=open_folder,
    example=example,
    options=(
        Option("licence", "Its licence, where no licence file at its top says it."),
        Option("preamble", "A file of macros and styles above every file that is no document.", "file"),
        Option("author", "Who has to be named."),
        Option("url", "The address that the paths are below."),
    ),
)
