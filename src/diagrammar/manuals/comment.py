"""The manual of comment and its test documents: environments that leave text out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import Block, tidy
from diagrammar.manuals.reading.document import hoisted, is_document, standalone
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Manual, Role, Sources

_MANUALS = re.compile(r"/(?:comment|writeup)\.tex")
_WHOLE = re.compile(r"\\begin\{(\w+)\}.*\\end\{\1\}", re.DOTALL)


def read(sources: Sources) -> Iterator[Example]:
    """The verbatim code of the two manuals, and each test document as one example."""
    for file in sources.files:
        if _MANUALS.search(file.name) or not is_document(file.text):
            yield from read_environments(file, ["verbatim"], role_of=_role_of, running_text=False)
        else:
            line = 1 + file.text[: len(file.text) - len(file.text.lstrip())].count("\n")
            yield Example(code=tidy(file.text), file=file, line=line)


def document(example: Example) -> str:
    """The example under comment; a test document as it is."""
    own, body = hoisted(example.code)
    return standalone(body, packages=["comment"], preamble=own)


def _role_of(block: Block) -> Role:
    # Only what holds an environment with something in it can be set by itself.
    dots = re.search(r"^\s*\.\.\.\s*$|\}\s*\.\.\.\s*\\end", block.body, re.MULTILINE)
    return "shown" if _WHOLE.search(block.body) and not dots else "listing"


MANUAL = Manual(
    package="comment",
    domain="graph",  # it sets text: what is kept of it as a diagram is for the filters to say
    licence="GPL-2.0-or-later",
    sources=(
        "doc/latex/comment/*.tex",
        "doc/latex/comment/comment.tex.gz",
        "doc/latex/comment/writeup.tex.gz",
    ),
    read=read,
    document=document,
    debian="texlive-latex-extra-doc",
    sample="\\begin{verbatim}\n\\includecomment{cond}\n\\begin{cond}\nkept\n\\end{cond}\n\\end{verbatim}\n",
)
