"""What an SVG element inherits: paint, opacity, line, clips and the transform down to the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from lxml import etree

from diagrammar.scene.geometry import Matrix, Rect, Subpath, bounds
from diagrammar.scene.svg.numbers import number, numbers, share
from diagrammar.scene.svg.paths import SHAPES, subpaths_of
from diagrammar.scene.svg.transforms import read_transform
from diagrammar.scene.svg.tree import Tree, kind, walk

HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
PRESENTED = (
    "fill", "stroke", "fill-opacity", "stroke-opacity", "opacity", "stroke-width", "stroke-dasharray", "fill-rule",
    "visibility", "display", "clip-path",
)  # fmt: skip


@dataclass(frozen=True)
class Clip:
    """What one clip-path leaves: its outline in the page frame."""

    outline: tuple[Subpath, ...]
    even_odd: bool


@dataclass(frozen=True)
class State:
    """What holds for an element's painting."""

    frame: Matrix
    clip: Rect | None  # the box of what the clips leave; None where they leave nothing
    clips: tuple[Clip, ...] = ()
    fill: str = "#000000"  # #rrggbb, none, or url(#...)
    stroke: str = "none"
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0
    group_alpha: float = 1.0  # product of the opacities above
    line_width: float = 1.0  # in the element's own units
    dashed: bool = False
    even_odd: bool = False
    shown: bool = True
    font: str = ""  # the class of a text


def inherit(outer: State, element: etree._Element, tree: Tree) -> State:
    """The state inside an element."""
    get = element.attrib
    if not get:
        return outer
    said = {name: str(get[name]) for name in PRESENTED if name in get}
    if "style" in get:
        said |= _declarations(str(get["style"]))
    changes: dict[str, object] = {}
    if "transform" in get:
        changes["frame"] = read_transform(str(get["transform"])).then(outer.frame)
    for name in ("fill", "stroke"):
        if name in said and said[name] != "inherit":
            changes[name] = read_paint(said[name])
    if "fill-opacity" in said:
        changes["fill_alpha"] = share(said["fill-opacity"], 1.0)
    if "stroke-opacity" in said:
        changes["stroke_alpha"] = share(said["stroke-opacity"], 1.0)
    if "opacity" in said:
        changes["group_alpha"] = outer.group_alpha * share(said["opacity"], 1.0)
    if "stroke-width" in said:
        changes["line_width"] = number(said["stroke-width"], 1.0)
    if "stroke-dasharray" in said:
        changes["dashed"] = any(numbers(said["stroke-dasharray"]))
    if "fill-rule" in said:
        changes["even_odd"] = said["fill-rule"] == "evenodd"
    if "visibility" in said:
        changes["shown"] = said["visibility"] == "visible"
    if said.get("display") == "none":
        changes["shown"] = False
    if "class" in get and kind(element) in ("text", "tspan"):
        changes["font"] = str(get["class"])
    state = replace(outer, **changes) if changes else outer  # type: ignore[arg-type]
    return _clipped(state, said["clip-path"], tree) if said.get("clip-path", "none") != "none" else state


def read_paint(text: str) -> str:
    """#rrggbb, "none" or url(#...)."""
    text = text.strip()
    if text.startswith("url("):
        return text.split(")")[0] + ")"
    return "none" if text in ("none", "transparent") else read_color(text)


@lru_cache(maxsize=1024)
def read_color(text: str) -> str:
    """#rrggbb of a colour as SVG writes it; black where it is none."""
    text = text.strip()
    if HEX.fullmatch(text):
        return (text if len(text) == 7 else "#" + "".join(2 * digit for digit in text[1:])).lower()
    from PIL import ImageColor

    try:
        red, green, blue = ImageColor.getrgb(text)[:3]
    except ValueError:
        return "#000000"
    return f"#{red:02x}{green:02x}{blue:02x}"


@lru_cache(maxsize=1024)
def _declarations(text: str) -> Mapping[str, str]:
    parts = (part.partition(":") for part in text.split(";"))
    return {name.strip(): value.strip() for name, colon, value in parts if colon}


def _clipped(state: State, reference: str, tree: Tree) -> State:
    """The state with one more clip. A clip without outline leaves nothing."""
    target = tree.target(reference)
    if target is None or kind(target) != "clipPath":
        return state
    frame = read_transform(target.get("transform") or "").then(state.frame)
    outline: list[Subpath] = []
    even_odd = target.get("clip-rule") == "evenodd" or state.even_odd
    for event, element in walk(target, frozenset()):
        if event == "start" and kind(element) in SHAPES:
            own = read_transform(element.get("transform") or "").then(frame)
            outline.extend(subpaths_of(element, own))
    points = [point for subpath in outline for segment in subpath.segments for point in segment.points]
    box = state.clip.clipped(bounds(points)) if points and state.clip is not None else None
    return replace(state, clip=box, clips=(*state.clips, Clip(tuple(outline), even_odd)))
