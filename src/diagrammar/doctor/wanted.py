"""doctor: what is looked for, as tables. Cost says what a user cannot do without it."""

from __future__ import annotations

from typing import NamedTuple

SETUP = "scripts/setup.sh"


class Program(NamedTuple):
    name: str
    version_option: str
    debian: str
    cost: str
    needed: bool = True


class TexFile(NamedTuple):
    """A TeX package: the file that tells its version, and how."""

    name: str
    file: str
    version: str  # a pattern whose group 1 is the version
    debian: str
    cost: str
    needed: bool = True


class Library(NamedTuple):
    """A Python distribution."""

    name: str
    cost: str
    extra: str = ""  # of ours that brings it; none: it comes with the package itself

    @property
    def needed(self) -> bool:
        return not self.extra


PROGRAMS = (
    Program("kpsewhich", "--version", "texlive-binaries", "no TeX package and no manual can be found"),
    Program(
        "pdflatex", "--version", "texlive-latex-base", "no document compiles: it is the first engine tried"
    ),
    Program(
        "lualatex", "--version", "texlive-luatex", "documents that load system fonts or Lua do not compile"
    ),
    Program("xelatex", "--version", "texlive-xetex", "documents written for XeTeX do not compile"),
    Program("bwrap", "--version", "bubblewrap", "no document is compiled unless you trust it (--trust)"),
    Program(
        "dvisvgm", "--version", "dvisvgm", "objects cannot be read from SVG (--reader svg)", needed=False
    ),
    Program("latexmk", "--version", "latexmk", "make bench cannot time the reference pipeline", needed=False),
    Program("pdftoppm", "-v", "poppler-utils", "make bench cannot time the reference pipeline", needed=False),
    Program("gs", "--version", "ghostscript", "make bench cannot time the reference pipeline", needed=False),
)

# \ProvidesPackage{name}[2022/09/23 v1.2 words], or with a line end or a % before the bracket
_PROVIDES = (
    r"\\Provides(?:Package|Class)\s*\{[^}]*\}\s*%?\s*\[%?\s*(\d{4}[/-]\d\d[/-]\d\d(?:\s+v?[\d.]+\w*)?)"
)

PICTURES = "texlive-pictures"
# fmt: off
TEX_FILES = (
    TexFile("standalone", "standalone.cls", _PROVIDES, "texlive-latex-extra",
            "pictures without preamble do not compile"),
    TexFile("tikz (pgf)", "pgf.revision.tex", r"\\pgfversion\{([^}]+)\}", PICTURES, "no diagram compiles"),
    TexFile("pgfplots", "pgfplots.revision.tex", r"\\pgfplotsversion\{([^}]+)\}", PICTURES,
            "no chart compiles"),
    TexFile("circuitikz", "circuitikz.sty", r"\\pgfcircversion\{([^}]+)\}", PICTURES, "no circuit compiles"),
    TexFile("chemfig", "chemfig.tex", r"\\CFver\s*\{([^}]+)\}", PICTURES, "no molecule compiles"),
    TexFile("simplekv", "simplekv.tex", r"\\skvver\s*\{([^}]+)\}", "texlive-plain-generic", "no molecule compiles"),
    TexFile("tkz-euclide", "tkz-euclide.sty", _PROVIDES, PICTURES, "no tkz-euclide figure compiles"),
    TexFile("tikz-network", "tikz-network.sty", _PROVIDES, PICTURES, "no tikz-network graph compiles"),
    TexFile("xcolor", "xcolor.sty", _PROVIDES, "texlive-latex-recommended", "no diagram compiles"),
    TexFile("siunitx", "siunitx.sty", r"\\ProvidesExplPackage\s*\{siunitx\}\s*\{[^}]+\}\s*\{([^}]+)\}",
            "texlive-science", "diagrams with units do not compile", needed=False),
    TexFile("fontspec", "fontspec.sty", r"\\ProvidesExplPackage\s*\{fontspec\}%?\s*\{[^}]+\}\s*\{([^}]+)\}",
            "texlive-latex-recommended", "documents that load system fonts do not compile", needed=False),
    TexFile("luaotfload", "luaotfload.sty", r"(\d{4}[/-]\d\d[/-]\d\d v[\d.]+)", "texlive-luatex",
            "documents that load system fonts do not compile with LuaTeX", needed=False),
    TexFile("cm-super", "sfrm1000.pfb", r"SFRM1000 ([\d.]+)", "cm-super-minimal",
            "signs of the text fonts (micro, degree) are missing from pictures", needed=False),
    TexFile("lmodern", "lmodern.sty", _PROVIDES, "lmodern",
            "documents that ask for this font do not compile", needed=False),
)
# fmt: on

LIBRARIES = (
    Library("click", "no command runs"),
    Library("pydantic", "no command runs"),
    Library("pypdfium2", "no picture is drawn and no object is read"),
    Library("numpy", "no picture is cropped and no score is computed"),
    Library("scipy", "strict rules and intervals are not computed"),
    Library("pillow", "no picture is written"),
    Library("pygments", "CrystalBLEU is not computed"),
    Library("jinja2", "no report is written"),
    Library("tqdm", "no progress is shown"),
    Library("inspect-ai", "only the reference models run", extra="eval"),
    Library("openai", "only the reference models run", extra="eval"),
    Library("lxml", "objects cannot be read from SVG (--reader svg)", extra="svg"),
    Library("pyarrow", "parquet is not read", extra="datasets"),
    Library("onnxruntime", "clip, lpips, fid and kid are not computed", extra="vision"),
)
