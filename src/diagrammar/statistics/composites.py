"""statistics: the numbers of an answer, or of a model -> the paper's composites All, SC and FL.

Source: Diagram-MMU, table 5 and appendix C.2, image-based metrics; checked on every row of tables 5, G.1 and G.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum
from typing import Literal

from diagrammar.records.scores import NotComputed

CompositeName = Literal["all", "sc", "fl"]


@dataclass(frozen=True)
class Composite:
    """The plain mean of its parts. Parts run from 0 to 1, but for FID, which has no upper end."""

    name: CompositeName
    parts: tuple[str, ...]
    lower_is_better: bool = False


# In this order: a composite may be a part of a later one.
COMPOSITES: Mapping[str, Composite] = {
    "sc": Composite("sc", ("ssim", "clip")),
    "fl": Composite("fl", ("fid", "lpips"), lower_is_better=True),
    "all": Composite("all", ("f1_avg", "crystalbleu", "sc")),
}
UNCHECKED_FOR_EDITS = (
    "All of edits cannot be checked from the paper: it prints their F1s and CrystalBLEU only in parts. "
    "Here it is made as for parsing, of the numbers of the whole answer."
)


def compose(name: CompositeName, values: Mapping[str, float | NotComputed]) -> float | NotComputed:
    """The composite of these numbers; not computed where a part is not, with that part's reason."""
    found: list[float] = []
    for part in COMPOSITES[name].parts:
        value = compose("sc", values) if part == "sc" else _number(part, values)
        if isinstance(value, NotComputed):
            return value
        found.append(value)
    return fsum(found) / len(found)


def _number(name: str, values: Mapping[str, float | NotComputed]) -> float | NotComputed:
    value = values.get(name, NotComputed(reason="it was not asked for"))
    return NotComputed(reason=f"no {name}: {value.reason}") if isinstance(value, NotComputed) else value
