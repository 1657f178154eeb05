"""The manual of chemfig: \\exemple{title}<delimiter>code<delimiter>, in the English file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import Lines, closing, find_blocks, tidy
from diagrammar.manuals.reading.definitions import find_definitions, needed, outside
from diagrammar.manuals.reading.document import hoisted, standalone
from diagrammar.manuals.reading.manual import Example, Manual, Sources

_EXAMPLE = re.compile(r"^[ \t]*\\exemple(?P<star>\*?)(?:\[(?P<width>\d+)\])?(?=\{)", re.MULTILINE)
_LIBRARIES = {
    r"decoration\s*=\s*\{?\s*(?:snake|zigzag|coil|bumps)|path morphing": "decorations.pathmorphing",
    r"decoration\s*=\s*\{?\s*markings|mark=at position|mark = at position": "decorations.markings",
    r"matrix of|left delimiter": "matrix",
}
_PACKAGES = {
    r"\\text\{|\\overset|\\underset|\\xrightarrow|\\tfrac": "amsmath",
    r"\\fancybox|\\boxput|\\ovalbox|\\shadowbox": "fancybox",
    r"\\xspace": "xspace",
    r"\\ce\{": "mhchem",
}


def read(sources: Sources) -> Iterator[Example]:
    """All \\exemple and \\exemple*."""
    for file in sources.files:
        text = file.text
        body_start = max(0, text.find(r"\begin{document}"))
        hidden = [(block.start, block.end) for block in find_blocks(text, ["verbatim", "lstlisting"])]
        lines = Lines(text)
        found: list[tuple[int, int, str, str, str, int]] = []
        offset = body_start
        while match := _EXAMPLE.search(text, offset):
            title_end = closing(text, match.end())
            delimiter = text[title_end + 1 : title_end + 2]
            end = text.find(delimiter, title_end + 2) if delimiter.strip() else -1
            if end < 0 or any(start <= match.start() < stop for start, stop in hidden):
                offset = match.end()
                continue
            options = f"{match['star']}{match['width'] or ''}"
            code, title = text[title_end + 2 : end], text[match.end() + 1 : title_end]
            first = title_end + 2 + len(code) - len(code.lstrip())
            found.append((match.start(), end + 1, options, code, title, lines.at(first)))
            offset = end + 1
        loose = list(find_definitions(outside(text, [(start, end) for start, end, *_ in found])))
        for start, _, options, code, title, line in found:
            before = [d for d in loose if d.offset < start]
            yield Example(
                code=tidy(code),
                file=file,
                line=line,
                options=options,
                title=title,
                setup=needed(code, before),
            )


def document(example: Example) -> str:
    """The example under chemfig."""
    own, body = hoisted(example.code)
    everything = example.setup + "\n" + example.code
    return standalone(
        body,
        packages=["chemfig", *(p for pattern, p in _PACKAGES.items() if re.search(pattern, everything))],
        libraries=[library for pattern, library in _LIBRARIES.items() if re.search(pattern, everything)],
        preamble="\n".join(part for part in (own, example.setup) if part),
    )


MANUAL = Manual(
    package="chemfig",
    domain="chemistry",
    licence="LPPL-1.3c",
    sources=("doc/generic/chemfig/chemfig-en.tex*",),
    read=read,
    document=document,
    sample="\\begin{document}\n\\exemple{A bond}|\\chemfig{A-B}|\n\\end{document}\n",
)
