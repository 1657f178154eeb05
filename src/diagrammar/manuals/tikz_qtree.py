"""The manual of tikz-qtree: fancyvrb's Example environments, set beside or below their code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import Block
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Manual, Role, Sources

_LIBRARIES = {r"-\{?(?:Stealth|Latex)|\bStealth\b": "arrows.meta"}
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff]")
_BEYOND_LATIN = re.compile(r"[\u0590-\uffef]")


def read(sources: Sources) -> Iterator[Example]:
    """The examples that are shown with their tree, and the printed listings."""
    for file in sources.files:
        yield from read_environments(file, ["SideBySideExample", "Example", "Verbatim"], role_of=_role_of)


def document(example: Example) -> str:
    """The example under tikz-qtree, with fonts for the letters of its leaves where they need some."""
    own, body = hoisted(example.code)
    fonts = ""
    if _BEYOND_LATIN.search(body):
        # The manual sets these leaves in fonts of its author's machine, by two commands of its preamble.
        right_to_left = "[Script=Arabic]" if _RIGHT_TO_LEFT.search(body) else ""
        command = r"\ar" if right_to_left else r"\ja"
        name = "DejaVu Sans" if right_to_left else "Noto Sans CJK JP"
        fonts = f"\\usepackage{{fontspec}}\n\\newfontfamily{command}{right_to_left}{{{name}}}"
    return standalone(
        body,
        packages=["tikz", "tikz-qtree"],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, body)],
        preamble="\n".join(part for part in (fonts, own, r"\tikzset{>=latex}", example.setup) if part),
    )


def _role_of(block: Block) -> Role:
    return "listing" if block.name == "Verbatim" else "shown"


MANUAL = Manual(
    package="tikz-qtree",
    domain="graph",
    licence="GPL-2.0-or-later",
    sources=("doc/latex/tikz-qtree/*.tex", "doc/latex/tikz-qtree/*.tex.gz"),
    read=read,
    document=document,
    sample="\\begin{SideBySideExample}\n\\Tree [.S [.NP the cat ] [.VP sat ] ]\n\\end{SideBySideExample}\n",
)
