"""The manual of pst-solides3d: LTXexample environments and pictures between them, PSTricks in either.

PSTricks draws in PostScript: of the engines, XeTeX brings it into a PDF, by way of Ghostscript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import Block, Lines, find_blocks, tidy, without_comments
from diagrammar.manuals.reading.definitions import find_definitions, outside
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Manual, Role, SourceFile, Sources

_PACKAGES = {
    r"\\pst[A-Z]\w+|\\psGrid|\\psComment|\\psRandom|algebraic": "pstricks-add",
    r"\\pstGeonode|\\pstLine|\\pstTriangle|\\pstInter|\\pstMiddle": "pst-eucl",
    r"\\psplot|\\parametricplot|\\psaxes": "pst-plot",
    r"\\(?:n|p)c(?:line|arc|curve)|\\[rp]node": "pst-node",
    r"\\text\{|\\dfrac|\\begin\{(?:align|array|[pb]matrix)": "amsmath",
    r"\\multido": "multido",
    r"\\begin\{animateinline\}": "animate",
}
_COLOURS = "[dvipsnames,svgnames,x11names]{xcolor}"
# What sets a picture up stands directly before it.
_BEFORE = re.compile(
    r"(?:^[ \t]*\\(?:psset|def|newcommand|defFunction|pstVerb|codejps)\b[^\n]*\n)+\Z", re.MULTILINE
)
_PICTURE = re.compile(r"\\begin\{(pspicture\*?)\}.*?\\end\{\1\}", re.DOTALL)
_NAMES = ("bleuciel", "OrangeReddy")  # colours of the manual's preamble
_NEEDS_FILE = re.compile(r"\b(?:file|path)\s*=|\\datapath|object=(?:datfile|objfile|offfile|load)|\.eps\b")


def read(sources: Sources) -> Iterator[Example]:
    """The examples, the pictures that are drawn without their code, and the listings."""
    shared = [
        definition
        for file in sources.files
        if "-doc.tex" in file.name
        for definition in find_definitions(file.text)
        if set(definition.names) & {*_NAMES, "\\PointEcran"}
    ]
    for file in sources.files:
        found = [
            *read_environments(file, ["LTXexample", "verbatim"], role_of=_role_of, shared=shared),
            *_bare_pictures(file),
        ]
        yield from sorted(found, key=lambda example: example.line)


def document(example: Example) -> str:
    """The example under pst-solides3d, for XeTeX."""
    own, body = hoisted(example.code)
    everything = example.setup + "\n" + example.code
    packages = [package for pattern, package in _PACKAGES.items() if re.search(pattern, everything)]
    setup = example.setup
    if "@" in setup:
        setup = "\\makeatletter\n" + setup + "\n\\makeatother"
    return standalone(
        body,
        packages=[_COLOURS, "pst-solides3d", *packages],
        preamble="\n".join(part for part in ("% !TEX program = xelatex", own, setup) if part),
    )


def _role_of(block: Block) -> Role:
    return "shown" if block.name == "LTXexample" and not _NEEDS_FILE.search(block.body) else "listing"


def _bare_pictures(file: SourceFile) -> Iterator[Example]:
    """The pspictures that stand in the text itself, with the settings directly before them."""
    taken = [(b.start, b.end) for b in find_blocks(file.text, ["LTXexample", "verbatim"])]
    text = outside(file.text, taken)
    plain = without_comments(text)
    lines = Lines(text)
    colours = [d for d in find_definitions(text) if not any(n.startswith("\\begin") for n in d.names)]
    for picture in _PICTURE.finditer(plain):
        start = text.rfind("\n", 0, picture.start()) + 1
        opens_line = not text[start : picture.start()].strip()
        before = _BEFORE.search(text, max(0, start - 2000), start) if opens_line else None
        begin = before.start() if before else picture.start()
        code = tidy(text[begin : picture.end()])
        used = "\n".join(d.text for d in colours if d.offset < begin and d.names and d.serves(code))
        role: Role = "listing" if _NEEDS_FILE.search(code) else "shown"
        first = begin + len(text[begin:]) - len(text[begin:].lstrip())
        yield Example(code=code, file=file, line=lines.at(first), role=role, setup=used, title="in the text")


MANUAL = Manual(
    package="pst-solides3d",
    domain="3d_shapes",
    licence="LPPL-1.3c",
    sources=(
        "doc/generic/pst-solides3d/*.tex*",
        "doc/generic/pst-solides3d/text/*-en.tex",
        "doc/generic/pst-solides3d/text/*-en.tex.gz",
    ),
    read=read,
    document=document,
    debian="texlive-pstricks-doc",
    sample="\\begin{LTXexample}[width=6cm]\n\\begin{pspicture}(-2,-2)(2,2)\n\\psSolid[object=cube,a=2]\n"
    "\\end{pspicture}\n\\end{LTXexample}\n",
)
