"""Of a document's statements the ones that a picture needs, and its class and packages as they go with one picture."""

from __future__ import annotations

import re
from collections.abc import Sequence

from diagrammar.corpus.reading.statements import Statement
from diagrammar.manuals.reading.definitions import uses
from diagrammar.tex.needs import needs_of

# Packages that lay out pages or run programs.
_BESIDE_THE_PICTURE = frozenset([
    "geometry", "fullpage", "fancyhdr", "titlesec", "titling", "tocloft", "minitoc", "natbib", "biblatex",
    "cite", "float", "wrapfig", "multicol", "setspace", "parskip", "lineno", "inputenc", "inputenx",
    "selinput", "todonotes", "lipsum", "blindtext", "authblk", "appendix", "glossaries", "acronym",
    "pdfpages", "standalone", "subfiles", "import", "subcaption", "subfig", "subfigure", "caption",
    "placeins", "afterpage", "endnotes", "footmisc", "lastpage", "eso-pic", "draftwatermark", "minted",
    "pythontex", "sagetex", "epstopdf", "psfrag", "auto-pst-pdf", "indentfirst", "csquotes", "nomencl",
    "makeidx", "index", "imakeidx", "currfile", "morewrites", "bookmark", "showkeys", "showframe", "layout",
    "a4wide", "a4", "savetrees", "chngcntr", "enumerate", "tikz-external", "flushend", "balance",
    "algorithm", "algorithmic", "algpseudocode", "algorithm2e", "sectsty", "preview", "hyphenat", "vmargin",
    "anysize", "comment", "verbatim", "fancyvrb", "datetime", "datetime2", "etoc", "pgfpages", "gitinfo2",
    "svn-multi", "standalonepages", "changepage", "rotating", "pdflscape", "lscape", "movie15",
])  # fmt: skip
# Others that a picture needs only with these commands.
_NEEDED_AFTER_ALL = {
    # Its active characters break pictures more often than its words are in them.
    "babel": r"\\(?:selectlanguage|foreignlanguage|shorthand\w+|today|languagename)(?![A-Za-z])|\"[aouAOUs`'=~|-]",
    "hyperref": r"\\(?:href|url|hyper\w+|autoref|texorpdfstring|nolinkurl|nameref)(?![A-Za-z])",
    "cleveref": r"\\[cC](?:page)?ref(?![A-Za-z])", "url": r"\\url(?![A-Za-z])",
    "listings": r"\\lstinline|\{lstlisting\}|\\lstset", "enumitem": r"\{(?:itemize|enumerate|description)\}",
    "longtable": r"\{longtable\}", "microtype": r"\\(?:textls|lsstyle)(?![A-Za-z])",
    "ifthen": r"\\(?:ifthenelse|whiledo|equal)(?![A-Za-z])", "amsthm": r"\\(?:qedhere|qedsymbol)",
    "marginnote": r"\\marginnote", "epigraph": r"\\epigraph", "pdfcomment": r"\\pdf", "lettrine": r"\\lettrine",
    "rotating": r"\{(?:turn|rotate|sideways)\}|\\begin\{side", "fancyvrb": r"\\(?:Verb|SaveVerb|UseVerb)",
    "bbding": r"\\(?:Check|XSolid|Hand|Pencil|Five|Six|Eight|Four|Sun|Snow|Peace|Cross|Square|Phone|Plus)\w*",
    "pifont": r"\\ding(?![A-Za-z])|dinglist", "dsfont": r"\\mathds", "bbm": r"\\mathbbm",
    "fontawesome": r"\\fa[A-Z]", "fontawesome5": r"\\fa[A-Z]", "units": r"\\(?:unit|unitfrac|nicefrac)(?![A-Za-z])",
    "nicefrac": r"\\nicefrac", "cancel": r"\\[bx]?cancel", "soul": r"\\(?:hl|ul|st|so|caps)(?![A-Za-z])",
    "ulem": r"\\(?:uline|uwave|sout|uuline|emph|xout)(?![A-Za-z])", "xspace": r"\\xspace",
    "booktabs": r"\\(?:top|mid|bottom|cmid)rule", "multirow": r"\\multirow", "makecell": r"\\(?:makecell|thead)",
    "tabularx": r"\{tabularx\}", "tabulary": r"\{tabulary\}", "diagbox": r"\\diagbox", "slashed": r"\\slashed",
    "braket": r"\\(?:[Bb]ra|[Kk]et|Set|set)", "tcolorbox": r"\{tcolorbox|\\(?:new)?tc",
    "mdframed": r"mdframed|\\mdf", "framed": r"\{(?:framed|shaded|leftbar)",
    "fvrb-ex": r"\{\w*(?:Example|Verbatim)", "showexpl": r"\{LTXexample", "xeCJK": r"[\u2e80-\uffef]",
    "CJK": r"[\u2e80-\uffef]", "CJKutf8": r"[\u2e80-\uffef]", "ctex": r"[\u2e80-\uffef]",
    "media9": r"\\includemedia", "thmtools": r"restatable", "thm-restate": r"restatable",
    "ntheorem": r"\\qed", "mathpartir": r"\\infer|mathpar", "bussproofs": r"prooftree|\\(?:Axiom|Unary|Binary)",
    "changepage": r"\{adjustwidth\}", "verbatim": r"\{verbatim",
    "csquotes": r"\\enquote", "caption": r"\\captionof", "algorithm2e": r"\{algorithm", "comment": r"\{comment\}",
}  # fmt: skip
_BASE_CLASSES = frozenset([
    "article", "report", "book", "letter", "minimal", "beamer", "scrartcl", "scrreprt", "scrbook", "memoir",
    "amsart", "amsbook", "amsproc", "extarticle", "extreport", "extbook", "standalone",
])  # fmt: skip
_CLASS_OPTIONS = re.compile(
    r"(?:\d+pt|tikz|dvipsnames|svgnames|x11names|table|xcolor=.*|french|ngerman|german|english|leqno|fleqn)$"
)
_LIST = re.compile(r"\\(?P<command>[A-Za-z]+)\s*(?P<options>\[[^\]]*\])?\s*(?:\{(?P<names>[^{}]*)\}|(?=\[))")
_APPENDS = re.compile(r"/\.(?:append|prefix|add)\b|\\(?:addtolength|addtocounter|pgfplotstablecreatecol)")
_CHANGES = re.compile(r"\\(?:re|Re)(?:new|New)[A-Za-z]+")
_MAKES_ROOM = re.compile(r"\\new(?:length|dimen|counter|savebox|box|count|toks|if)(?![A-Za-z])")
_COLOURS = re.compile(r"\\(?:x?definecolor|colorlet|providecolor)")  # a style may have a colour's name
_INTERNAL = re.compile(r"\\[A-Za-z]*@")
_DRAWS_WITH = re.compile(
    r"^\\usepackage.*(?:tikz|pgf|circuitikz|chemfig|tkz|forest|pstricks|pst-|bytefield|karnaugh|quantikz|sankey"
    r"|smartdiagram)"
)


def needed(picture: str, statements: Sequence[Statement], start: int) -> list[Statement]:
    """The statements above `start`, and still in force there, that the picture needs, directly or through others."""
    above = [s for s in statements if s.offset < start and (s.lasts_to is None or s.lasts_to >= start)]
    pool = [s for s in _in_force(above) if s.kind != "load"]
    chosen: set[int] = set()
    frontier = picture
    while frontier:
        fresh = [i for i, s in enumerate(pool) if i not in chosen and _serves(s, frontier)]
        chosen.update(fresh)
        frontier = "\n".join(pool[i].text for i in fresh)
    return [pool[i] for i in sorted(chosen)]


def loads(statements: Sequence[Statement], used: str, *, class_options: str = "") -> list[str]:
    """The lines that load packages and libraries, each once, without those that only lay out a page."""
    lines: list[str] = []
    loaded: set[tuple[str, str]] = set()
    for statement in statements:
        match = _LIST.match(statement.text)
        if statement.kind != "load" or match is None or match["names"] is None:
            if statement.kind == "load":
                lines.append(statement.text)
            continue
        command = match["command"]
        if command == "PassOptionsToPackage":
            lines.append(statement.text)
            continue
        family = "package" if command in ("usepackage", "RequirePackage") else command
        names = list(dict.fromkeys(name.strip() for name in match["names"].split(",") if name.strip()))
        kept = [n for n in names if (family, n) not in loaded and _kept(family, n, used)]
        loaded.update((family, name) for name in kept)
        if kept:
            name = "usepackage" if command == "RequirePackage" else command
            lines.append(f"\\{name}{match['options'] or ''}{{{','.join(kept)}}}")
    draws = "tikz" in class_options or any(map(_DRAWS_WITH.match, lines))
    # What a class that is left out had loaded.
    return lines if draws else [*lines, *needs_of(used).lines()]


def class_line(name: str, options: str) -> str:
    """The standalone class around the document's own, which its preamble counts on, where that is a usual one."""
    name = name.strip()
    # An option that a macro stands for belongs to the file that defines it.
    given = [option.strip() for option in options.split(",") if option.strip() and "\\" not in option]
    if name == "standalone":
        return rf"\documentclass[{','.join(given)}]{{standalone}}" if given else r"\documentclass{standalone}"
    if name in _BASE_CLASSES:
        options = ",".join([*given, f"class={name}", "border=5pt"])
    else:
        options = ",".join([*(option for option in given if _CLASS_OPTIONS.match(option)), "border=5pt"])
    return rf"\documentclass[{options}]{{standalone}}"


def as_lines(statements: Sequence[Statement]) -> list[str]:
    """Their texts, with letters' @ where they need it."""
    lines: list[str] = []
    inside = False
    for statement in statements:
        internal = _INTERNAL.search(statement.text) is not None
        if internal != inside:
            lines.append(r"\makeatletter" if internal else r"\makeatother")
            inside = internal
        lines.append(statement.text)
    return [*lines, r"\makeatother"] if inside else lines


def _serves(statement: Statement, code: str) -> bool:
    if statement.when is not None and (not statement.when or re.search(statement.when, code)):
        return True
    return any(uses(code, name) for name in statement.names)


def _in_force(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without those that a later one of the same names takes back."""
    groups: dict[tuple[bool, bool, tuple[str, ...]], list[Statement]] = {}
    loose: list[Statement] = []
    for statement in statements:
        if statement.kind == "load" or not statement.names:
            loose.append(statement)
            continue
        same = groups.setdefault(
            (bool(_MAKES_ROOM.match(statement.text)), bool(_COLOURS.match(statement.text)), statement.names),
            [],
        )
        changes_itself = any(statement.text.count(name) > 1 for name in statement.names if name[:1] == "\\")
        if _APPENDS.search(statement.text) or changes_itself or statement.when is not None:
            same.append(statement)
        elif _CHANGES.match(statement.text):
            same[:] = [*(s for s in same[:1] if not _CHANGES.match(s.text)), statement]
        else:
            same[:] = [*(s for s in same if s.when is not None), statement]
    return sorted([*loose, *(s for same in groups.values() for s in same)], key=lambda s: s.offset)


def _kept(family: str, name: str, used: str) -> bool:
    if family != "package":
        return name != "external"
    if name in _NEEDED_AFTER_ALL:
        return re.search(_NEEDED_AFTER_ALL[name], used) is not None
    return name not in _BESIDE_THE_PICTURE
