"""A LaTeX document as lines that remember where in the user's text they stood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

DOCUMENT_CLASS = re.compile(r"\\document(?:class|style)\b")
BEGIN_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
END_DOCUMENT = re.compile(r"\\end\s*\{document\}")
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")


@dataclass(frozen=True)
class Line:
    """One line without its end. `origin` is its 1-based number in the user's text, None for a line of ours."""

    text: str
    origin: int | None = None


@dataclass(frozen=True)
class Document:
    """What TeX gets. `notes` say in words how it differs from what the user gave."""

    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines) + "\n"

    @property
    def code(self) -> str:
        """The text without comments, for looking things up in it."""
        return without_comments(self.text)

    def origin_of(self, number: int) -> int | None:
        """The user's line for line `number` of this document; for one of ours, the nearest of theirs below it."""
        if number < 1:
            return None
        later = (line.origin for line in self.lines[number - 1 :] if line.origin is not None)
        return next(later, max((line.origin for line in self.lines if line.origin is not None), default=None))

    def noted(self, note: str) -> Document:
        return self if note in self.notes else replace(self, notes=(*self.notes, note))

    def with_first(self, added: Iterable[str]) -> Document:
        """`added` lines before everything."""
        return replace(self, lines=(*(Line(text) for text in added), *self.lines))

    def with_last_in_preamble(self, added: Iterable[str]) -> Document:
        """`added` lines before \\begin{document}, on a line of its own from then on."""
        new = tuple(Line(text) for text in added)
        for index, line in enumerate(self.lines):
            found = BEGIN_DOCUMENT.search(without_comments(line.text))
            if found is None:
                continue
            before, after = line.text[: found.start()], line.text[found.start() :]
            kept = (Line(before, line.origin),) if before.strip() else ()
            lines = (*self.lines[:index], *kept, *new, Line(after, line.origin), *self.lines[index + 1 :])
            return replace(self, lines=lines)
        return self

    def with_each_line(self, change: Callable[[str], str]) -> Document:
        """Every line outside comments changed by `change`; a line that becomes empty stays as a comment sign."""
        return replace(self, lines=tuple(_changed(line, change) for line in self.lines))


def _changed(line: Line, change: Callable[[str], str]) -> Line:
    comment = COMMENT.search(line.text)
    cut = comment.end(1) if comment else len(line.text)
    code = change(line.text[:cut])
    if code == line.text[:cut]:
        return line
    text = code + line.text[cut:]
    # an empty line would be a paragraph end, which many arguments do not allow
    return replace(line, text=text if text.strip() else "%")


def without_comments(text: str) -> str:
    """`text` with each comment cut from its percent sign to the end of its line."""
    return COMMENT.sub(r"\1", text)


def masked(text: str) -> str:
    """`text` with the characters of its comments as spaces: what is found in it stands at the same place in `text`."""
    return COMMENT.sub(lambda found: found[1] + " " * (len(found[0]) - len(found[1])), text)


def document_of(text: str) -> Document:
    """A document of the text's own lines."""
    return Document(tuple(Line(line, number) for number, line in enumerate(text.split("\n"), start=1)))
