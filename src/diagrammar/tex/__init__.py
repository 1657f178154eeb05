"""TeX source in, a PDF with marks or a typed failure out."""

from diagrammar.tex.engine import compile_tex

__all__ = ["compile_tex"]
