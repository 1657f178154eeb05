"""scene/svg: CompiledSvg -> Scene. Marks, counting rules and frame are the PDF reader's; what is read is not."""

from __future__ import annotations

from diagrammar.records.diagrams import CompiledSvg
from diagrammar.records.scenes import Scene
from diagrammar.scene.assemble import assemble
from diagrammar.scene.group import group_inks, ink_box
from diagrammar.scene.pages import PageScene, build_scene
from diagrammar.scene.sidefile import PageFrame, SideFile, read_page_frames, read_side_file
from diagrammar.scene.svg.page import read_page
from diagrammar.scene.svg.tree import parse
from diagrammar.scene.svg.visible import Canvas

# Without a word from TeX (documents compiled without marks): nothing is cut off.
ANY_FRAME = PageFrame(2400.0, 2400.0)


def read_svg_pages(compiled: CompiledSvg) -> list[PageScene]:
    """What each page shows. Raises UnreadableSvg."""
    side = read_side_file(compiled.marks, compiled.nonce)
    frames = read_page_frames(compiled.marks, compiled.nonce)
    return [
        _read_one(page, number, side, compiled.nonce, frames[number] if number < len(frames) else ANY_FRAME)
        for number, page in enumerate(compiled.pages)
    ]


def read_svg(compiled: CompiledSvg) -> Scene:
    """All that the document draws, as SVG tells it. Raises UnreadableSvg."""
    return build_scene(read_svg_pages(compiled), marked=compiled.marked)


def _read_one(page: bytes, number: int, side: SideFile, nonce: str, frame: PageFrame) -> PageScene:
    items = read_page(parse(page), number, nonce, frame)
    if not items:
        return PageScene([], None, 0, 0)
    canvas = Canvas(items, frame)
    shown = canvas.visible()
    drawn = group_inks(shown, side)
    drafts = assemble(drawn, side, canvas.mean_color)
    owned = sum(len(item.all_inks) for item in drawn if item.line is not None)
    return PageScene(drafts, ink_box(drawn), len(shown), owned)
