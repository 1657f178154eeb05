"""Compiled -> Scene, what is drawn."""

from __future__ import annotations

from diagrammar.errors import ToolMissing
from diagrammar.records.diagrams import CompiledSvg
from diagrammar.records.scenes import Scene
from diagrammar.scene.read import read_scene, reader_failed

__all__ = ["read_scene", "read_svg_scene", "reader_failed"]


def read_svg_scene(compiled: CompiledSvg) -> Scene:
    """All that the document draws, read from SVG: the paper's own way, and a check of the first reader.

    Source: Diagram-MMU, appendix C.1, stages 2 and 3. Differs: docs/scene.md, The second reader.
    Raises ToolMissing without lxml, UnreadableSvg (a ValueError) for a page that is not what dvisvgm writes.
    """
    try:
        from diagrammar.scene.svg.read import read_svg
    except ModuleNotFoundError as error:
        if error.name != "lxml":
            raise
        raise ToolMissing("the second reader needs lxml: pip install 'diagrammar[svg]'") from error
    return read_svg(compiled)
