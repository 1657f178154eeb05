"""The manual of forest: forestexample environments, in which `~` marks what is to be seen in green."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from diagrammar.manuals.reading.blocks import Block, find_blocks
from diagrammar.manuals.reading.definitions import find_definitions, outside
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.environments import read_environments
from diagrammar.manuals.reading.manual import Example, Manual, Role, Sources
from diagrammar.manuals.reading.options import split_options

_FOREST_LIBRARIES = {
    r"forked edge|folder\b": "edges",
    r"\bGP1\b|sn edges|nice empty nodes|draw brackets|c-commanded|\broof\b|sn\*? ": "linguistics",
}
_LIBRARIES = {
    r"\bcloud\b": "shapes.symbols",
    r"\bellipse\b|regular polygon|isosceles triangle|\bdiamond\b|trapezium": "shapes.geometric",
    r"rounded rectangle|cross out|strike out": "shapes.misc",
    r"\(\s*\$": "calc",
    r"name intersections|name path": "intersections",
    r"\bfit\s*=": "fit",
    r"decorate|decoration\s*=": "decorations.pathmorphing",
    r"on background layer|framed": "backgrounds",
    r"\bpattern\b": "patterns",
    r"(?:below|above|left|right)\s*=\s*[^,\]]*of ": "positioning",
    r"-\{?(?:Stealth|Latex)|\bStealth\b": "arrows.meta",
}
_PACKAGES = {
    r"\\text(?:ipa|sc)?\{|\\begin\{(?:align|[pbv]matrix)": "amsmath",
    r"\\textipa|\\begin\{IPA\}": "tipa",
    r"\\lstinline|\\lstset": "listings",
}
_NO_PICTURE = ("only code",)
# An entry of the manual's index inside a picture: only its name is seen.
_INDEXED = re.compile(r"\\index(?:def|ex)?\{(?:[^{}]*[>=])?([^{}>=]*)\}")
# The manual switches \usepackage off around an example that begins with it.
_LOADS = re.compile(r"^[ \t]*\\usepackage\s*(?:\[[^\]]*\])?\s*\{forest\}[ \t]*\n?", re.MULTILINE)


def read(sources: Sources) -> Iterator[Example]:
    """All forestexamples, without the signs of emphasis; the text after them uses what some define."""
    for file in sources.files:
        # What the preamble defines serves the manual's index, but for one style of pale trees.
        start = max(0, file.text.find(r"\begin{document}"))
        defined = [d for d in find_definitions(file.text[:start]) if "background tree" in d.names]
        defined += [
            definition
            for block in find_blocks(file.text, ["forestexample"])
            if split_options(block.options).get("layout") == "export"
            for definition in find_definitions(_code_of(block))
        ]
        body = replace(file, text=outside(file.text, [(0, start)]))
        for example in read_environments(
            body, ["forestexample"], role_of=_role_of, code_of=_code_of, shared=defined
        ):
            yield replace(example, file=file)


def document(example: Example) -> str:
    """The example under forest, with the libraries of it that the code uses."""
    own, body = hoisted(_LOADS.sub("", example.code))
    everything = example.setup + "\n" + example.code
    wanted = [name for pattern, name in _FOREST_LIBRARIES.items() if re.search(pattern, everything)]
    forest = f"[{','.join(wanted)}]{{forest}}" if wanted else "forest"
    setup = example.setup
    if "@" in setup:
        setup = "\\makeatletter\n" + setup + "\n\\makeatother"
    return standalone(
        body,
        packages=[forest, *(p for pattern, p in _PACKAGES.items() if re.search(pattern, everything))],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, everything)],
        preamble="\n".join(part for part in (own, r"\tikzset{>=latex}", setup) if part),
    )


def _role_of(block: Block) -> Role:
    settings = split_options(block.options)
    draws = r"\begin{forest}" in block.body or r"\Forest" in block.body
    return "shown" if draws and settings.get("layout") not in _NO_PICTURE else "listing"


def _code_of(block: Block) -> str:
    # listings' moredelim swallows the signs; a tie in the text would be one too.
    return _INDEXED.sub(r"\\texttt{\1}", block.body.replace("~", ""))


MANUAL = Manual(
    package="forest",
    domain="graph",
    licence="LPPL-1.3c",
    sources=("doc/latex/forest/forest-doc.tex*",),
    read=read,
    document=document,
    sample="\\begin{forestexample}[point=grow]\n  \\begin{forest}\n    [VP, ~grow=east~ [V] [DP]]\n"
    "  \\end{forest}\n\\end{forestexample}\n",
)
