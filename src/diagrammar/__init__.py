"""diagrammar: real TeX in, drawn objects and scores out."""

__version__ = "0.1.0"
