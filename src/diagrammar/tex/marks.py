"""The style that marks what TeX draws, made out for one compile. Read back by scene/."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib import resources

HOOKS = (
    "picture", "scope", "node", "axis", "path", "basicpath", "series", "point", "marker", "component", "atom", "bond",
)  # fmt: skip
PLACEHOLDER = "dgmx"


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


def marks_style(nonce: str, *, without: frozenset[str] = frozenset()) -> str:
    """TeX source of the style for this nonce; hooks named in `without` are left out (tests need that)."""
    if unknown := without - set(HOOKS):
        raise ValueError(f"no such hook: {', '.join(sorted(unknown))}; there are {', '.join(HOOKS)}")
    text = _template()
    for hook in without:
        text = re.sub(rf"^%<{hook}>\n.*?^%</{hook}>\n", "", text, flags=re.S | re.M)
    return text.replace(PLACEHOLDER, nonce)
