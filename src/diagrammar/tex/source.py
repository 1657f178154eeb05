"""tex, step 1: text as people and models give it -> Document. Next: engine."""

from __future__ import annotations

import html
import re
from dataclasses import replace

from diagrammar.records.diagrams import TexFailure
from diagrammar.tex.document import BEGIN_DOCUMENT, DOCUMENT_CLASS, END_DOCUMENT, Document, Line, masked
from diagrammar.tex.reply import Block, blocks_of, clean_lines, without_thinking
from diagrammar.tex.wrap import drawing_in, is_prose, wrapped

ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);")
LANDMARK = re.compile(
    rf"(?P<document>{DOCUMENT_CLASS.pattern})|(?P<begin>{BEGIN_DOCUMENT.pattern})|(?P<end>{END_DOCUMENT.pattern})"
)
MAX_CHARACTERS = 2_000_000
COMPLETE_HINT = "answer with one complete document, from \\documentclass to \\end{document}"


def read_source(text: str) -> Document | TexFailure:
    """The last complete document that `text` holds, else a picture in a wrapper; else `truncated` or `no_code`."""
    if len(text) > MAX_CHARACTERS:
        said = f"the text has {len(text):,} characters; a diagram may have {MAX_CHARACTERS:,}"
        return TexFailure(kind="resource_limit", message=said, hint="plot fewer points, or draw less")
    lines = without_thinking(clean_lines(text))
    blocks = blocks_of(lines)
    fenced = tuple(block for block in blocks if block.fenced)
    loose = tuple(block for block in blocks if not block.fenced)
    for candidates in (fenced, loose):
        documents = [document for block in candidates for document in _documents(block)]
        if documents:
            document = Document(documents[-1])
            if len(documents) > 1:
                document = document.noted(f"took the last of {len(documents)} documents")
            return _unescaped(document)
    joined = _preamble_and_picture(fenced)
    if joined is not None:
        return _unescaped(joined)
    begun = next((block for block in reversed((*loose, *fenced)) if _begins_document(block)), None)
    if begun is not None:
        return _truncated(begun)
    return _fragment((*loose, *fenced), lines)


def _documents(block: Block) -> list[tuple[Line, ...]]:
    """Each complete document of the block, with what stands above its class."""
    text = block.text
    code = masked(text)
    documents: list[tuple[Line, ...]] = []
    start = 0
    classes: list[int] = []  # of documents that began since `start`
    begun = False
    for found in LANDMARK.finditer(code):
        if found["document"]:
            classes.append(found.start())
            begun = False
        elif found["begin"]:
            begun = True
        elif classes and begun:
            # an earlier class in the same stretch began a document that never ended
            floor = code.rfind("\n", 0, classes[-1]) + 1 if len(classes) > 1 else start
            first = floor if block.fenced else _after_prose(text, floor, classes[-1])
            documents.append(_slice(block.lines, first, found.end()))
            start, classes, begun = found.end(), [], False
    return documents


def _after_prose(text: str, start: int, class_at: int) -> int:
    """Where the document's own lines begin: below the last line of prose above its class."""
    line_start = text.rfind("\n", 0, class_at) + 1
    if text[line_start:class_at].strip() and is_prose(text[line_start:class_at]):
        return class_at
    first = line_start
    while first > start:
        above = text.rfind("\n", 0, first - 1) + 1
        if above < start or is_prose(text[above : first - 1]):
            break
        first = above
    return max(first, start)


def _slice(lines: tuple[Line, ...], start: int, end: int) -> tuple[Line, ...]:
    """The characters [start, end) of the joined lines, as numbered lines from the first that is not blank."""
    sliced: list[Line] = []
    offset = 0
    for line in lines:
        first, last = max(start - offset, 0), min(end - offset, len(line.text))
        if offset + len(line.text) >= start and offset <= end and first <= last:
            sliced.append(Line(line.text[first:last], line.origin))
        offset += len(line.text) + 1
    while sliced and not sliced[0].text.strip():
        sliced.pop(0)
    return tuple(sliced)


def _begins_document(block: Block) -> bool:
    code = masked(block.text)
    return DOCUMENT_CLASS.search(code) is not None and (
        block.fenced or "\\begin" in code or "\\usepackage" in code
    )


def _preamble_and_picture(fenced: tuple[Block, ...]) -> Document | None:
    """A block with a preamble and a later one with a picture, put together."""
    for index, block in enumerate(fenced):
        code = masked(block.text)
        if not block.closed or not DOCUMENT_CLASS.search(code) or BEGIN_DOCUMENT.search(code):
            continue
        pictures = [
            later for later in fenced[index + 1 :] if later.closed and drawing_in(later.lines) is not None
        ]
        if pictures:
            lines = (*block.lines, Line("\\begin{document}"), *pictures[-1].lines, Line("\\end{document}"))
            return Document(lines).noted("put the preamble of one block before the picture of another")
    return None


def _truncated(block: Block) -> TexFailure:
    last = next(line for line in reversed(block.lines) if line.text.strip())
    return TexFailure(
        kind="truncated",
        message="the document stops before \\end{document}",
        line=last.origin,
        hint=COMPLETE_HINT,
    )


def _fragment(blocks: tuple[Block, ...], lines: tuple[Line, ...]) -> Document | TexFailure:
    """The last complete picture, wrapped."""
    cut_off: Block | None = None
    for block in reversed(blocks):
        drawing = drawing_in(block.lines, prose_around=not block.fenced)
        if drawing is None:
            continue
        if drawing.complete and (block.closed or drawing.balanced):
            return wrapped(_unescaped(Document(drawing.lines)))
        cut_off = cut_off or block
    if cut_off is not None:
        last = next(line for line in reversed(cut_off.lines) if line.text.strip())
        return TexFailure(
            kind="truncated", message="the picture stops before its end", line=last.origin, hint=COMPLETE_HINT
        )
    empty = not any(line.text.strip() for line in lines)
    return TexFailure(
        kind="no_code",
        message="the text is empty" if empty else "the text holds no LaTeX drawing",
        hint=COMPLETE_HINT,
    )


def _unescaped(document: Document) -> Document:
    """The document with HTML's &lt; and the like as characters, where it has any."""
    if not any(ENTITY.search(line.text) for line in document.lines):
        return document
    lines = tuple(replace(line, text=html.unescape(line.text)) for line in document.lines)
    return replace(document, lines=lines).noted("read &lt;, &gt;, &amp; and the like as characters")
