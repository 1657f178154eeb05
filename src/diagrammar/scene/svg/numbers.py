"""Numbers as SVG writes them."""

from __future__ import annotations

import math
import re

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def numbers(text: str) -> list[float]:
    """All numbers in a text, however they are parted."""
    return [value for part in NUMBER.findall(text) if math.isfinite(value := float(part))]


def number(text: str | None, default: float = 0.0) -> float:
    """The first number of an attribute (a unit px or none), the default where there is none."""
    found = numbers(text) if text else []
    return found[0] if found else default


def share(text: str | None, default: float) -> float:
    """A share such as `.5` or `50%`, between 0 and 1."""
    if not text:
        return default
    value = number(text, default) / (100 if text.strip().endswith("%") else 1)
    return min(1.0, max(0.0, value))
