"""A Stack Exchange dump: the code blocks of accepted answers, with author, link and licence."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

from diagrammar.corpus.domain import domain_of, packages_of
from diagrammar.corpus.pictures import documents_of
from diagrammar.corpus.reading.decoding import Refused
from diagrammar.corpus.reading.posts import Row, code_blocks, rows_of
from diagrammar.corpus.reading.source import Opened, Option, Part, Piece, SourceKind
from diagrammar.errors import BadInput
from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram, Source

MAX_CODE_CHARACTERS = 200_000
_DRAWS = re.compile(r"tikz|pgf|chemfig|schemestart|circuitikz", re.IGNORECASE)
# A block of bare path commands is a line to change in a picture, not a picture.
_PICTURE = re.compile(r"\\begin\s*\{|\\tikz(?![A-Za-z])|\\chemfig|\\schemestart")
_QUESTION, _ANSWER = 1, 2
# When the sites changed their terms, for rows that do not name them.
_TERMS_SINCE = (("2018-05-02", "CC-BY-SA-4.0"), ("2011-04-08", "CC-BY-SA-3.0"), ("", "CC-BY-SA-2.5"))


@dataclass(frozen=True)
class _Post:
    """An answer as it is read: its blocks' text is in `body`, as HTML."""

    number: int
    body: str
    source: Source


class _Numbers:
    """A set of post numbers at one bit each: a large site has tens of millions."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, number: int) -> None:
        if not 0 < number < 1 << 33:
            return
        if number >> 3 >= len(self._bits):
            self._bits.extend(bytes((number >> 3) + 1 - len(self._bits) + (1 << 16)))
        self._bits[number >> 3] |= 1 << (number & 7)

    def __contains__(self, number: int) -> bool:
        return number >> 3 < len(self._bits) and bool(self._bits[number >> 3] >> (number & 7) & 1)


def open_dump(path: Path, *, site: str = "tex.stackexchange.com", min_score: int | None = None) -> Opened:
    """The answers of the dump that draw something. Raises BadInput for what is no XML file.

    Accepted answers only; with `min_score` every answer of that score or better as well.
    """
    if path.is_dir():
        path = path / "Posts.xml"
    if path.suffix.lower() in (".7z", ".zip", ".gz", ".bz2"):
        raise BadInput(f"{path}: packed; unpack it first (7z x {path.name} Posts.xml) and give Posts.xml")
    if not path.is_file():
        raise BadInput(f"{path}: no such file; give the Posts.xml of a dump")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Opened(digest[:16], partial(_parts, path, digest, site, min_score), path.stat().st_size, "B")


def _parts(path: Path, digest: str, site: str, min_score: int | None) -> Iterator[Part]:
    accepted = _Numbers()
    titles: dict[int, str] = {}  # of questions about drawing
    for row in rows_of(path):
        if isinstance(row, Refused):
            broken = Skipped(where=path.name, reason=row.reason, message=row.message)
            yield Part(f"{path.name} ({row.reason})", partial(iter, [broken]), path.stat().st_size)
            return
        kind = row.number("PostTypeId")
        if kind == _QUESTION:
            answer = row.number("AcceptedAnswerId")
            accepted.add(answer)
            if _DRAWS.search(row.attributes.get("Tags", "")) and (answer or min_score is not None):
                titles[row.number("Id")] = row.attributes.get("Title", "")
        elif kind == _ANSWER:
            number = row.number("Id")
            wanted = number in accepted or (min_score is not None and row.number("Score") >= min_score)
            if wanted and number and _DRAWS.search(row.attributes.get("Body", "")):
                post = _post(row, site, digest, titles.get(row.number("ParentId"), ""))
                yield Part(f"a{number}", partial(_read, post), row.position)


def _post(row: Row, site: str, digest: str, title: str) -> _Post:
    number, user = row.number("Id"), row.number("OwnerUserId")
    name = row.attributes.get("OwnerDisplayName", "")
    author = " ".join(
        part for part in (name or (f"user {user}" if user else ""), f"https://{site}/users/{user}" if user else "")
        if part
    )  # fmt: skip
    source = Source(
        url=f"https://{site}/a/{number}",
        licence=_licence(row),
        sha256=digest,
        author=author,
        title=title,
    )
    return _Post(number, row.attributes.get("Body", ""), source)


def _licence(row: Row) -> str:
    named = row.attributes.get("ContentLicense", "")
    if named:
        return re.sub(r"\s+", "-", named.strip())
    date = row.attributes.get("CreationDate", "")
    return next(licence for since, licence in _TERMS_SINCE if date >= since)


def _read(post: _Post) -> Iterator[Piece]:
    drawn = 0
    for place, block in enumerate(code_blocks(post.body), start=1):
        where = f"a{post.number}, block {place}"
        if not _PICTURE.search(block):
            continue
        if len(block) > MAX_CODE_CHARACTERS:
            size = f"{len(block):,} characters; a block may have {MAX_CODE_CHARACTERS:,}"
            yield Skipped(where=where, reason="too_large", message=size)
            drawn += 1
            continue
        for number, found in enumerate(documents_of(block.replace("\r\n", "\n")), start=1):
            drawn += 1
            yield Diagram(
                id=f"a{post.number}.{place}.{number}",
                code=found.document,
                packages=packages_of(found.document),
                domain=domain_of(found.document),
                source=post.source.model_copy(update={"file": f"block {place}", "line": found.line}),
                preamble=found.document.partition(r"\begin{document}")[0],
            )
    if not drawn:
        yield Skipped(where=f"a{post.number}", reason="no_picture", message="no code block of it draws")


def example(folder: Path) -> Opened:
    """A question, its accepted answer with one picture, and another answer."""
    code = "\\documentclass[tikz]{standalone}\n\\begin{document}\n\\tikz \\draw (0,0) -- (1,1);\n\\end{document}\n"
    body = escape(f"<p>So:</p><pre><code>{escape(code, quote=False)}</code></pre>").replace("\n", "&#xA;")
    (folder / "Posts.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n<posts>\n'
        '<row Id="1" PostTypeId="1" AcceptedAnswerId="3" Title="A line" Tags="&lt;tikz-pgf&gt;" Body="How?" />\n'
        f'<row Id="2" PostTypeId="2" ParentId="1" Score="0" OwnerUserId="7" Body="{body}" />\n'
        f'<row Id="3" PostTypeId="2" ParentId="1" Score="5" OwnerUserId="8" Body="{body}" '
        'ContentLicense="CC BY-SA 4.0" />\n</posts>\n'
    )
    return open_dump(folder / "Posts.xml")


STACKEXCHANGE = SourceKind(
    name="stackexchange",
    summary="Collect the pictures in the accepted answers of a Stack Exchange dump: PATH is its Posts.xml.",
    takes="path",
    open=open_dump,
    example=example,
    options=(
        Option("site", "The site, for the links.", default="tex.stackexchange.com"),
        Option("min_score", "Take every answer of this score or better as well.", "number"),
    ),
)
