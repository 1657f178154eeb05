"""The tkzexample environment of the tkz packages' manuals, a cousin of pgf's codeexample."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from diagrammar.manuals.reading.blocks import Block
from diagrammar.manuals.reading.definitions import find_definitions
from diagrammar.manuals.reading.document import hoisted, standalone, without_blank_lines
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Role, Sources
from diagrammar.manuals.reading.options import split_options

LIBRARIES = {
    r"on background layer|framed|background rectangle": "backgrounds",
    r"pattern\s*=": "patterns",
    r"name intersections": "intersections",
    r"through\s*=|circle through": "through",
    r"decoration\s*=\s*\{?\s*markings|mark=at position": "decorations.markings",
    r"decoration\s*=\s*\{?\s*(?:brace|text)": "decorations.pathreplacing",
    r"\bStealth\b|\bLatex\b|-\{": "arrows.meta",
}
PACKAGES = {
    r"\\(?:begin\{pgfornament|pgfornament)": "pgfornament",
    r"\\multido": "multido",
    r"\\text\{|\\dfrac|\\tfrac|\\overrightarrow|\\widehat|\\begin\{align": "amsmath",
    r"\\mathbb|\\widehat\{[A-Z]{3}|\\parallel|\\leqslant": "amssymb",
}


def read_tkzexamples(sources: Sources) -> Iterator[Example]:
    """The examples that are shown with their figure, the code-only ones, and the printed listings."""
    main = [d for file in sources.files if "-main.tex" in file.name for d in find_definitions(file.text)]
    for file in sources.files:
        yield from read_environments(
            file, ["tkzexample", "tkzltxexample"], role_of=_role_of, code_of=_code_of, shared=main
        )


def tkz_document(
    example: Example,
    *,
    packages: tuple[str, ...],
    libraries: Mapping[str, str] = LIBRARIES,
    preamble: str = "",
) -> str:
    """The example under the packages. The manual's own line widths and colours are left out."""
    own, body = hoisted(example.code)
    everything = example.setup + "\n" + example.code
    return standalone(
        body,
        packages=[*packages, *(p for pattern, p in PACKAGES.items() if re.search(pattern, everything))],
        libraries=[library for pattern, library in libraries.items() if re.search(pattern, everything)],
        preamble="\n".join(part for part in (preamble, own, example.setup) if part),
    )


def _role_of(block: Block) -> Role:
    shown = block.name == "tkzexample" and "code only" not in split_options(block.options)
    return "shown" if shown else "listing"


def _code_of(block: Block) -> str:
    settings = split_options(block.options)
    code = without_blank_lines(block.body)
    return "\n".join(part for part in (settings.get("pre", ""), code, settings.get("post", "")) if part)
