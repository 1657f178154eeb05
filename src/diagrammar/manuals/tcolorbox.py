"""The manual of tcolorbox: dispExample environments, shown with their boxes, and dispListing ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import Block, find_blocks
from diagrammar.manuals.reading.definitions import find_definitions
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Manual, Role, Sources

# Environment -> arguments in braces: options of the frame, or the name of an external file.
_ENVIRONMENTS = {
    "dispExample": 0, "dispExample*": 1, "exdispExample": 1, "exdispExample*": 2, "dispListing": 0, "dispListing*": 1,
}  # fmt: skip
_BOX_LIBRARIES = {
    r"doc(?:Command|Environment|Key|Value|Color)|\\(?:cs|meta|marg|oarg|refKey)\b": "documentation"
}
_LIBRARIES = {
    r"decoration|decorate": "decorations.pathmorphing",
    r"\bpattern\b|checkerboard": "patterns",
    r"-\{?(?:Stealth|Latex)|\bStealth\b": "arrows.meta",
    r"\\spy\b|spy using": "spy",
    r"\(\s*\$": "calc",
    r"shadow": "shadows",
}
_PACKAGES = {
    r"\\lipsum": "lipsum",
    r"\\begin\{(?:align|equation\*|gather|[pbv]matrix|cases)|\\text\{|\\tfrac|\\dfrac": "amsmath",
    r"\\mathbb|\\checkmark|\\square": "amssymb",
    r"\\begin\{tabularx\}|tabularx": "tabularx",
    r"\\(?:row|cell|column)color|\\rowcolors|\\arrayrulecolor": "colortbl",
    r"\\begin\{empheq\}|empheq": "empheq",
    r"\\begin\{axis\}|\\addplot": "pgfplots",
    r"\\begin\{multicols\}": "multicol",
    r"\\begin\{proof\}|\\theoremstyle": "amsthm",
    r"\\c[Rr]ef\b|cref": "cleveref",
    r"\\(?:href|url|hyperref|autoref|nameref)\b|hyper(?:ref|link|target|url|node)": "hyperref",
    r"\\vref\b": "varioref",
    r"\\ifthenelse|\\isodd": "ifthen",
    r"\\begin\{varwidth\}": "varwidth",
    r"\\setlist": "enumitem",
}
# Colours by the names of xcolor's tables.
_COLOURS = "[svgnames,table]{xcolor}"


def read(sources: Sources) -> Iterator[Example]:
    """The examples that are shown with what they set, and the listings; with the boxes of the preamble."""
    preamble = [
        definition
        for file in sources.files
        if ".sty" in file.name
        for block in find_blocks(file.text, ["tcbverbatimwrite"], arguments={"tcbverbatimwrite": 1})
        for definition in find_definitions(block.body)
    ]
    for file in sources.files:
        if ".sty" not in file.name:
            # What a listing prints, the manual runs as well where later examples need it.
            printed = [
                definition
                for block in find_blocks(file.text, ["dispListing", "dispListing*"], arguments=_ENVIRONMENTS)
                for definition in find_definitions(block.body)
            ]
            yield from read_environments(
                file,
                list(_ENVIRONMENTS),
                role_of=_role_of,
                arguments=_ENVIRONMENTS,
                shared=[*preamble, *printed],
            )


def document(example: Example) -> str:
    """The example under tcolorbox with most of its libraries, as the manual loads them."""
    own, body = hoisted(example.code)
    everything = example.setup + "\n" + example.code
    boxes = ["most", *(name for pattern, name in _BOX_LIBRARIES.items() if re.search(pattern, everything))]
    libraries = [library for pattern, library in _LIBRARIES.items() if re.search(pattern, everything)]
    return standalone(
        body,
        packages=[
            _COLOURS,
            *(["tikz"] if libraries else []),
            *(package for pattern, package in _PACKAGES.items() if re.search(pattern, everything)),
            "tcolorbox",
        ],
        libraries=libraries,
        preamble="\n".join(
            part for part in (rf"\tcbuselibrary{{{','.join(boxes)}}}", own, example.setup) if part
        ),
        paragraphs=True,
    )


def _role_of(block: Block) -> Role:
    return "listing" if block.name.startswith("dispListing") else "shown"


MANUAL = Manual(
    package="tcolorbox",
    domain="graph",  # it sets boxes of text: what is kept of it as a diagram is for the filters to say
    licence="LPPL-1.3c",
    sources=("doc/latex/tcolorbox/tcolorbox.doc.*.tex*", "doc/latex/tcolorbox/tcolorbox.doc.s_*.sty*"),
    read=read,
    document=document,
    debian="texlive-latex-extra-doc",
    sample="\\begin{dispExample}\n\\begin{tcolorbox}[title=A box]\ntext\n\\end{tcolorbox}\n\\end{dispExample}\n",
)
