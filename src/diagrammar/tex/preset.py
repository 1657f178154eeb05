"""What runs before every document, so that the same source gives the same bytes in every engine.

One thing stays the clock's: the order in which Lua's `pairs` goes through a table of names. Fonts, graph layouts and
pgfplots do not depend on it.
"""

from __future__ import annotations

from diagrammar.records.diagrams import Engine, Output

# 2001-09-09: \today, \time and the PDF's dates come from it
SOURCE_DATE_EPOCH = "1000000000"

# xcolor's cyan, magenta, yellow, olive are CMYK: viewers turn those into different colours. As RGB they are what their
# names say, everywhere.
_COMMON = r"""\PassOptionsToPackage{rgb}{xcolor}%
\AddToHook{begindocument/before}{\ifdefined\pgfmathsetseed\pgfmathsetseed{1}\fi}%
"""

# said in the log where a document asks for a place on the page that an earlier run has to tell
ASKS_FOR_POSITION = "(an earlier run has to tell a position)"

_WATCH = rf"""\begingroup\catcode`\@=11 \gdef\dgm@watch{{\ifdefined\pgfsys@getposition
  \let\dgm@getposition\pgfsys@getposition
  \def\dgm@note{{\immediate\write-1{{{ASKS_FOR_POSITION}}}\global\let\dgm@note\relax}}%
  \def\pgfsys@getposition{{\dgm@note\dgm@getposition}}\fi}}\endgroup
\AddToHook{{begindocument/end}}{{\csname dgm@watch\endcsname}}%
"""

_PRESETS: dict[Engine, str] = {
    # the trailer's ID is a digest of the folder's path and the clock
    "pdflatex": r"""\pdftrailerid{}\pdfsetrandomseed 1 %
""",
    # Lua's clock is not TeX's
    "lualatex": rf"""\directlua{{math.randomseed(1) tex.init_rand(1)
  local time, date = os.time, os.date
  os.time = function(parts) return parts and time(parts) or {SOURCE_DATE_EPOCH} end
  os.date = function(form, at) return date(form or '!\csstring\%c', at or {SOURCE_DATE_EPOCH}) end
}}\pdfvariable suppressoptionalinfo 512 %
""",
    "xelatex": r"""\setrandomseed 1 %
""",
}


# the same without what only PDF has
_DVI_PRESETS: dict[Engine, str] = {
    "pdflatex": "\\pdfsetrandomseed 1 %\n",
    "lualatex": _PRESETS["lualatex"].replace(r"\pdfvariable suppressoptionalinfo 512 ", ""),
    "xelatex": _PRESETS["xelatex"],
}
# pgf, graphics, color and LaTeX's own backend take the driver from the list of class options; standalone makes its list
# anew before it loads article
_DRIVER = r"""\def\pgfsysdriver{pgfsys-dvisvgm.def}%
\begingroup\catcode`\@=11
\gdef\dgm@driver{\ifx\@classoptionslist\relax\let\@classoptionslist\@empty\fi
  \edef\dgm@options{{,dvisvgm,}{,\@classoptionslist,}}\expandafter\in@\dgm@options
  \ifin@\else\xdef\@classoptionslist{\ifx\@classoptionslist\@empty\else\@classoptionslist,\fi dvisvgm}\fi}%
\endgroup
\AddToHook{class/before}{\csname dgm@driver\endcsname}%
"""
# standalone under latex sets a picture behind what stands before it, not on a page of its own, and each page with its
# foot at the height of the first: as in PDF, and told where its head is
_PLACED = r"""\begingroup\catcode`\@=11
\gdef\dgm@top{0pt}\gdef\dgm@own{\ifdefined\sa@yoffset\let\dgm@place\sa@placebox
  \def\sa@placebox{\newpage\gdef\dgm@top{\the\dimexpr\sa@yoffset-\paperheight\relax}\dgm@place\gdef\dgm@top{0pt}}\fi}%
\endgroup
\AddToHook{class/standalone/after}{\csname dgm@own\endcsname}%
"""


def preset(engine: Engine, *, output: Output = "pdf") -> str:
    """TeX source to read before \\documentclass."""
    if output == "svg":
        return _DRIVER + _PLACED + _DVI_PRESETS[engine] + _COMMON + _WATCH
    return _PRESETS[engine] + _COMMON + _WATCH
