"""A complete standalone document around a manual's example, with no more in it than the example needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from diagrammar.manuals.reading.blocks import closing, without_comments

BORDER = "border=5pt"
# Where a page is one picture, the class option says so; anything else is set as a page of its own width.
_PICTURE = re.compile(r"\\begin\{tikzpicture\}")
_PARAGRAPHS = re.compile(
    r"\n[ \t]*\n|\\par\b"
    r"|\\begin\{(?:center|itemize|enumerate|minipage|flushleft|quote|align\*?|equation\*?|longtable)\}"
    r"|\\\[|\\bigskip|\\medskip|\\smallskip|\\vskip|\\vspace|\\noindent|\\linewidth|\\textwidth|\\hsize"
)


def standalone(
    body: str,
    *,
    packages: Iterable[str] = (),
    libraries: Iterable[str] = (),
    preamble: str = "",
    beside: Mapping[str, str] | None = None,
    paragraphs: bool = False,
) -> str:
    """The document; `body` as it is where it is one already.

    `packages` are names or `[options]{name}`; `libraries` are TikZ libraries; `paragraphs` gives the body a line
    width even where nothing in its words asks for one.
    """
    if is_document(body):
        return _with_files(body.strip() + "\n", beside or {})
    one_picture = is_one_picture(body)
    options = ["tikz"] if one_picture else ["varwidth"] if paragraphs or sets_paragraphs(body) else []
    loads = [name for name in dict.fromkeys(packages) if not (one_picture and name == "tikz")]
    rows = [rf"\documentclass[{','.join([*options, BORDER])}]{{standalone}}"]
    rows += [rf"\usepackage{name}" if name.startswith("[") else rf"\usepackage{{{name}}}" for name in loads]
    wanted = list(dict.fromkeys(libraries))
    if wanted:
        rows.append(f"\\usetikzlibrary{{{','.join(wanted)}}}")
    if preamble.strip():
        rows.append(preamble.strip("\n"))
    rows += [r"\begin{document}", body.strip("\n"), r"\end{document}"]
    return _with_files("\n".join(rows) + "\n", beside or {})


def is_document(body: str) -> bool:
    """Whether the body brings its own class."""
    return re.search(r"^[ \t]*\\documentclass", body, re.MULTILINE) is not None


def is_one_picture(body: str) -> bool:
    """Whether the body is one tikzpicture environment and nothing else."""
    text = without_comments(body).strip()
    return (
        text.startswith(r"\begin{tikzpicture}")
        and text.endswith(r"\end{tikzpicture}")
        and len(_PICTURE.findall(text)) == 1
    )


def sets_paragraphs(body: str) -> bool:
    """Whether text around the pictures needs a line width: paragraphs, lists, displays."""
    return _PARAGRAPHS.search(outside_pictures(without_comments(body))) is not None


def outside_pictures(text: str) -> str:
    """The text without the insides of picture environments and of brace groups."""
    text = re.sub(
        r"\\begin\{(tikzpicture|circuitikz|axis|pgfpicture)\}.*?\\end\{\1\}", "", text, flags=re.DOTALL
    )
    pieces: list[str] = []
    offset = 0
    while (brace := text.find("{", offset)) >= 0:
        if re.search(r"\\begin$", text[offset:brace]):
            pieces.append(text[offset : brace + 1])
            offset = brace + 1
            continue
        pieces.append(text[offset:brace])
        offset = closing(text, brace) + 1
    return "".join(pieces) + text[offset:]


def without_blank_lines(code: str) -> str:
    """The code without blank lines inside option brackets and outside pictures.

    The codeexample environment drops line ends, so a blank line never ended a paragraph there. Between
    coordinates it separates scan lines and stays.
    """
    rows: list[str] = []
    depth = pictures = 0
    for row in code.split("\n"):
        if not row.strip() and (depth > 0 or pictures <= 0):
            continue
        rows.append(row)
        plain = re.sub(r"\\.|(?<!\\)%.*", "", row)
        depth += plain.count("[") - plain.count("]")
        pictures += len(re.findall(r"\\begin\{\w*picture\}", row)) - len(
            re.findall(r"\\end\{\w*picture\}", row)
        )
    return "\n".join(rows)


def hoisted(code: str) -> tuple[str, str]:
    """The code's own loading of packages and libraries, and the code without it; a document stays whole."""
    if is_document(code):
        return "", code
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        found.append(match[0].strip())
        return ""

    pattern = (
        r"^[ \t]*\\(?:usepackage|RequirePackage)(?:\[[^\]]*\])?\{[^}]*\}[ \t]*(?:%[^\n]*)?\n?"
        r"|^[ \t]*\\use(?:tikz|pgf|pgfplots|gd)library\s*\{[^}]*\}[ \t]*(?:%[^\n]*)?\n?"
    )
    rest = re.sub(pattern, take, code, flags=re.MULTILINE)
    return "\n".join(found), rest.strip("\n")


def _with_files(document: str, beside: Mapping[str, str]) -> str:
    """The document with the files that it reads written out below its class."""
    files = "".join(
        f"\\begin{{filecontents*}}[overwrite]{{{name}}}\n{text.rstrip()}\n\\end{{filecontents*}}\n"
        for name, text in sorted(beside.items())
    )
    class_ = re.search(r"^[ \t]*\\documentclass[^\n]*\n", document, re.MULTILINE)
    cut = class_.end() if class_ else 0
    return document[:cut] + files + document[cut:]
