"""corpus, step 2, before TeX: a Diagram's code -> why it is not even compiled.

Compiles are isolated whatever the code asks for (`sandbox.py`). The screen is about what would be shipped: a program
that somebody else compiles without a sandbox must not start programs, write files of its own choice, or read outside
its folder.

| unsafe | is |
|---|---|
| runs a program | `\\write18`, `\\ShellEscape` and its packages, a pipe as a file, externalised pictures, minted |
| writes a file | `\\openout`; filecontents under a path that leads out |
| reads outside | `\\input`, `\\openin`, a picture, table or listing at an absolute, home or parent path |
| runs Lua on the system | a Lua command in a text that names os, io, lfs, require, load and their like |
| puts files into the PDF | embedded and attached files, file streams, `\\pdffiledump`, scripts and launch actions |
| hides a command | the name of one of these in `\\csname` |

Comments do not count, except where the text makes `%` an ordinary character; `^^5c` is read as what it stands for.
Allowed: writing to the log, filecontents in the own folder, files by a plain name, harmless Lua.
"""

from __future__ import annotations

import re

from diagrammar.manuals.reading.blocks import without_comments
from diagrammar.records.corpus import RejectReason

MAX_LINES = 300
MAX_CHARACTERS = 12_000

_OPTIONS = r"\s*\*?(?:\s*\[[^\]]*\])*\s*"
_OUTSIDE = r"[{\"]*\s*(?:/|~|\.\./|[A-Za-z]:[\\/]|[^\s{}]*/\.\./)"
_READERS = (
    r"\\(?:input|include|subfile|InputIfFileExists|IfFileExists|includegraphics|includesvg|includepdf|includestandalone"
    r"|verbatiminput|VerbatimInput|lstinputlisting|pgfplotstableread|pgfplotstabletypeset|pgfimage|pgfdeclareimage"
    r"|usepackage|RequirePackage|LoadClass|documentclass|graphicspath|DTLloaddb|csvreader|bibliography|externaldocument)"
)
_LUA = r"\\(?:directlua|latelua|lateluafunction|luaexec|luadirect|luaescapestring|begin\s*\{luacode\*?\})"
_SYSTEM = (
    r"(?<![\w.])(?:os|io|lfs|ffi|package|debug|texio|kpse|socket)\s*[.:\[]"
    r"|(?<![\w.])(?:(?:require|dofile|loadfile|loadstring|load)\s*[({'\"\[]|(?:_G|_ENV)(?!\w))"
)
_UNSAFE: tuple[tuple[str, str], ...] = (
    (r"\\write\s*18(?!\d)", "runs a program: \\write18"),
    (r"\\(?:Delayed)?ShellEscape(?![A-Za-z])", "runs a program: \\ShellEscape"),
    (
        r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{[^{}]*\b(?:shellesc|minted|pythontex|bashful)\b",
        "runs a program: a package that does so",
    ),
    (r"\\(?:input|openin[^\n|]{0,20}|include)\s*=?\s*[{\"]*\s*\|", "runs a program: a pipe as a file"),
    (r"\\tikzexternali[sz]e(?![A-Za-z])", "runs a program: externalised pictures"),
    (r"\\openout(?![A-Za-z])", "writes a file: \\openout"),
    (rf"\\begin\s*\{{filecontents\*?\}}{_OPTIONS}{_OUTSIDE}", "writes a file outside its folder"),
    (rf"{_READERS}(?![A-Za-z]){_OPTIONS}{_OUTSIDE}", "reads outside its folder"),
    (rf"\\openin(?![A-Za-z])[^\n]{{0,20}}?=?\s*{_OUTSIDE}", "reads outside its folder"),
    (rf"\b(?:table|file|graphics){_OPTIONS}\{{{_OUTSIDE}", "reads outside its folder"),
    (
        r"\\(?:embedfile|attachfile(?:2|annot)?|textattachfile|embedfilesetup|includemedia|pdffiledump|filedump)"
        r"(?![A-Za-z])",
        "puts files into the PDF",
    ),
    (r"\\(?:pdfobj|pdfextension\s*obj|immediate\s*\\pdfobj)\b[^\n]{0,80}\bfile\b", "puts files into the PDF"),
    (
        r"\\special\s*\{\s*(?:psfile|ps:[^}]*\brun\b|pdf:\s*(?:fstream|embed|image|epdf))",
        "puts files into the PDF",
    ),
    (r"/(?:JavaScript|JS|Launch|EmbeddedFile)(?![A-Za-z])", "puts a script or a launch action into the PDF"),
    (
        r"\\csname\s*(?:write|immediate|openout|openin|input|ShellEscape|directlua|latelua|pdfobj)\s*\\endcsname",
        "hides a command in \\csname",
    ),
)


def screen(code: str) -> tuple[RejectReason, str] | None:
    """Why the code is not compiled: `unsafe` or `too_long`, with one line; None where it may pass."""
    lines = code.count("\n") + (not code.endswith("\n"))
    if lines > MAX_LINES:
        return "too_long", f"{lines:,} lines; at most {MAX_LINES}"
    if len(code) > MAX_CHARACTERS:
        return "too_long", f"{len(code):,} characters; at most {MAX_CHARACTERS:,}"
    text = _decoded(code)
    if not re.search(r"\\catcode\s*(?:`\s*\\?%|37)", text):
        text = without_comments(text)
    for pattern, why in _UNSAFE:
        if found := re.search(pattern, text):
            return "unsafe", f"{why} (line {_line(text, found)})"
    if re.search(_LUA, text) and (found := re.search(_SYSTEM, text)):
        what = re.sub(r"\W", "", found[0])
        return "unsafe", f"runs Lua on the system: {what} (line {_line(text, found)})"
    return None


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1


def _decoded(code: str) -> str:
    """The text with TeX's ^^5c written as the character that it stands for."""
    return re.sub(r"\^\^([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), code)
