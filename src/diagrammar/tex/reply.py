"""The parts of a text that may be code: reasoning cut out, fenced blocks taken apart from the prose around them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from diagrammar.tex.document import Line

OPENING = re.compile(
    r"^[ \t>*-]*(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[\w.+#-]*)[ \t]*(?:\{[^}\\]*\})?(?P<rest>.*)$"
)
THINKING_TAG = re.compile(r"<(?P<closing>/?)(?:think|thinking|reasoning)>")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufeff]|[\ud800-\udfff]")


@dataclass(frozen=True)
class Block:
    """A stretch of text. `fenced` blocks stood between fences; one that is not `closed` ran to the text's end."""

    lines: tuple[Line, ...]
    fenced: bool
    closed: bool = True

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


def clean_lines(text: str) -> tuple[Line, ...]:
    """The text's numbered lines: one kind of line end, no control characters, no byte order mark."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
    text = CONTROL.sub("", text)
    return tuple(Line(line, number) for number, line in enumerate(text.split("\n"), start=1))


def without_thinking(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines with the reasoning in <think>...</think> and the like blanked out.

    A closing tag alone ends reasoning that began before the text; an opening one alone begins what never ended.
    """
    text = "\n".join(line.text for line in lines)
    spans: list[tuple[int, int]] = []
    begin: int | None = None
    for tag in THINKING_TAG.finditer(text):
        if not tag["closing"]:
            begin = tag.start() if begin is None else begin
        elif begin is not None:
            spans.append((begin, tag.end()))
            begin = None
        else:
            spans = [(0, tag.end())]
    if begin is not None:
        spans.append((begin, len(text)))
    if not spans:
        return lines
    kept: list[str] = []
    position = 0
    for start, end in spans:
        kept += [text[position:start], "\n" * text.count("\n", start, end)]
        position = end
    kept.append(text[position:])
    texts = "".join(kept).split("\n")
    return tuple(Line(blanked, line.origin) for blanked, line in zip(texts, lines, strict=True))


def blocks_of(lines: tuple[Line, ...]) -> tuple[Block, ...]:
    """The text as a row of fenced and unfenced blocks; empty ones left out."""
    blocks: list[Block] = []
    current: list[Line] = []
    fence = ""
    for line in lines:
        if not fence:
            opening = OPENING.match(line.text)
            if opening is None:
                current.append(line)
                continue
            _add(blocks, current, fenced=False)
            fence, current = opening["fence"], []
            rest = opening["rest"].strip()
            if opening["language"].startswith(("\\", "%")) or rest.startswith(("\\", "%")):
                line = Line(rest, line.origin)
            else:
                continue
        before, ends = _closing(line.text, fence)
        if before.strip() or not ends:
            current.append(Line(before, line.origin))
        if ends:
            _add(blocks, current, fenced=True)
            fence, current = "", []
    _add(blocks, current, fenced=bool(fence), closed=not fence)
    return tuple(blocks)


def _closing(text: str, fence: str) -> tuple[str, bool]:
    """The line before a closing fence, and whether there is one."""
    stripped = text.rstrip()
    if stripped.endswith(fence) and set(stripped.lstrip(" \t>")) == {fence[0]}:
        return "", True
    if fence[0] == "`" and stripped.endswith(fence):
        return stripped.rstrip("`"), True
    return text, False


def _add(blocks: list[Block], lines: list[Line], *, fenced: bool, closed: bool = True) -> None:
    if any(line.text.strip() for line in lines):
        blocks.append(Block(tuple(lines), fenced, closed))
