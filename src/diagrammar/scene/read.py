"""scene: Compiled -> Scene, what is drawn. Reads the marked PDF with PDFium, page by page."""

from __future__ import annotations

from pypdfium2 import PdfDocument

from diagrammar.records.diagrams import Compiled, CompiledSvg, TexFailure
from diagrammar.records.scenes import Scene
from diagrammar.scene.assemble import assemble
from diagrammar.scene.group import group_inks, ink_box
from diagrammar.scene.pages import PageScene, build_scene
from diagrammar.scene.pdf import open_pdf, read_page
from diagrammar.scene.sidefile import SideFile, read_side_file
from diagrammar.scene.visible import PageView, visible_inks


def read_scene(compiled: Compiled) -> Scene:
    """All that the document draws. Unmarked documents give text and ink only.

    Source: Diagram-MMU, appendix C.1, stage 3. Differs: one marked PDF instead of DVI to SVG (docs/decisions.md).
    """
    return build_scene(read_pages(compiled), marked=compiled.marked)


def reader_failed(compiled: Compiled | CompiledSvg, error: Exception) -> TexFailure:
    """The failure of a document whose PDF or SVG the reader cannot make sense of: its own, not the whole run's."""
    what = "PDF" if isinstance(compiled, Compiled) else "SVG"
    return TexFailure(
        kind="reader_failed",
        message=f"its {what} cannot be read: {type(error).__name__}: {error}",
        hint="please report the document",
        engine=compiled.engine,
        repairs=compiled.repairs,
        seconds=compiled.seconds,
    )


def read_pages(compiled: Compiled) -> list[PageScene]:
    side = read_side_file(compiled.marks, compiled.nonce)
    with open_pdf(compiled.pdf) as document:
        return [_read_one(document, number, side, compiled.nonce) for number in range(len(document))]


def _read_one(document: PdfDocument, number: int, side: SideFile, nonce: str) -> PageScene:
    page = document[number]
    try:
        inks = read_page(page, number, nonce)
        if not inks:
            return PageScene([], None, 0, 0)
        view = PageView(page, inks)
        shown = visible_inks(view)
        drawn = group_inks(shown, side)
        drafts = assemble(drawn, side, view.mean_color)
        owned = sum(len(item.all_inks) for item in drawn if item.line is not None)
        return PageScene(drafts, ink_box(drawn), len(shown), owned)
    finally:
        page.close()
