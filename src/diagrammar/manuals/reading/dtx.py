"""Documented sources (.dtx): the documentation in them, as a plain TeX text with the same lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from diagrammar.manuals.reading.blocks import Block
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Role, SourceFile, Sources

_CODE = re.compile(r"^%?[ \t]*\\(begin|end)\{(macrocode\*?)\}")
_MODULE = re.compile(r"^%<")


def documentation(text: str) -> str:
    """What the documentation of the source says: comment lines without their sign; other lines are blank."""
    rows: list[str] = []
    in_code = False
    for row in text.split("\n"):
        code = _CODE.match(row)
        if code:
            in_code = code[1] == "begin"
        if code or in_code or not row.startswith("%") or row.startswith("%%") or _MODULE.match(row):
            rows.append("")
        else:
            rows.append(row[2:] if row.startswith("% ") else row[1:])
    return "\n".join(rows)


def read_verbatim(
    sources: Sources, *, mentions: re.Pattern[str], shows: re.Pattern[str]
) -> Iterator[Example]:
    """The verbatim code of manuals and .dtx files that mentions the package.

    Such manuals print code and, beside it, set the same once more: what `shows` matches is taken as shown.
    """
    for file in sources.files:
        text = documentation(file.text) if ".dtx" in file.name else file.text
        for example in read_environments(
            SourceFile(file.name, text, file.sha256), ["verbatim", "verbatim*"], running_text=False,
            role_of=lambda block: _role_of(block, shows),
        ):  # fmt: skip
            if mentions.search(example.code):
                yield replace(example, file=file)


def _role_of(block: Block, shows: re.Pattern[str]) -> Role:
    return "shown" if shows.search(block.body) else "listing"
