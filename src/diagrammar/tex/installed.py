"""What this machine's TeX installation holds: asked for only after a failure."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

LIBRARY_FILE = re.compile(r"(?:tikz|pgf)library(.+)\.code\.tex")
# A key with a handler, or something declared by name
KEY = re.compile(
    r"(?<![\w/])(?:/(?:tikz|pgf|pgfplots)/)?([a-zA-Z][\w ]*?)\s*/\.(?:style|code|is|store|initial|default|add)"
)
DECLARED = re.compile(
    r"\\pgfdeclare(?:shape|decoration|metadecoration|patternformonly|patterninherentlycolored|plotmark|shading|arrows?)"
    r"\s*\{([^{}=]+)\}"
)
# Parts of pgf itself or for one engine, which are no library to load for a key.
NOT_TO_LOAD = re.compile(r"^(?:external|graphdrawing|datavisualization|luamath|babel)|\.")
DOTTED = re.compile(r"^(?:shapes|decorations|arrows|patterns|shadows|circuits|graphs|angles)\.")


@cache
def find_file(name: str) -> Path | None:
    """Where TeX finds the file, None where it does not."""
    found = subprocess.run(["kpsewhich", name], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return Path(found.stdout.strip()) if found.returncode == 0 and found.stdout.strip() else None


def is_installed(name: str) -> bool:
    return find_file(name) is not None


def library_defining(key: str) -> tuple[str, ...]:
    """The TikZ library that defines `key`, where exactly one of the installed ones does."""
    libraries = _libraries_by_key().get(key, frozenset())
    return tuple(libraries) if len(libraries) == 1 else ()


@cache
def _libraries_by_key() -> dict[str, frozenset[str]]:
    library_of: dict[str, set[str]] = {}
    for anchor in (
        "tikzlibrarycalc.code.tex",
        "pgflibraryarrows.meta.code.tex",
        "pgflibraryshapes.geometric.code.tex",
    ):
        path = find_file(anchor)
        for file in sorted(path.parent.rglob("*library*.code.tex")) if path else ():
            named = LIBRARY_FILE.fullmatch(file.name)
            if named is None or (NOT_TO_LOAD.search(named[1]) and not DOTTED.match(named[1])):
                continue
            text = file.read_text(encoding="utf-8", errors="replace")
            for found in (*KEY.finditer(text), *DECLARED.finditer(text)):
                library_of.setdefault(found[1].strip(), set()).add(named[1])
    return {key: frozenset(libraries) for key, libraries in library_of.items()}
