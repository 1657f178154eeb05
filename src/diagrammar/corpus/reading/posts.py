"""The rows of a Stack Exchange dump's Posts.xml, one at a time: no tree is built, and no entity is declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from xml.parsers import expat

from diagrammar.corpus.reading.decoding import Refused

_CHUNK_BYTES = 1 << 18
# A post has at most 30,000 characters; a row that goes on for longer is no post.
LARGEST_ROW_BYTES = 8 << 20


@dataclass(frozen=True)
class Row:
    """One post as its attributes."""

    attributes: dict[str, str]
    position: int  # bytes of the file that were read

    def number(self, name: str) -> int:
        """The attribute as a number; 0 where it is none."""
        value = self.attributes.get(name, "")
        return int(value) if value.lstrip("-").isdecimal() and len(value) < 16 else 0


class _Declared(Exception):
    """The file declares a document type, with which entities could be blown up."""


def rows_of(path: Path) -> Iterator[Row | Refused]:
    """The posts of the file in order; a last Refused, with the line, where the file breaks off or is no such XML."""
    waiting: list[dict[str, str]] = []
    parser = expat.ParserCreate()
    parser.buffer_text = False

    def begin(name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            waiting.append(attributes)

    def declare(*_: object) -> None:
        raise _Declared

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = declare
    parser.EntityDeclHandler = declare
    with path.open("rb") as file:
        fed = fed_at_row = 0
        while True:
            chunk = file.read(_CHUNK_BYTES)
            try:
                parser.Parse(chunk, not chunk)
            except expat.ExpatError as error:
                yield from (Row(attributes, fed) for attributes in waiting)
                reason = expat.errors.messages.get(error.code, str(error))
                yield Refused("malformed_xml", f"line {error.lineno}: {reason}; what stands above was read")
                return
            except _Declared:
                said = f"line {parser.CurrentLineNumber}: it declares a document type, which no dump does"
                yield Refused("malformed_xml", said)
                return
            fed += len(chunk)
            if waiting or not chunk:
                fed_at_row = fed
            yield from (Row(attributes, fed) for attributes in waiting)
            waiting.clear()
            if not chunk:
                return
            if fed - fed_at_row > LARGEST_ROW_BYTES:
                size = f"{LARGEST_ROW_BYTES >> 20} MB"
                yield Refused("too_large", f"line {parser.CurrentLineNumber}: a row of more than {size}")
                return


class _Blocks(HTMLParser):
    """Collects the texts of <pre> elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[str] = []
        self._open: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag == "pre":
            self._open = []

    def handle_endtag(self, tag: str) -> None:
        if tag == "pre" and self._open is not None:
            self.blocks.append("".join(self._open))
            self._open = None

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open.append(data)


def code_blocks(body: str) -> list[str]:
    """The code blocks of a post's HTML, in order, as text."""
    parser = _Blocks()
    parser.feed(body)
    parser.close()
    return parser.blocks
