"""TeX source in; out comes a PDF or SVG with marks, or a typed failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diagrammar.tex.engine import compile_tex, compile_to_svg

__all__ = ["compile_tex", "compile_to_svg"]


def __getattr__(name: str) -> object:
    """`compile_tex` and its twin, imported at first use: the font caches and the marks are used without them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from diagrammar.tex import engine

    return getattr(engine, name)
