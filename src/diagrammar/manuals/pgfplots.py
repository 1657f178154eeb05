"""The manual of PGFPlots, read inside its archive: codeexamples that take libraries for granted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from diagrammar.manuals.reading.blocks import find_blocks
from diagrammar.manuals.reading.codeexample import read_codeexamples
from diagrammar.manuals.reading.definitions import find_definitions, outside, uses
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.items import Item
from diagrammar.manuals.reading.items_pgf import read_pgf_items
from diagrammar.manuals.reading.manual import Example, Manual, Sources
from diagrammar.records.diagrams import Domain

_BREWER = (
    "Accent|Dark2|Paired|Pastel|Set[123]|Blues|BuGn|BuPu|GnBu|Greens|Greys|OrRd|Oranges|PuBu|PuRd|Purples|RdPu"
    "|Reds|YlGn|YlOrBr|YlOrRd|BrBG|PRGn|PiYG|PuOr|RdBu|RdGy|RdYlBu|RdYlGn|Spectral"
)
_MAPS = "autumn|bled|bright|bone|cold|copper|earth|gray|hsv2|pastel|pink|sepia|spring|summer|temp|thermal|winter|violet"
# The manual loads every library once; an example gets those that its words call for.
_PLOT_LIBRARIES = {
    r"groupplot|group style|group size": "groupplots",
    r"date coordinates in|\bdate ZERO": "dateplot",
    r"fill between|fillbetween|intersection segments|path name": "fillbetween",
    r"boxplot|\bhist\b|hist=|hist/|violin": "statistics",
    r"polaraxis|data cs=polar|axis type=polar": "polar",
    r"ternaryaxis|ternary": "ternary",
    r"smithchart": "smithchart",
    r"patch type\s*=\s*(?!rectangle|line\b|triangle\b)|patch refines|patch to triangles|coons|quadratic"
    r"|tensor bezier": "patchplots",
    r"x unit|y unit|z unit|use units|unit markings|change [xyz] base|SI prefix|\bunit code": "units",
    r"soft ?clip": "decorations.softclip",
    r"\bannot/": "clickable",
    rf"(?:colormap|cycle list)/(?:{_BREWER})": "colorbrewer",
    rf"colormap/(?:{_MAPS})": "colormaps",
}
_TIKZ_LIBRARIES = {
    r"background rectangle|on background layer|framed": "backgrounds",
    r"pattern\s*=|\bpattern color|\bpattern\b": "patterns",
    r"spy using|\\spy\b": "spy",
    r"decoration=\{?\s*markings|postaction=\{?\s*decorat|mark=at position|markings": "decorations.markings",
    r"footprints": "decorations.footprints",
    r"single arrow|double arrow": "shapes.arrows",
    r"\\matrix\b|matrix of": "matrix",
    r"(?:below|above|left|right)\s*=\s*(?:[\d.]+\s*\w\w\s*)?(?:and [\d.]+cm )?of |node distance": "positioning",
    r"\$\s*\(|\(\$": "calc",
    r"decoration=\{?\s*(?:zigzag|snake|random steps|saw|bumps)|path morphing": "decorations.pathmorphing",
    r"-\{?(?:Stealth|Latex|To|Triangle)\b|\bStealth\b": "arrows.meta",
    r"name intersections|name path": "intersections",
}
_PACKAGES = {
    r"\\(?:mathbb|square|checkmark|varnothing)(?![A-Za-z])|\\(?:R|N|Z|C)(?![A-Za-z])": "amssymb",
    r"\\(?:text|binom|tfrac|dfrac|boldsymbol)(?![A-Za-z])|\\begin\{(?:align|[pbv]matrix|cases)": "amsmath",
    r"pgfplotstable|table/create|linear regression|create col": "pgfplotstable",
    r"\\(?:toprule|midrule|bottomrule)": "booktabs",
    r"\\(?:row|column|cell)color(?![A-Za-z])": "colortbl",
    r"\\multirow(?![A-Za-z])": "multirow",
    r"\\(?:EUR|euro)(?![A-Za-z])|eurosym": "eurosym",
    r"\\nicefrac": "nicefrac",
    r"\\(?:textdegree|textregistered|textmu)": "textcomp",
    r"\\ding(?![A-Za-z])": "pifont",
    r"\\widthof|\\heightof": "calc",
    r"column type.*[mpb]\{|dec sep align|>\{|\\newcolumntype": "array",
    r"\\begin\{lstlisting\}": "listings",
    r"\\url\b|\\href\b|hyperref": "hyperref",
}
_AXIS = re.compile(r"axis\b|addplot|smithchart|pgfplots|groupplot|colormap|cycle list")
_CURRENT = re.compile(r"\\def\\pgfplotsmanualcurlibrary\{([^}]*)\}")
# The chapters share what the main file and its preamble define.
_SHARED = ("pgfplots.preamble.tex", "pgfplots.tex", "pgfplotstable.tex")
_FOLDER = re.compile(r"(?<=[{\s])(?:plotdata|figures)/(?=[\w.-]+[}\s])")
_BESIDE = re.compile(r"[\w.-]+\.(?:dat|txt|csv|table|testtable|tex)\b|pgfplots\.test(?:table|plot)")


def read(sources: Sources) -> Iterator[Example]:
    """All codeexamples of the archive's files."""
    shared = [
        definition
        for file in sources.files
        if file.name.endswith(_SHARED)
        for definition in find_definitions(
            outside(file.text, [(b.start, b.end) for b in find_blocks(file.text, ["codeexample"])])
        )
        if not any("codeexample" in name for name in definition.names)
    ]
    for file in sources.files:
        currents = [(match.start(), match[1]) for match in _CURRENT.finditer(file.text)]
        first_line_of = [(file.text.count("\n", 0, offset) + 1, name) for offset, name in currents]
        for example in read_codeexamples(file, shared=shared):
            current = [name for line, name in first_line_of if line <= example.line][-1:]
            yield _completed(example, "".join(current), sources)


def _completed(example: Example, current: str, sources: Sources) -> Example:
    """The example with the library of its section, where it plots, and the data files that it names."""
    code = _FOLDER.sub("", example.code)
    names = {match[0] for match in _BESIDE.finditer(example.setup + "\n" + code)}
    beside = {name: sources.beside[name] for name in names if name in sources.beside}
    preamble = example.preamble
    if current and current not in ("external", "clickable") and _AXIS.search(example.code):
        preamble = (preamble + "\n" + rf"\usepgfplotslibrary{{{current}}}").strip()
    return replace(example, code=code, beside=beside, preamble=preamble)


def items(sources: Sources) -> Iterator[Item]:
    """What the archive's files define."""
    for file in sources.files:
        yield from read_pgf_items(file, "pgfplots")


def document(example: Example) -> str:
    """The example under pgfplots with the manual's width and level of compatibility."""
    own, body = hoisted(example.code)
    everything = "\n".join((example.preamble, example.setup, example.code))
    packages = [package for pattern, package in _PACKAGES.items() if re.search(pattern, everything)]
    loaded = re.findall(r"usepgfplotslibrary\{([^}]*)\}", example.preamble + own)
    plots = [
        library for pattern, library in _PLOT_LIBRARIES.items()
        if re.search(pattern, everything) and library not in loaded
    ]  # fmt: skip
    tikz = [library for pattern, library in _TIKZ_LIBRARIES.items() if re.search(pattern, everything)]
    preamble = [r"\pgfplotsset{width=7cm,compat=1.18}"]
    libraries = (
        list(dict.fromkeys(re.split(r"\s*,\s*", ",".join([*loaded, *plots])))) if loaded or plots else []
    )
    if libraries:
        preamble.append(f"\\usepgfplotslibrary{{{','.join(libraries)}}}")
    preamble += [
        re.sub(r"\\usepgfplotslibrary\{[^}]*\}\n?", "", part)
        for part in (example.preamble, own, example.setup)
    ]
    return standalone(
        body,
        packages=["pgfplots", *packages],
        libraries=tikz,
        preamble="\n".join(part.strip() for part in preamble if part.strip()),
        beside=example.beside,
    )


def domain_of(example: Example) -> Domain:
    """`3d_shapes` where \\addplot3 is used, else `charts`."""
    return "3d_shapes" if uses(example.code, "\\addplot3") else "charts"


MANUAL = Manual(
    package="pgfplots",
    domain="charts",
    licence="GPL-3.0-or-later",
    sources=("doc/latex/pgfplots/pgfplots.doc.src.tar.bz2",),
    members=("pgfplots.*.tex", "pgfplots.tex", "pgfplotstable.tex", "TeX-programming-notes.tex"),
    beside=(),
    read=read,
    items=items,
    document=document,
    domain_of=domain_of,
    sample="\\begin{codeexample}[]\n\\begin{tikzpicture}\n\\begin{axis}\n\\addplot {x^2};\n\\end{axis}\n"
    "\\end{tikzpicture}\n\\end{codeexample}\n",
)
