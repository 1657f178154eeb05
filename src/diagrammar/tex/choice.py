"""Which engines a document is tried with, and when the next one can help."""

from __future__ import annotations

import re
from collections.abc import Sequence

from diagrammar.records.diagrams import Engine, FailureKind, TexFailure
from diagrammar.tex.document import Document

NEEDS_LUA = re.compile(
    r"\\usegdlibrary|\\directlua|\\luaexec|\\luadirect|\\begin\{luacode\*?\}|\\usetikzlibrary\s*\{[^}]*\bgraphdrawing\b"
    r"|\\usepackage(?:\[[^\]]*\])?\s*\{[^}]*\b(?:luacode|luamplib|luatexja|luatexja-fontspec|lua-\w+|tikz-planets-lua)\b"
)
NEEDS_XE = re.compile(
    r"\\XeTeX\w+|\\usepackage(?:\[[^\]]*\])?\s*\{[^}]*\b(?:xeCJK|mathspec|xltxtra|xunicode)\b"
)
NEEDS_EITHER = re.compile(
    r"\\setmainfont|\\setsansfont|\\setmonofont|\\newfontfamily|\\fontspec\b|\\setmathfont"
    r"|\\usepackage(?:\[[^\]]*\])?\s*\{[^}]*\b(?:fontspec|unicode-math|polyglossia)\b"
)
ASKED_FOR = re.compile(
    r"^\s*%\s*!\s*TEX\s+(?:TS-)?program\s*=\s*(pdflatex|lualatex|xelatex)\b", re.MULTILINE | re.IGNORECASE
)

# Faults of the document's own words: another engine reads the same words.
SAME_IN_EVERY_ENGINE: frozenset[FailureKind] = frozenset({
    "timeout", "truncated", "no_code", "missing_package", "missing_file", "undefined_command", "undefined_environment",
    "unknown_shape", "undefined_color", "syntax", "math_mode", "option_clash", "resource_limit", "isolation_required",
    "no_output", "missing_library", "unknown_key", "driver_limit",
})  # fmt: skip
# LuaTeX has more memory, and pgfplots calculates in Lua there; XeTeX has pdfTeX's limits.
NUMBERS_AND_ROOM: frozenset[FailureKind] = frozenset({"dimension_too_large", "arithmetic", "capacity"})
SAME_LIMIT = re.compile(
    r"(?:input|parameter) stack|grouping levels|semantic nest|text input levels|PGF Math Error"
)
# TeX code that is the same in all engines, unless it says that it wants Lua.
SAME_CODE = re.compile(
    r"^(?!.*[Ll]ua)Package (?:tikz|pgf|pgfkeys|pgffor|pgfplots\w*|PGF Math|chemfig|circuitikz|xcolor) Error"
)
# What says least of a document: that one engine was the wrong one.
ABOUT_THE_ENGINE: frozenset[FailureKind] = frozenset({"engine_required", "font", "unicode", "capacity"})
ENGINE_COMMANDS = re.compile(
    r"^\\(?:XeTeX\w*|directlua|lua\w+|U(?:math|radical|delimiter|stack)\w*|fontspec|set\w*font|pdf\w+|tex\w*)$"
)


def engines_for(document: Document, engines: Sequence[Engine]) -> tuple[Engine, ...]:
    """`engines` in their order without those that cannot take the document; all of them where none would be left."""
    code = document.code
    asked = ASKED_FOR.search(document.text)
    if NEEDS_LUA.search(code):
        able: tuple[Engine, ...] = ("lualatex",)
    elif NEEDS_XE.search(code):
        able = ("xelatex",)
    elif NEEDS_EITHER.search(code):
        able = ("lualatex", "xelatex")
    else:
        able = ("pdflatex", "lualatex", "xelatex")
    chosen = [engine for engine in engines if engine in able] or list(engines)
    if asked is not None and asked[1].lower() in chosen:
        first: Engine = asked[1].lower()  # type: ignore[assignment]
        chosen.sort(key=lambda engine: engine != first)
    return tuple(chosen)


def next_can_help(failure: TexFailure, following: Engine) -> bool:
    """Whether `following` may take what failed so. Where that is unsure, it may."""
    if failure.kind == "undefined_command":
        name = failure.message.rsplit(" ", 1)[-1]
        return ENGINE_COMMANDS.match(name) is not None
    if failure.kind in NUMBERS_AND_ROOM:
        return following == "lualatex" and SAME_LIMIT.search(failure.message) is None
    if failure.kind == "package_error" and SAME_CODE.search(failure.message):
        return False
    return failure.kind not in SAME_IN_EVERY_ENGINE


def tells_more(later: TexFailure, earlier: TexFailure) -> bool:
    """Whether the later engine's failure says more of the document than the earlier engine's."""
    return earlier.kind in ABOUT_THE_ENGINE and later.kind not in ABOUT_THE_ENGINE
