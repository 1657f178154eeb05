"""scene, step 2: Ink -> Drawn, the inks of one mark together. Next: assemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from diagrammar.scene.geometry import Rect
from diagrammar.scene.ink import Glyph, Ink, MarkRef
from diagrammar.scene.sidefile import CONTAINER_KINDS, OWNER_KINDS, Group, MarkLine, SideFile

RULE_THICKNESS_PT = 0.9  # TeX's rules in text are 0.4 pt; pdfTeX draws them as stroked lines

# \charge sets its atom as a node of a picture inside the atom's own node
CHARGED_ATOM_NODES = frozenset({"\\atom", "\\atombox"})


@dataclass
class Drawn:
    """One marked thing with all its visible ink, or a run of unmarked ink (line is None)."""

    line: MarkLine | None
    ref: MarkRef | None
    parents: tuple[MarkRef, ...]
    inks: list[Ink] = field(default_factory=list)
    before: list[Ink] = field(default_factory=list)  # preactions and decorations of a path
    group: Group | None = None  # of a series or a marker

    @property
    def kind(self) -> str:
        return self.line.kind if self.line else ""

    @property
    def all_inks(self) -> list[Ink]:
        return [*self.before, *self.inks]

    @property
    def box(self) -> Rect | None:
        return union([ink.box for ink in self.all_inks if ink.box is not None])

    @property
    def rules(self) -> list[Ink]:
        """Fraction bars, underlines and the like: after the text that they stand under."""
        first = next((n for n, ink in enumerate(self.inks) if ink.kind == "text"), len(self.inks))
        return [ink for ink in self.inks[first:] if is_rule(ink)]

    @property
    def glyphs(self) -> list[Glyph]:
        return [glyph for ink in self.all_inks if ink.kind == "text" for glyph in ink.glyphs]


def union(boxes: Sequence[Rect]) -> Rect | None:
    total: Rect | None = None
    for box in boxes:
        total = box if total is None else total.union(box)
    return total


def ink_box(drawn: Sequence[Drawn]) -> Rect | None:
    """The box of all that is drawn."""
    return union([box for item in drawn if (box := item.box) is not None])


def is_rule(ink: Ink) -> bool:
    """A thin straight bar, stroked or filled, as TeX draws a rule."""
    if ink.kind != "path" or len(ink.subpaths) != 1:
        return False
    subpath = ink.subpaths[0]
    if ink.stroke and not ink.fill:
        (x0, y0), (x1, y1) = subpath.vertices[0], subpath.vertices[-1]
        straight = len(subpath.segments) == 2 and subpath.segments[1].op == "l"
        return straight and ink.line_width < RULE_THICKNESS_PT and min(abs(x0 - x1), abs(y0 - y1)) < 0.01
    if ink.fill and not ink.stroke and subpath.is_rectangle and ink.box is not None:
        return min(ink.box.x1 - ink.box.x0, ink.box.y1 - ink.box.y0) < RULE_THICKNESS_PT
    return False


def group_inks(inks: Sequence[Ink], side: SideFile) -> list[Drawn]:
    """Marked things in the order in which their first ink appears, unmarked text and ink in between."""
    drawn: list[Drawn] = []
    by_key: dict[object, Drawn] = {}
    for ink in inks:
        chain = tuple(ref for ref in ink.marks if ref.number in side.line_by_id)
        owner = _owner(chain, side)
        parents = tuple(r for r in chain if _is_parent(r, side))
        if owner is None:
            if not (drawn and drawn[-1].line is None and drawn[-1].parents == parents):
                drawn.append(Drawn(None, None, parents))
            drawn[-1].inks.append(ink)
            continue
        group = _group(owner, chain, side)
        key = id(group) if side.line_by_id[owner.number].kind == "S" and group else owner
        if key not in by_key:
            outer = tuple(r for r in chain[: chain.index(owner)] if _is_parent(r, side))
            by_key[key] = Drawn(side.line_by_id[owner.number], owner, outer, group=group)
            drawn.append(by_key[key])
        by_key[key].inks.append(ink)
    joined = _join_parts(_with_marker_series(drawn, by_key, side))
    for item in joined:
        _trim_rules(item)
    return joined


def _trim_rules(item: Drawn) -> None:
    """A rule that is drawn as a line ends where the line ends: TeX's rules have no caps to allow for."""
    lines = {id(ink) for ink in item.rules if ink.stroke}
    if lines:
        item.inks = [replace(ink, box=_of_rule(ink)) if id(ink) in lines else ink for ink in item.inks]


def _of_rule(ink: Ink) -> Rect | None:
    if ink.box is None:
        return None
    (x0, y0), (x1, y1) = ink.subpaths[0].vertices[0], ink.subpaths[0].vertices[-1]
    across = ink.line_width / 2
    lying = abs(x1 - x0) > abs(y1 - y0)
    dx, dy = (0.0, across) if lying else (across, 0.0)
    exact = Rect(min(x0, x1) - dx, min(y0, y1) - dy, max(x0, x1) + dx, max(y0, y1) + dy)
    return exact.clipped(ink.box)


def _owner(chain: Sequence[MarkRef], side: SideFile) -> MarkRef | None:
    for place in range(len(chain) - 1, -1, -1):
        line = side.line_by_id[chain[place].number]
        if line.kind not in OWNER_KINDS:
            continue
        if line.part(4) in CHARGED_ATOM_NODES and _in_atom(chain[:place], side):
            continue
        if line.kind == "N" and _is_plot_mark(chain, place, side):
            continue
        return chain[place]
    return None


def _is_plot_mark(chain: Sequence[MarkRef], place: int, side: SideFile) -> bool:
    """A node straight in a plot that holds a picture: pgfplots sets the marks at the ends of error bars so."""
    kinds = [side.line_by_id[ref.number].kind for ref in chain]
    before = [kind for kind in kinds[:place] if kind in OWNER_KINDS]
    return before[-1:] == ["S"] and "T" in kinds[place + 1 :]


def _in_atom(chain: Sequence[MarkRef], side: SideFile) -> bool:
    return any(
        side.line_by_id[ref.number].kind == "N" and side.line_by_id[ref.number].part(3) for ref in chain
    )


def _is_parent(ref: MarkRef, side: SideFile) -> bool:
    return side.line_by_id[ref.number].kind in CONTAINER_KINDS | OWNER_KINDS - {"R"}


def _group(owner: MarkRef, chain: Sequence[MarkRef], side: SideFile) -> Group | None:
    """The plot that a series or a marker belongs to."""
    for ref in reversed(chain[: chain.index(owner) + 1]):
        if ref.number in side.group_by_series:
            return side.group_by_series[ref.number]
    return None


def _with_marker_series(drawn: list[Drawn], by_key: dict[object, Drawn], side: SideFile) -> list[Drawn]:
    """A scatter plot has no ink but its markers': its series is put in before the first of them."""
    complete: list[Drawn] = []
    for item in drawn:
        if item.kind == "K" and item.group is not None and id(item.group) not in by_key:
            for place in range(len(item.parents) - 1, -1, -1):
                ref = item.parents[place]
                if ref.number not in side.group_by_series:
                    continue
                series = Drawn(side.line_by_id[ref.number], ref, item.parents[:place], group=item.group)
                by_key[id(item.group)] = series
                complete.append(series)
                break
        complete.append(item)
    return complete


def _join_parts(drawn: list[Drawn]) -> list[Drawn]:
    """Preactions and decorations go to the path they were drawn for; where that has no ink, they stand for it."""
    joined: list[Drawn] = []
    waiting: list[Drawn] = []
    for item in drawn:
        if item.kind == "R":
            waiting.append(item)
            continue
        if item.kind == "P" and item.line and (serial := item.line.part(2)):
            mine = [
                part
                for part in waiting
                if part.line and part.line.part(0) == serial and part.parents == item.parents
            ]
            item.before = [ink for part in mine for ink in part.inks]
            waiting = [part for part in waiting if not any(part is own for own in mine)]
        joined.extend(waiting)
        waiting = []
        joined.append(item)
    return [*joined, *waiting]


def _serial(part: Drawn) -> str:
    return part.line.part(0) if part.line else ""
