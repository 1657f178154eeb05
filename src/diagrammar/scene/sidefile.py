"""The side file of marks.sty: what TeX said of each mark, and the coordinates pgfplots evaluated."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import NamedTuple

CONTAINER_KINDS = frozenset("TOA")  # picture, scope, axis
OWNER_KINDS = frozenset("NPRSKC")  # node, path, part of the next path, series, marker, bond

_FPU = re.compile(r"([0-5])Y([-+0-9.]+)e([-+0-9]+)\]?")


@dataclass(frozen=True)
class MarkLine:
    """What TeX wrote of one mark: its kind and the fields after the id."""

    kind: str
    fields: tuple[str, ...]

    def part(self, index: int) -> str:
        return self.fields[index] if index < len(self.fields) else ""


@dataclass(frozen=True)
class Point:
    """A coordinate of a series. `values` are as a reader would write them, `positions` as the axis orders them."""

    index: int
    values: tuple[float | str, ...]
    positions: tuple[float | None, ...]


@dataclass
class Group:
    """One plot of one axis: its points and the axis' limits, (min, max) for each direction."""

    number: int
    points: dict[int, Point] = field(default_factory=dict)
    limits: tuple[tuple[float, float], ...] = ()
    clipped: bool = True
    drawn: bool = False


@dataclass(frozen=True)
class SideFile:
    line_by_id: dict[int, MarkLine]
    group_by_series: dict[int, Group]
    has_circuitikz: bool


def read_side_file(text: str, nonce: str) -> SideFile:
    """The lines that carry this compile's nonce; everything else in the file is ignored."""
    line_by_id: dict[int, MarkLine] = {}
    group_by_series: dict[int, Group] = {}
    groups: dict[str, Group] = {}  # of the axis being read
    has_circuitikz = False
    for line in text.splitlines():
        if not line.startswith(nonce + " "):
            continue
        kind, *fields = line[len(nonce) + 1 :].split("|")
        if kind == "B":
            has_circuitikz = fields[:1] == ["c"]
        elif kind == "D" and len(fields) >= 6:
            _add_point(groups, fields)
        elif fields and _is_number(fields[0]):
            number = int(fields[0])
            line_by_id[number] = MarkLine(kind, tuple(fields[1:]))
            if kind == "S" and len(fields) > 1:
                group = groups.setdefault(fields[1], Group(_int(fields[1])))
                group.drawn = True
                group.limits = read_limits(fields[2] if len(fields) > 2 else "")
                group.clipped = "c" in fields[3:4]
                group_by_series[number] = group
            elif kind == "A":
                groups = {}
    return SideFile(line_by_id, group_by_series, has_circuitikz)


class PageFrame(NamedTuple):
    """A page's size and how far below DVI's own first line it begins, bp."""

    width_pt: float
    height_pt: float
    top_pt: float = 0.0


def read_page_frames(text: str, nonce: str) -> list[PageFrame]:
    """The frame of each page, where TeX wrote them (it does for SVG)."""
    frames = []
    for line in text.splitlines():
        if not line.startswith(f"{nonce} G|"):
            continue
        values = [read_number(part.removesuffix("pt")) for part in line.split("|")[1:4]]
        sizes = [value * 72 / 72.27 for value in values if value is not None and abs(value) < 16384]
        if len(sizes) != 3 or min(sizes[:2]) <= 0:
            break
        frames.append(PageFrame(*sizes))
    return frames


def read_limits(text: str) -> tuple[tuple[float, float], ...]:
    """'xmin,xmax,ymin,ymax' as pairs; what is no number ends the list."""
    values = [read_number(part) for part in text.split(",") if part.strip()]
    pairs = []
    for low, high in zip(values[::2], values[1::2], strict=False):
        if low is None or high is None:
            break
        pairs.append((min(low, high), max(low, high)))
    return tuple(pairs)


def read_number(text: str) -> float | None:
    """A number as TeX writes it, plain or in pgf's floating point notation; None for anything else."""
    text = text.strip()
    if found := _FPU.fullmatch(text):
        flag, mantissa, exponent = found.groups()
        if flag in "345":
            return None
        value = float(mantissa) * 10.0 ** int(exponent)
        return -value if flag == "2" else value if flag == "1" else 0.0
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _add_point(groups: dict[str, Group], fields: list[str]) -> None:
    plot, index, scales = fields[0], _int(fields[1]), fields[2]
    if plot in groups and groups[plot].drawn and index == 0:
        groups[plot] = Group(_int(plot))  # the next axis, where no axis mark ended the last one
    group = groups.setdefault(plot, Group(_int(plot)))
    if index in group.points:
        return
    parsed, raw = fields[3:6], [*fields[6:9], "", "", ""]
    positions = tuple(read_number(parsed[i]) if i < len(parsed) else None for i in range(len(scales)))
    values = tuple(_value(scales[i], positions[i], raw[i]) for i in range(len(scales)))
    if any(value is None for value in values):
        return
    group.points[index] = Point(index, tuple(v for v in values if v is not None), positions)


def _value(scale: str, position: float | None, raw: str) -> float | str | None:
    """The coordinate before any axis transformation: n as it is, g from its logarithm, t the symbol as written."""
    if scale == "t":
        return raw.strip() or None
    if scale == "g":
        written = read_number(raw)
        return written if written is not None else math.exp(position) if position is not None else None
    return position


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _int(text: str) -> int:
    return int(text) if _is_number(text) else 0


def write_number(value: float | str) -> str:
    """At most four significant digits, integers in full, never '-0'.

    pgf computes with four to five digits: 0.99999 for 1.
    """
    if isinstance(value, str):
        return value
    if abs(value - round(value)) < 1e-9 * max(1.0, abs(value)) and abs(value) < 1e15:
        return str(round(value))
    short = float(f"{value:.4g}")
    return str(int(short)) if short == int(short) and abs(short) < 1e15 else f"{short:.4g}"


def write_point(point: Point) -> str:
    return f"({', '.join(write_number(value) for value in point.values)})"
