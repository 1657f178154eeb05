"""What runs before every document, so that the same source gives the same bytes in every engine."""

from __future__ import annotations

from diagrammar.records.diagrams import Engine

# 2001-09-09: \today, \time and the PDF's dates come from it
SOURCE_DATE_EPOCH = "1000000000"

# xcolor's cyan, magenta, yellow, olive are CMYK: viewers turn those into different colours. As RGB they are what their
# names say, everywhere.
_COMMON = r"""\PassOptionsToPackage{rgb}{xcolor}%
\AddToHook{begindocument/before}{\ifdefined\pgfmathsetseed\pgfmathsetseed{1}\fi}%
"""

_PRESETS: dict[Engine, str] = {
    # the trailer's ID is a digest of the folder's path and the clock
    "pdflatex": r"""\pdftrailerid{}\pdfsetrandomseed 1 %
""",
    "lualatex": r"""\directlua{math.randomseed(1) tex.init_rand(1)}\pdfvariable suppressoptionalinfo 512 %
""",
    "xelatex": r"""\setrandomseed 1 %
""",
}


def preset(engine: Engine) -> str:
    """TeX source to read before \\documentclass."""
    return _PRESETS[engine] + _COMMON
