"""TeX source in, a PDF with marks or a typed failure out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diagrammar.tex.engine import compile_tex

__all__ = ["compile_tex"]


def __getattr__(name: str) -> object:
    """`compile_tex`, imported at first use: the font caches and the marks are used without it."""
    if name != "compile_tex":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from diagrammar.tex.engine import compile_tex

    return compile_tex
