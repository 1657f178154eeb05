"""Examples in the documentation of pgf's Lua files, from which the graph drawing chapters are made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from diagrammar.manuals.reading.blocks import Lines, tidy
from diagrammar.manuals.reading.codeexample import read_codeexamples
from diagrammar.manuals.reading.document import without_blank_lines
from diagrammar.manuals.reading.manual import Example, SourceFile
from diagrammar.manuals.reading.options import split_options

# `examples = [["..."]]`, `examples = {[["..."]], ...}` of a declaration; `example [[...]]` of a doc.lua.
_FIELD = re.compile(r"^[ \t]*(?:examples?[ \t]*=|example\b)[ \t\n]*(?P<list>\{)?", re.MULTILINE)
_STRING = re.compile(
    r"[\s,{]*(?:options\s*=\s*\[\[(?P<options>.*?)\]\][\s,]*)?(?:code\s*=\s*)?"
    r'(?:\[\[(?P<long>.*?)\]\]|"(?P<short>(?:[^"\\]|\\.)*)")[ \t\n]*(?:\}(?=\s*,\s*\{))?',
    re.DOTALL,
)
_MARGIN = re.compile(r"^--+ ?", re.MULTILINE)
# The manual loads all of these; an example gets the ones that its keys are of.
_GD_LIBRARIES = {
    r"tree layout|span(?:ning)? |missing nodes|desired child|minimum number of children|significant sep": "trees",
    r"layered layout|(?:same|minimum) layer": "layered",
    r"spring |electric|coarsen|random seed|desired at|convergence|downsize": "force",
    r"necklace layout": "circular",
    r"phylogenetic|phylogram|balanced|distance matrix|unrooted|rooted (?:straight|rectangular)": "phylogenetics",
    r"(?:simple|edge) demo layout|Huffman": "examples",
    r"necklace routing|\bbend\b.*routing|clockwise": "routing",
    r"planar layout": "planar",
    r"pedigree": "pedigrees",
    r"social \w+ layout|maximum step|jedi": "force.jedi",
    r"animated .*layout|\bevolving\b": "experimental.evolving",
}
_OGDF = re.compile(r"\b(?:Sugiyama|FMMM|Multilevel|Balloon|Circular|Planarization|GEM)Layout\b")
_TIKZ_LIBRARIES = {
    r"Stealth|Latex\[|-\{": "arrows.meta",
    r'"[^"]*"\s*(?:\{|\]|,)': "quotes",
    r"(?:rounded rectangle|cross out|chamfered)": "shapes.misc",
    r"\bellipse\b|diamond|regular polygon|isosceles": "shapes.geometric",
    r"graph\s*\[[^\]]*\bsubgraph|subgraph \w_": "graphs.standard",
    r"\(\s*\$": "calc",
    r"on background layer": "backgrounds",
    r"animat": "animations",
    r"\bfit\s*=": "fit",
    r"(?:below|above|left|right)\s*=\s*[^,\]]*of ": "positioning",
    r"decorat": "decorations.pathmorphing",
}


def read_lua_examples(file: SourceFile) -> Iterator[Example]:
    """The examples of one Lua file: codeexamples in comments and strings, and the `examples` of keys.

    Those of `force.jedi` are listings: no chapter prints them, and its keys are documented but nowhere declared.
    """
    uncommented = replace(file, text=_MARGIN.sub("", file.text))
    for example in read_codeexamples(uncommented, running_text=False):
        loads = example.preamble or _loads(example.code, file.name)
        yield replace(example, file=file, preamble=loads if example.role == "shown" else example.preamble)
    lines = Lines(file.text)
    for field in _FIELD.finditer(file.text):
        offset = field.end()
        while string := _STRING.match(file.text, offset):
            offset = string.end()
            which = "long" if string["long"] is not None else "short"
            raw = string[which] if which == "long" else string[which].replace("\\\\", "\\")
            code = without_blank_lines(tidy(raw.strip().strip('"')))
            first = string.start(which) + len(raw) - len(raw.lstrip(' \t\n"'))
            options = " ".join((string["options"] or "").strip().strip('"').split())
            loads = split_options(options).get("preamble", "").replace("} ", "}\n")
            if "subgraph" in code and loads:
                loads += "\n\\usetikzlibrary{graphs.standard}"
            yield Example(
                code=code,
                file=file,
                line=lines.at(first),
                options=options,
                preamble=loads or _loads(code, file.name),
                role="listing" if "/force/jedi/" in file.name else "shown",
            )
            if not field["list"]:
                break


def _loads(code: str, name: str) -> str:
    """The libraries that the code's keys are of; that of the file's folder where they tell nothing."""
    tikz = ["graphs", "graphdrawing"]
    tikz += [library for pattern, library in _TIKZ_LIBRARIES.items() if re.search(pattern, code)]
    drawing = [library for pattern, library in _GD_LIBRARIES.items() if re.search(pattern, code)]
    if "/ogdf/" in name or _OGDF.search(code):
        drawing.append("ogdf")  # written in C++: a LuaTeX without its module cannot run these
    folder = re.search(r"/pgf/gd/((?:experimental/|force/(?=jedi))?\w+)/", name)
    if folder and (own := folder[1].replace("/", ".")) in _GD_LIBRARIES.values() and own not in drawing:
        drawing = [own] if not drawing or "." in own else drawing
    rows = [f"\\usetikzlibrary{{{','.join(tikz)}}}"]
    if drawing:
        rows.append(f"\\usegdlibrary{{{','.join(drawing)}}}")
    return "\n".join(rows)
