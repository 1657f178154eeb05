"""The fonts' name database of LuaTeX, built once outside the sandbox and read-only inside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def font_caches() -> tuple[Path, ...]:
    return ()
