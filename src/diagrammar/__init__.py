"""diagrammar: real TeX in, drawn objects and scores out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diagrammar.bench.score import score
    from diagrammar.scene import read_scene
    from diagrammar.tex import compile_tex

__version__ = "0.1.0"
__all__ = ["__version__", "compile_tex", "read_scene", "score"]

_HOME_OF = {
    "compile_tex": "diagrammar.tex",
    "read_scene": "diagrammar.scene",
    "score": "diagrammar.bench.score",
}


def __getattr__(name: str) -> object:
    """The public function of that name, imported at first use: `import diagrammar` itself stays cheap."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value: object = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
