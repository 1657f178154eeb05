"""The fonts that dvisvgm puts into a page: what each glyph shows, how far it advances, and its outline."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from diagrammar.scene.geometry import Rect, Subpath, path_box
from diagrammar.scene.svg.names import characters
from diagrammar.scene.svg.numbers import number
from diagrammar.scene.svg.paths import path_data
from diagrammar.scene.svg.style import read_color
from diagrammar.scene.svg.tree import SVG, Tree

RULE = re.compile(r"text\.([\w-]+)\s*\{([^}]*)\}")


@dataclass(frozen=True)
class Shape:
    """A glyph of a font, in units of the font, y upwards."""

    char: str
    advance: float
    data: str

    @cached_property
    def outline(self) -> tuple[Subpath, ...]:
        return path_data(self.data)

    @cached_property
    def box(self) -> Rect | None:
        return path_box(self.outline)


@dataclass(frozen=True)
class Font:
    """One font; `shape_by_code` is by the character that stands for the glyph in the page's text."""

    name: str
    units: float
    advance: float  # of a glyph that is not in the font
    shape_by_code: dict[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True)
class Typeface:
    """What a class of text says: a font at a size, and perhaps a colour."""

    font: Font
    size: float
    fill: str | None


def read_typefaces(tree: Tree) -> dict[str, Typeface]:
    """The classes of the page's style sheet by name."""
    font_by_family: dict[str, Font] = {}
    for element in tree.root.iter(f"{SVG}font"):
        face = element.find(f"{SVG}font-face")
        if face is None:
            continue
        family = face.get("font-family") or ""
        font = Font(
            family, number(face.get("units-per-em"), 1000.0) or 1000.0, number(element.get("horiz-adv-x"))
        )
        for glyph in element.iter(f"{SVG}glyph"):
            code, name = glyph.get("unicode") or "", glyph.get("glyph-name") or ""
            advance = number(glyph.get("horiz-adv-x"), font.advance)
            # dvisvgm keeps codes apart: of two glyphs for one character the second gets a private one
            font.shape_by_code[code] = Shape(characters(name) or code, advance, glyph.get("d") or "")
        font_by_family[family] = font
    typefaces: dict[str, Typeface] = {}
    for style in tree.root.iter(f"{SVG}style"):
        for name, body in RULE.findall(style.text or ""):
            said = dict(part.split(":", 1) for part in body.split(";") if ":" in part)
            font_name = said.get("font-family", "").strip().strip("'\"")
            fill = read_color(said["fill"]) if "fill" in said else None
            font = font_by_family.get(font_name) or Font(font_name, 1000.0, 500.0)
            typefaces[name] = Typeface(font, number(said.get("font-size"), 10.0), fill)
    return typefaces
