"""scene, step 3: Drawn -> SceneObject, by the rules of docs/scene.md. Next: read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from diagrammar.records.scenes import (
    AtomData,
    AxisData,
    BondData,
    ComponentData,
    DataPointData,
    Kind,
    NodeData,
    SeriesData,
)
from diagrammar.scene.circuitikz import component_name
from diagrammar.scene.draft import Draft, ShadingColor, fill_of, opacity_of, path_draft, stroke_of
from diagrammar.scene.geometry import Rect
from diagrammar.scene.group import Drawn, is_rule, union
from diagrammar.scene.ink import Glyph, Ink, MarkRef
from diagrammar.scene.plots import PlacedPoint, place_points, series_subtype
from diagrammar.scene.sidefile import SideFile, read_limits, read_number, write_point
from diagrammar.scene.text import read_text, split_lines

BP_PER_PT = 72 / 72.27
# chemfig's number of the bond -> subtype, order
_BONDS = {
    "1": ("single", 1),
    "2": ("double", 2),
    "3": ("triple", 3),
    "4": ("wedge", 1),
    "5": ("wedge", 1),
    "6": ("hash", 1),
    "7": ("hash", 1),
    "8": ("hollow", 1),
    "9": ("hollow", 1),
}
_CONTAINER_NAMES: dict[str, Kind] = {"T": "picture", "O": "scope", "A": "axis"}


def assemble(drawn: Sequence[Drawn], side: SideFile, shading_color: ShadingColor) -> list[Draft]:
    """The objects of one page in drawing order, each after its parents."""
    return _Assembly(drawn, side, shading_color).drafts


class _Assembly:
    def __init__(self, drawn: Sequence[Drawn], side: SideFile, shading_color: ShadingColor) -> None:
        self.side = side
        self.shading_color = shading_color
        self.drafts: list[Draft] = []
        self.place_by_ref: dict[object, int] = {}
        self.markers = _markers_by_group(drawn)
        self.label_of: dict[str, list[str]] = {}
        self.molecules: dict[int | None, int] = {}
        for item in drawn:
            self._add(item)
        self._fill_labels()

    def _add(self, item: Drawn) -> None:
        if item.kind == "K":
            return  # comes with its series
        parent = self._parent(item.parents)
        for draft in self._drafts(item):
            self.drafts.append(replace(draft, parent=parent))
        if item.ref is not None and item.line is not None:
            place = len(self.drafts) - 1
            self.place_by_ref[id(item.group) if item.kind == "S" else item.ref] = place
            if item.kind == "S":
                self._add_points(item, place)

    def _parent(self, parents: Sequence[MarkRef]) -> int | None:
        """The nearest enclosing object; containers come into being with their first content."""
        place: int | None = None
        in_axis = False
        for ref in parents:
            line = self.side.line_by_id[ref.number]
            if in_axis and line.kind in "TO":
                continue  # pgfplots' own cell picture and scopes
            in_axis = line.kind == "A" or (in_axis and line.kind == "S")
            key: object = ref
            if line.kind == "S":
                key = id(self.side.group_by_series.get(ref.number))
            if key not in self.place_by_ref and line.kind in _CONTAINER_NAMES:
                self.drafts.append(
                    Draft(
                        _CONTAINER_NAMES[line.kind],
                        parent=place,
                        data=_axis_data(line.fields) if line.kind == "A" else None,
                    )
                )
                self.place_by_ref[key] = len(self.drafts) - 1
            place = self.place_by_ref.get(key, place)
        return place

    def _drafts(self, item: Drawn) -> Iterator[Draft]:
        if item.line is None:
            yield from _unmarked(item)
        elif item.kind == "N":
            yield self._node(item)
        elif item.kind == "C":
            yield _bond(item)
        elif item.kind == "S":
            yield self._series(item)
        elif item.kind == "R" and all(ink.kind == "text" for ink in item.inks):
            yield _text_draft(item.glyphs, [])
        else:
            yield path_draft(item, self.shading_color)

    def _node(self, item: Drawn) -> Draft:
        assert item.line is not None
        shape, line, label_of, is_atom, name = (item.line.part(i) for i in range(5))
        name = "" if name.startswith("\\csname") else name.removeprefix("\\")
        symbol = component_name(shape) if self.side.has_circuitikz and not is_atom else None
        rules = [] if symbol else item.rules
        frame = [ink for ink in item.inks if ink.kind != "text" and not any(ink is rule for rule in rules)]
        text, runs = read_text(item.glyphs, [r.box for r in rules if r.box])
        draft = Draft(
            "node",
            shape,
            "" if name.startswith(("tikz@f@", "pgfcirc@", "CF_node")) else name,
            text,
            runs,
            fill=fill_of(frame[::-1], self.shading_color),
            stroke=stroke_of(frame),
            opacity=opacity_of(item.all_inks),
            box=item.box,
        )
        if is_atom:
            draft.kind, draft.subtype, draft.data = "atom", None, self._atom_data(item)
        elif symbol:
            draft.kind, draft.subtype = "component", symbol
            draft.data = _component_data(line, frame)
        else:
            draft.data = NodeData(drawn=draft.stroke is not None, filled=draft.fill is not None)
        if label_of and text:
            self.label_of.setdefault(label_of, []).append(text)
        return draft

    def _atom_data(self, item: Drawn) -> AtomData:
        picture = item.parents[0].number if item.parents else None
        self.molecules[picture] = self.molecules.get(picture, 0) + 1
        return AtomData(molecule=list(self.molecules).index(picture), index=self.molecules[picture] - 1)

    def _fill_labels(self) -> None:
        for key, place in self.place_by_ref.items():
            if isinstance(key, MarkRef) and (labels := self.label_of.get(str(key.number))):
                draft = self.drafts[place]
                if isinstance(draft.data, ComponentData):
                    draft.data = draft.data.model_copy(update={"label": " ".join(labels)})

    def _series(self, item: Drawn) -> Draft:
        group = item.group
        assert group is not None
        own = [ink for ink in item.inks if ink.kind != "text"]
        markers = self.markers.get(id(group), [])
        boxes = [item.box, *(marker.box for marker in markers)]
        subtype = series_subtype(own, markers=len(markers), three_dimensional=len(group.limits) > 2)
        return Draft(
            "series",
            subtype,
            fill=self.shading_color(own) if subtype == "surface" else fill_of(own, self.shading_color),
            stroke=stroke_of(own),
            opacity=opacity_of(own or _inks(markers)),
            box=union([box for box in boxes if box is not None]),
            data=SeriesData(axis="", number=group.number, points=len(place_points(item, markers))),
        )

    def _add_points(self, item: Drawn, series: int) -> None:
        for placed in place_points(item, self.markers.get(id(item.group), [])):
            self.drafts.append(self._data_point(placed, series))

    def _data_point(self, placed: PlacedPoint, series: int) -> Draft:
        inks = [ink for ink in placed.marker.inks if ink.kind != "text"] if placed.marker else []
        x, y, *z = placed.point.values
        return Draft(
            "data_point",
            text=write_point(placed.point),
            fill=fill_of(inks, self.shading_color),
            stroke=stroke_of(inks),
            opacity=opacity_of(inks) if inks else self.drafts[series].opacity,
            box=placed.box,
            parent=series,
            data=DataPointData(x=x, y=y, z=z[0] if z else None),
        )


def _markers_by_group(drawn: Sequence[Drawn]) -> dict[int, list[Drawn]]:
    found: dict[int, list[Drawn]] = {}
    for item in drawn:
        if item.kind == "K":
            found.setdefault(id(item.group), []).append(item)
    return found


def _inks(items: Sequence[Drawn]) -> list[Ink]:
    return [ink for item in items for ink in item.inks]


def _bond(item: Drawn) -> Draft:
    assert item.line is not None
    subtype, order = _BONDS.get(item.line.part(0), ("single", 1))
    start, _, end = item.line.part(1).partition(",")
    inks = [ink for ink in item.inks if ink.kind == "path"]
    return Draft(
        "bond",
        subtype,
        stroke=stroke_of(inks),
        fill=next((ink.fill for ink in inks if ink.fill), None),
        opacity=opacity_of(item.inks),
        box=item.box,
        data=BondData(order=order, start_atom=start, end_atom=end),
    )


def _component_data(line: str, frame: Sequence[Ink]) -> ComponentData:
    """The ends as TeX gave them in the picture's frame; the symbol's own ink says where that frame is."""
    numbers = [
        n * BP_PER_PT for part in line.split(",") if (n := read_number(part.removesuffix("pt"))) is not None
    ]
    if len(numbers) != 4 or not frame:
        return ComponentData()
    matrix = frame[0].matrix
    return ComponentData(
        start_pt=matrix.apply(numbers[0], numbers[1]), end_pt=matrix.apply(numbers[2], numbers[3])
    )


def _axis_data(fields: Sequence[str]) -> AxisData:
    return AxisData(
        limits=read_limits(fields[1] if len(fields) > 1 else ""),
        three_dimensional=bool(fields) and fields[0] == "3",
    )


def _unmarked(item: Drawn) -> Iterator[Draft]:
    """Free text line by line; what else carries no mark is one piece of ink."""
    bars = [ink.box for ink in item.rules if ink.box]
    rest: list[Ink] = [ink for ink in item.inks if ink.kind != "text" and not (item.glyphs and is_rule(ink))]
    for line in split_lines(item.glyphs):
        yield _text_draft(line, bars)
    if rest:
        box = union([ink.box for ink in rest if ink.box is not None])
        yield Draft("ink", stroke=stroke_of(rest), opacity=opacity_of(rest), box=box)


def _text_draft(glyphs: Sequence[Glyph], bars: Sequence[Rect]) -> Draft:
    text, runs = read_text(glyphs, bars)
    alpha = round(max((glyph.alpha for glyph in glyphs), default=1.0), 3)
    return Draft("text", text=text, runs=runs, opacity=alpha, box=union([glyph.box for glyph in glyphs]))


def named(drafts: Sequence[Draft]) -> list[tuple[str, Any]]:
    """Each draft with its id: kind and running number."""
    counts: dict[str, int] = {}
    pairs = []
    for draft in drafts:
        counts[draft.kind] = counts.get(draft.kind, 0) + 1
        pairs.append((f"{draft.kind}-{counts[draft.kind]}", draft))
    return pairs
