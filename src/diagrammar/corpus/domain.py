"""The domain of a diagram by the packages and commands of its code: a rule until pictures are looked at."""

from __future__ import annotations

import re

from diagrammar.manuals.reading.blocks import without_comments
from diagrammar.records.diagrams import Domain

# The first pattern found decides: what is drawn comes before what is loaded.
_BIPOLE = r"(?:R|C|L|V|I|D|short|battery\d?|open|lamp|switch|[a-z]*source)"
_BY_USE: tuple[tuple[Domain, str], ...] = (
    (
        "3d_shapes",
        r"\\addplot3(?![A-Za-z])|\\tdplot\w+|canvas is |isometric view|3d view"
        r"|\(\s*xyz (?:spherical|cylindrical) cs",
    ),
    (
        "charts",
        r"\\begin\{(?:\w*axis|groupplot|smithchart)\}|\\addplot(?![A-Za-z])|\\datavisualization\b"
        r"|\\pie(?![A-Za-z])",
    ),
    ("chemistry", r"\\chemfig(?![A-Za-z])|\\schemestart(?![A-Za-z])"),
    (
        "circuit",
        rf"\\begin\{{circuitikz\}}|to\s*\[\s*(?:european |american )?{_BIPOLE}\s*[,=\]]|\\ctikzset",
    ),
    ("planar_geometry", r"\\tkz(?:Def|Draw|Label|Mark|Inter|Init|Get|Fill)\w*"),
)
_BY_PACKAGE: tuple[tuple[Domain, str], ...] = (
    ("circuit", "circuitikz"), ("chemistry", "chemfig"), ("planar_geometry", "tkz-euclide"),
)  # fmt: skip
_LOADED = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^}]*)\}")
_TIKZ_OPTION = re.compile(r"\\documentclass\s*\[[^\]]*\btikz\b[^\]]*\]\s*\{standalone\}")


def packages_of(code: str) -> tuple[str, ...]:
    """The packages that a document loads, in order; `tikz` too where the class loads it."""
    code = without_comments(code)
    names = ["tikz"] if _TIKZ_OPTION.search(code) else []
    names += [name.strip() for found in _LOADED.findall(code) for name in found.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def domain_of(code: str) -> Domain:
    """The domain by use, else by package, else `graph`."""
    plain = without_comments(code)
    body = plain.partition(r"\begin{document}")[2] or plain
    for domain, pattern in _BY_USE:
        if re.search(pattern, body):
            return domain
    loaded = packages_of(code)
    return next((domain for domain, package in _BY_PACKAGE if package in loaded), "graph")
