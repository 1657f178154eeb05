"""Which of xcolor's options defines a colour name, read from the installed xcolor."""

from __future__ import annotations

import re
from functools import cache

from diagrammar.tex.installed import find_file

# option: file. The order is that of use: dvipsnames where several have the name.
NAME_FILES = {"dvipsnames": "dvipsnam.def", "svgnames": "svgnam.def", "x11names": "x11nam.def"}
DEFINED = re.compile(r"(?:^|[;{])\s*([A-Za-z]+\d?),|\{named\}\{([A-Za-z]+)\}", re.MULTILINE)


def color_option(name: str) -> str | None:
    """The xcolor option that defines the colour `name`, None where none does."""
    return next((option for option, file in NAME_FILES.items() if name in _names(file)), None)


@cache
def _names(file: str) -> frozenset[str]:
    path = find_file(file)
    if path is None:
        return frozenset()
    found = DEFINED.findall(path.read_text(encoding="utf-8", errors="replace"))
    return frozenset(first or second for first, second in found)
