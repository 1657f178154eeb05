"""The codeexample environment of pgf's manual macros, which several manuals share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from diagrammar.manuals.reading.blocks import find_blocks
from diagrammar.manuals.reading.definitions import Definition, as_one, find_definitions, needed, outside
from diagrammar.manuals.reading.document import without_blank_lines
from diagrammar.manuals.reading.manual import Example, Role, SourceFile
from diagrammar.manuals.reading.options import split_options


def read_codeexamples(
    file: SourceFile, *, shared: Sequence[Definition] = (), running_text: bool = True
) -> Iterator[Example]:
    """The codeexamples of one file, in order, each with the definitions it uses that come before it.

    Definitions are `shared`, set-up examples and, where `running_text` says so, what the text between the
    examples defines.
    """
    blocks = list(find_blocks(file.text, ["codeexample"]))
    between = outside(file.text, [(block.start, block.end) for block in blocks])
    loose = list(find_definitions(between)) if running_text else []
    seen = list(shared)
    for block in blocks:
        while loose and loose[0].offset < block.start:
            seen.append(loose.pop(0))
        settings = split_options(block.options)
        role = role_of(settings)
        code = block.body if r"\documentclass" in block.body else without_blank_lines(block.body)
        if role == "setup":
            seen.append(as_one(code))
        picture = settings.get("render instead", "") or code
        pre, post = _as_stored(settings.get("pre", "")), _as_stored(settings.get("post", ""))
        if r"\vbox\bgroup" in pre:  # page make-up of the manual's column
            pre = post = ""
        yield Example(
            code="\n".join(part for part in (pre, picture, post) if part),
            file=file,
            line=block.line,
            options=" ".join(block.options.split()),
            role=role,
            preamble=_rows(settings.get("preamble", "")),
            setup=needed("\n".join((pre, picture, settings.get("preamble", ""))), seen),
        )


def role_of(settings: dict[str, str]) -> Role:
    """What the manual does with an example that has these options."""
    if "setup code" in settings:
        return "setup"
    if "code only" in settings or "multipage" in settings or settings.get("execute code") == "false":
        return "listing"
    return "listing" if "hidden" in settings else "shown"


def _as_stored(value: str) -> str:
    """The value as pgfkeys stores it: without comment lines, doubled parameter signs halved."""
    return re.sub(r"^\s*%[^\n]*\n", "", value, flags=re.MULTILINE).replace("##", "#")


def _rows(preamble: str) -> str:
    """The preamble option, one command a line."""
    rows = [row.strip() for row in preamble.split("\n")]
    return re.sub(r"\}(?=\\use)", "}\n", "\n".join(row for row in rows if row))
