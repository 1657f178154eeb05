"""scene, last step: the drafts of each page -> one Scene, pages below one another in the ink's frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diagrammar.records.scenes import Box, ComponentData, Scene, SceneObject, SeriesData
from diagrammar.scene.assemble import named
from diagrammar.scene.draft import Draft
from diagrammar.scene.geometry import Rect

PAGE_GAP_PT = 12.0


@dataclass(frozen=True)
class PageScene:
    """One page's drafts, its ink box in the page frame, and its share of painted objects under marks."""

    drafts: list[Draft]
    ink: Rect | None
    visible: int
    owned: int


def build_scene(pages: Sequence[PageScene], *, marked: bool) -> Scene:
    """The pages below one another, moved to the ink's origin, y downwards."""
    drafts: list[Draft] = []
    moves: list[tuple[float, float]] = []  # per draft: what turns (x, y) of the page into (x + dx, dy - y)
    width = top = 0.0
    for page in pages:
        if page.ink is None:
            continue
        offset = len(drafts)
        for draft in page.drafts:
            if draft.parent is not None:
                draft.parent += offset
            drafts.append(draft)
            moves.append((-page.ink.x0, page.ink.y1 + top))
        width = max(width, page.ink.x1 - page.ink.x0)
        top += page.ink.y1 - page.ink.y0 + PAGE_GAP_PT
    pairs = named(drafts)
    ids = [name for name, _ in pairs]
    boxes = _with_content(drafts)
    objects = tuple(
        _to_object(draft, ids[n], boxes[n], ids, drafts, *moves[n]) for n, draft in enumerate(drafts)
    )
    return Scene(
        size_pt=(round(width, 3), round(max(0.0, top - PAGE_GAP_PT), 3)),
        objects=objects,
        marked=marked,
        pages=len(pages),
    )


def _with_content(drafts: Sequence[Draft]) -> list[Rect | None]:
    """The boxes; containers span what is in them."""
    spans = [draft.box for draft in drafts]
    for place in range(len(drafts) - 1, -1, -1):
        outer, box = drafts[place].parent, spans[place]
        if outer is not None and box is not None and drafts[outer].kind in ("picture", "scope", "axis"):
            known = spans[outer]
            spans[outer] = box if known is None else known.union(box)
    return spans


def _to_object(
    draft: Draft,
    name: str,
    box: Rect | None,
    ids: Sequence[str],
    drafts: Sequence[Draft],
    dx: float,
    dy: float,
) -> SceneObject:
    data = draft.data
    if isinstance(data, ComponentData) and data.start_pt and data.end_pt:
        ends = [(round(x + dx, 3), round(dy - y, 3)) for x, y in (data.start_pt, data.end_pt)]
        data = data.model_copy(update={"start_pt": ends[0], "end_pt": ends[1]})
    if isinstance(data, SeriesData):
        data = data.model_copy(update={"axis": _axis_of(draft, ids, drafts)})
    return SceneObject(
        id=name, kind=draft.kind, subtype=draft.subtype, name=draft.name, text=draft.text, runs=draft.runs,
        fill=draft.fill, stroke=draft.stroke, opacity=draft.opacity,
        box_pt=Box(*(round(v, 3) for v in (box.x0 + dx, dy - box.y1, box.x1 + dx, dy - box.y0))) if box else None,
        parent=ids[draft.parent] if draft.parent is not None else None, data=data,
    )  # fmt: skip


def _axis_of(draft: Draft, ids: Sequence[str], drafts: Sequence[Draft]) -> str:
    place = draft.parent
    while place is not None and drafts[place].kind != "axis":
        place = drafts[place].parent
    return ids[place] if place is not None else ""
