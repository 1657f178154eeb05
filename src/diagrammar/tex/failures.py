"""What TeX's log says went wrong, as a typed failure with a line, one message and a hint."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from diagrammar.records.diagrams import FailureKind, Output

# `culprit` is what the pattern names; hints may use it as {culprit}
Where = Literal["document", "elsewhere"]


@dataclass(frozen=True)
class Reading:
    """The first error of a log. `line` counts in the file TeX read, None where the error is not in the document."""

    kind: FailureKind
    message: str
    hint: str
    culprit: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Rule:
    pattern: re.Pattern[str]
    kind: FailureKind
    hint: str


def _rule(pattern: str, kind: FailureKind, hint: str) -> Rule:
    return Rule(re.compile(pattern), kind, hint)


# pgf's drivers for DVI: a PDF engine takes them without a word and draws nothing.
WRONG_DRIVERS: dict[Output, re.Pattern[str]] = {
    "pdf": re.compile(r"pgfsys-dvi(?:svgm|ps)\.def|Backend request inconsistent"),
    "svg": re.compile(r"pgfsys-(?:pdftex|luatex|xetex|dvips|dvipdfmx?|vtex|textures)\.def"),
}
DRIVER_HINT = "drop dvips, dvisvgm and \\pgfsysdriver: what is made here is PDF"
DRIVER_HINTS: dict[Output, str] = {
    "pdf": DRIVER_HINT,
    "svg": "drop the option that chooses a driver: the second reader draws by dvisvgm's",
}
# what pgf's driver for dvisvgm says that it does not draw
DRIVER_LACKS = re.compile(r"Your graphic driver \S+ does not support (.+?)\. This")

# The first rule that fits the message decides. Group `culprit` is what is named to repairs and hints.
RULES: tuple[Rule, ...] = (
    _rule(r"(?:The (?P<culprit>\S+) package )?requires either XeTeX or LuaTeX|requires? (?:Xe|Lua)(?:La)?TeX"
          r"|(?:needs|only works with|cannot run with|must use) .*(?:Xe|Lua)|needs to be run with LuaTeX"
          r"|(?:Xe|Lua)(?:La)?TeX (?:is )?required|You (?:need|have) to (?:run|use) .*(?:Lua|Xe)",
          "engine_required", "compile with lualatex or xelatex"),
    _rule(r"graph drawing .*(?:LuaTeX|engine)|(?:LuaTeX|engine).*graph drawing", "engine_required",
          "graph drawing layouts need lualatex"),
    _rule(r"File `(?P<culprit>[^']+)\.sty' not found", "missing_package",
          "the package {culprit} is not installed: install it or draw without it"),
    _rule(r"File `(?P<culprit>[^']+)\.cls' not found", "missing_package",
          "the class {culprit} is not installed: use standalone or article"),
    _rule(r"I did not find the (?:tikz|pgf|pgfplots|gd)? ?library '?(?P<culprit>[^'.,]+)'?", "missing_library",
          "there is no library {culprit} here: check its name, or whether it belongs to \\usepgfplotslibrary"),
    _rule(r"[Ll]ibrary (?:file )?[`'\"]?(?P<culprit>[\w.-]+)['\"]? (?:was )?not found|Could not find .*library "
          r"[`']?(?P<name>[\w.-]+)", "missing_library", "check the library's name"),
    _rule(r"I can't find file `(?:pgf|tikz)librarypgfplots\.(?P<culprit>[^']+?)\.code\.tex'", "missing_library",
          "pgfplots has no library {culprit}: check its name, or whether it belongs to \\usetikzlibrary"),
    _rule(r"File `(?P<culprit>[^']+)' not found|[Cc]ould not read table file '(?P<file>[^']+)'"
          r"|I can't find file `(?P<tex>[^']+)'|Unable to (?:load|find) (?:picture or PDF )?file '?(?P<image>[^']+)'?"
          r"|cannot find image file '?(?P<graphic>[^']+)'?", "missing_file",
          "only the document itself is there: put the data into it (filecontents, inline table)"),
    _rule(r"NOT available for the selected driver|not supported by (?:the )?(?:driver|backend)", "driver_limit",
          "pgf's dvisvgm driver cannot draw this; the PDF reader can: --reader pdf"),
    _rule(r"Option clash for package (?P<culprit>[^.\s]+)", "option_clash",
          "load {culprit} once with all its options, or pass them with \\PassOptionsToPackage before \\documentclass"),
    _rule(r"Backend request inconsistent", "option_clash", DRIVER_HINT),
    _rule(r"Environment (?P<culprit>\S+) undefined", "undefined_environment",
          "load the package that defines the environment {culprit}, or check its spelling"),
    _rule(r"Unknown arrow tip kind '(?P<culprit>[^']+)'", "missing_library",
          "\\usetikzlibrary{{arrows.meta}} defines most arrow tips; check the name {culprit}"),
    _rule(r"I do not know the key '(?P<culprit>[^']+)'", "unknown_key",
          "check the spelling of {culprit}, or load the library that defines it"),
    _rule(r"Choice '(?P<choice>[^']*)' unknown in (?:choice )?key '(?P<culprit>[^']+)'", "unknown_key",
          "the key {culprit} does not take this value"),
    _rule(r"The key '(?P<culprit>[^']+)' requires a value", "unknown_key", "give {culprit} a value"),
    _rule(r"Undefined pattern `(?P<culprit>[^']+)'", "unknown_key", "no loaded library defines the pattern {culprit}"),
    _rule(r"Unknown operator `(?P<culprit>[^']+)'|Unknown function `(?P<function>[^']+)'|"
          r"Could not parse input '(?P<input>[^']*)'", "syntax",
          "pgf cannot read this as a number or formula; `right=of a` and the like need the library positioning"),
    _rule(r"No shape named [`']?(?P<culprit>[^`']+?)'? is known", "unknown_shape",
          "no node or coordinate is called {culprit} at this point: define it earlier or check its name"),
    _rule(r"Unknown shape [`']?(?P<culprit>[^`']+)'?|There is no shape [`']?(?P<name>[^`']+)'?", "unknown_shape",
          "load the library that defines the shape (shapes.geometric, shapes.symbols, ...)"),
    _rule(r"Undefined color(?: `(?P<culprit>[^']+)'|\b)|Color `?(?P<name>[^' ]+)'? not defined", "undefined_color",
          "define the colour {culprit} with \\definecolor, or load xcolor with dvipsnames, svgnames or x11names"),
    _rule(r"Unicode character (?P<culprit>.+?) +\(U\+[0-9A-F]+\)|Invalid UTF-8 byte", "unicode",
          "write the character as a TeX command, or compile with lualatex"),
    _rule(r"The font \"?(?P<culprit>[^\"]+)\"? cannot be found|Font .*?(?P<font>[\w/-]+).*not load|"
          r"cannot find (?:the )?font|Metric \(TFM\) file (?:not found)?|Font (?P<tfm>\S+) at \d+ not found", "font",
          "name a font that is installed here, such as Latin Modern Roman"),
    _rule(r"Dimension too large", "dimension_too_large",
          "a coordinate or plotted value passes 16383 pt: use smaller numbers, restrict y to domain, or a log axis"),
    _rule(r"Arithmetic overflow|Number too big|cannot divide any number by|Division by (?:0|zero)"
          r"|The function `(?P<culprit>\w+)' (?:is )?(?:un|not )defined", "arithmetic",
          "a formula divides by zero or leaves TeX's number range"),
    _rule(r"TeX capacity exceeded, sorry \[(?P<culprit>[^\]=]+)|interwoven alignment preambles|"
          r"grouping levels=\d+", "capacity",
          "a macro that calls itself without end, or too many objects in one picture"),
    _rule(r"not enough memory|memory exhausted|[Oo]ut of memory|[Uu]nable to allocate", "resource_limit",
          "the document needs more memory than a diagram may take"),
    _rule(r"Giving up on this path|Did you forget a semicolon", "syntax",
          "missing ; at the end of the path that stands before this point"),
    _rule(r"Cannot parse this coordinate|Paragraph ended before "
          r"(?P<culprit>\\[\w@]+)|File ended while scanning|Extra \}|Too many \}'s|"
          r"Missing (?:number|\\endcsname|\\cr|[{}]) ?"
          r"(?:inserted|, treated as zero)?|Illegal unit of measure|Use of .* doesn't match its definition|"
          r"Argument of .* has an extra|Illegal parameter number|Extra (?:alignment tab|\\else|\\fi|\\or)|"
          r"\\begin\{.*\} (?:on input line \d+ )?ended by \\end\{|Runaway argument|Misplaced (?:alignment tab|\\\w+)|"
          r"Incomplete \\if|Missing = inserted|Missing control sequence inserted|Something's wrong--perhaps|"
          r"Sorry, I (?:do not|don't) (?:know|understand)|You can't use `",
          "syntax", "look for a missing semicolon, brace, bracket or \\end at or just above this line"),
    _rule(r"Missing \$ inserted|Double (?:super|sub)script|Missing \\(?:left|right)|Extra \\(?:left|right)|"
          r"Display math should end with|Bad math environment|allowed only in math mode|Missing delimiter|"
          r"Command (?P<culprit>\\\S+) invalid in math mode",
          "math_mode", "put mathematics between $ signs, and text outside them"),
    _rule(r"Can be used only in preamble", "syntax", "move \\usepackage and the like above \\begin{{document}}"),
    _rule(r"Missing \\begin\{document\}", "syntax",
          "something above \\begin{{document}} is text: remove it or move it down"),
    _rule(r"Undefined control sequence", "undefined_command",
          "{culprit} is not defined: load its package, define it, or check its spelling"),
    _rule(r"[Pp]ackage (?P<culprit>\S+) [Ee]rror|Class (?P<name>\S+) Error", "package_error",
          "the package {culprit} refused this; its manual explains the message"),
)  # fmt: skip

START = re.compile(r"^(?:(?P<file>(?:\./|/)?[^\s:(]*\.\w+):(?P<line>\d+): |! )(?P<message>.+)$", re.MULTILINE)
NOT_THE_CAUSE = re.compile(r"^\s*(?:Emergency stop\.|==> Fatal error)")
BARE_ERRORS = re.compile(
    r"(?:!?\b(?:pdfTeX|LuaTeX|xdvipdfmx)(?: error|:fatal).*|(?<=\[\\directlua\]):\d+: .*"
    r"|.*not enough memory.*|.*memory exhausted.*)$",
    re.MULTILINE,
)
CONTINUED = re.compile(r"^\(\w+\) {2,}(?P<rest>.*)$")
TEX_LINE = re.compile(r"^l\.(\d+) ", re.MULTILINE)
COMMAND = re.compile(r"\\(?:[A-Za-z@]+|[^A-Za-z\s])")


def read_log(log: str, output: str, *, document: str = "doc.tex") -> Reading:
    """The first error that the log (or else the terminal output) tells of."""
    text = log if START.search(log) else f"{log}\n{output}"
    found = next((m for m in START.finditer(text) if not NOT_THE_CAUSE.match(m["message"])), None)
    if found is None:
        return _without_error_line(text)
    rest = text[found.end() :].split("\n")[1:]
    message = _message(found["message"], rest)
    in_document = found["file"] is not None and found["file"].removeprefix("./") == document
    line = int(found["line"]) if in_document else None
    return _judge(message, context=rest[:12], line=line)


def _judge(message: str, *, context: list[str], line: int | None) -> Reading:
    for rule in RULES:
        found = rule.pattern.search(message)
        if found is None:
            continue
        culprit = next((value for value in found.groupdict().values() if value), "")
        if rule.kind == "undefined_command":
            culprit = _last_command(context)
            message = f"Undefined control sequence {culprit}".rstrip()
        named = culprit or "what the message names"
        return Reading(rule.kind, message, rule.hint.format(culprit=named), culprit, line)
    return Reading(
        "tex_error", message, "TeX's own words are all there is to go by; the log has the context", "", line
    )


def _without_error_line(text: str) -> Reading:
    """A run that failed with no line in TeX's error format: it stopped early, or the program itself gave up."""
    if "no legal \\end found" in text or "*** (job aborted" in text:
        return Reading("truncated", "the document stops before \\end{document}", "complete the document")
    bare = BARE_ERRORS.search(text)
    if bare is not None:
        number = TEX_LINE.search(text, bare.end())
        return _judge(bare[0].strip(" !:"), context=[], line=int(number[1]) if number else None)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return Reading("tex_error", lines[-1][:300] if lines else "TeX stopped without a word", "see the log")


def _message(first: str, rest: list[str]) -> str:
    """One line: the error's own, and those that packages add below it."""
    parts = [first.strip()]
    for line in rest:
        continued = CONTINUED.match(line)
        if continued is None:
            break
        parts.append(continued["rest"].strip())
    message = re.sub(r"\s+", " ", " ".join(parts)).strip()
    return message if len(message) <= 300 else message[:297] + "..."


def _last_command(context: list[str]) -> str:
    """The undefined command: TeX breaks its first context line just after it."""
    for line in context:
        if line.strip():
            commands = COMMAND.findall(line)
            return str(commands[-1]) if commands else ""
    return ""
