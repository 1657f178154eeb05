"""The style that marks what TeX draws, made out for one compile. Read back by scene/."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib import resources

from diagrammar.records.diagrams import Output

HOOKS = (
    "picture", "scope", "node", "axis", "path", "basicpath", "series", "point", "marker", "component", "atom", "bond",
)  # fmt: skip
PLACEHOLDER = "dgmx"
# A mark's begin and end. In SVG they are empty elements, in the order of painting as in PDF: pgf's driver opens a group
# for every colour and width and closes it at the end of a scope, so that groups of ours would end in the wrong places.
PDF_MARKS = (r"/dgmx <</I \the\dgmx@n>> BDC", "EMC")
SVG_MARKS = (r"<g class='dgmx' data-n='\the\dgmx@n'/>", "<g class='dgmx'/>")
# DVI knows no page size, and what lies outside the page is not drawn: width, height, and how far down the page begins.
SVG_PAGES = r"""\AddToHook{shipout/before}{%
  \immediate\write\csname dgmx@out\endcsname{dgmx G|\the\paperwidth|\the\paperheight|\csname dgm@top\endcsname}}%
"""


@cache
def _template() -> str:
    text = (resources.files("diagrammar.tex") / "marks.sty").read_text(encoding="utf-8")
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("% "))


def make_nonce(document: str) -> str:
    """Sixteen letters a-p that follow from the document and the style.

    The same source gives the same bytes, and no document can contain its own nonce.
    """
    digest = hashlib.sha256(
        _template().encode() + b"\0" + document.encode("utf-8", "surrogatepass")
    ).hexdigest()
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest[:16])


def marks_style(nonce: str, *, without: frozenset[str] = frozenset(), output: Output = "pdf") -> str:
    """TeX source of the style for this nonce; hooks named in `without` are left out (tests need that)."""
    if unknown := without - set(HOOKS):
        raise ValueError(f"no such hook: {', '.join(sorted(unknown))}; there are {', '.join(HOOKS)}")
    text = _template()
    for hook in without:
        text = re.sub(rf"^%<{hook}>\n.*?^%</{hook}>\n", "", text, flags=re.S | re.M)
    if output == "svg":
        for pdf, svg in zip(PDF_MARKS, SVG_MARKS, strict=True):
            text = text.replace("{" + pdf + "}", "{" + svg + "}")
        text += SVG_PAGES
    return text.replace(PLACEHOLDER, nonce)
