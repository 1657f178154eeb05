"""corpus, step 3: what has structure and still belongs to none of the six domains.

| off domain | by |
|---|---|
| a calendar | `\\calendar` |
| the first frame of an animation | the library or module `animations` |
| text set along a path | the decorations `text along path`, `text effects along path` |
| a table | a matrix in which at most 2 lines are drawn |
| text | a text of at least LONG_TEXT characters beside fewer than 6 lines |
| a mosaic | at least 20 filled shapes without a border, and hardly any word or line |
| samples of fillings | at least half of the shapes are patterns or shadings, and there is no word |
"""

from __future__ import annotations

import re

from diagrammar.corpus.trivial import is_backdrop
from diagrammar.manuals.reading.blocks import without_comments
from diagrammar.records.scenes import PathData, Scene

LONG_TEXT = 80
_BY_CODE = (
    (r"\\calendar(?![A-Za-z])", "a calendar"),
    (
        r"\\(?:usetikzlibrary|usepgfmodule)\s*\{[^}]*\banimations\b|\\pgfanimate",
        "the first frame of an animation",
    ),
    (r"\btext (?:effects )?along path\b", "text set along a path"),
)
_MATRIX = re.compile(r"\\matrix(?![A-Za-z])|\bmatrix of (?:math )?nodes\b")


def off_domain_why(scene: Scene, code: str) -> str:
    """What the drawing is instead of a diagram of the six domains; "" where it may be one."""
    plain = without_comments(code)
    for pattern, what in _BY_CODE:
        if re.search(pattern, plain):
            return what
    things = [thing for thing in scene.counted if not is_backdrop(thing, scene)]
    paths = [thing for thing in things if isinstance(thing.data, PathData)]
    words = [thing.text for thing in things if thing.text]
    if any(thing.kind in ("series", "component", "bond") for thing in things):
        return ""
    if len(paths) <= 2 and len(words) >= 4 and _MATRIX.search(plain):
        return "a table"
    if len(paths) < 6 and any(len(text) >= LONG_TEXT for text in words):
        return "text"
    filled = [thing for thing in paths if thing.fill and not thing.stroke]
    if len(filled) >= 20 and len(filled) >= 0.9 * len(things):
        return "a mosaic"
    samples = sum(isinstance(p.data, PathData) and (p.data.pattern or p.data.shaded) for p in paths)
    if not words and samples >= 2 and 2 * samples >= len(paths) and len(paths) >= 2:
        return "samples of fillings"
    return ""
