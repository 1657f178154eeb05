"""metrics: one dimension of objects -> its F1 and the variants of it: strict rules, parts of an edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from diagrammar.metrics.objects import DIMENSIONS, Dimension, overlap, reading
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.parts import Part
from diagrammar.metrics.protocol import Metric
from diagrammar.metrics.rules import PAPER, STRICT, Rules
from diagrammar.records.scores import Case, NotComputed

Settings = Callable[[Rules], dict[str, str]]
PARTS: tuple[Part, ...] = ("whole", "preserve", "edit")


@dataclass(frozen=True)
class OnExample:
    """The six scores of a dimension for `example.EXAMPLE`, by hand."""

    whole: float
    preserve: float
    edit: float
    strict_whole: float
    strict_preserve: float
    strict_edit: float


def object_f1(
    dimension: Dimension, *, version: int, on_example: OnExample, settings: Settings = lambda _: {}
) -> Metric[Overlap]:
    """`f1_<dimension>` and its variants. `settings` says what decides it beside the reading."""
    return _family(
        f"f1_{dimension}",
        version=version,
        on_example=on_example,
        compare=partial(_compare, dimension),
        score=lambda shared: shared.f1,
        settings=lambda rules: {**reading(), **settings(rules)},
    )


@dataclass(frozen=True)
class ObjectOverlaps:
    """What each of the four dimensions shares; None where the strict rules do not compare it."""

    parts: tuple[Overlap | None, ...]

    @property
    def mean_f1(self) -> float:
        """The mean of the F1s, each dimension counting the same however many items it has."""
        known = [part.f1 for part in self.parts if part is not None]
        return sum(known) / len(known)


def mean_object_f1(
    *, version: int, on_example: OnExample, of: Callable[[str], str]
) -> Metric[ObjectOverlaps]:
    """`f1_avg` and its variants; `of` names the four metrics that a variant is the mean of."""
    return _family(
        "f1_avg",
        version=version,
        on_example=on_example,
        compare=_compare_all,
        score=lambda shared: shared.mean_f1,
        settings=lambda _: reading(),
        of=of,
    )


def _family(
    name: str,
    *,
    version: int,
    on_example: OnExample,
    compare: Callable[[Rules, Part, Case], Any],
    score: Callable[[Any], float],
    settings: Settings,
    of: Callable[[str], str] | None = None,
) -> Metric[Any]:
    def one(rules: Rules, part: Part) -> Metric[Any]:
        strict = "_strict" if rules is STRICT else ""
        suffix = strict if part == "whole" else f"{strict}_{part}"

        def said() -> dict[str, str]:
            named = {"of": of(suffix)} if of else {}
            return {**settings(rules), **named, **_part_settings(rules, part)}

        return Metric(
            name=name + suffix,
            version=version,
            reads="objects",
            compare=partial(compare, rules, part),
            score=score,
            settings=said,
            on_example=getattr(on_example, f"{strict[1:]}_{part}".strip("_")),
            protocol="strict" if rules is STRICT else "paper",
            needs_source=part != "whole",
        )

    first, *others = (one(rules, part) for rules in (PAPER, STRICT) for part in PARTS)
    return replace(first, variants=tuple(others))


def _part_settings(rules: Rules, part: Part) -> Mapping[str, str]:
    empty = {} if rules.counts_empty else {"both_empty": "not-computed"}
    if part == "whole":
        return empty
    return {
        "part": part,
        "same": f"{rules.same_boxes}+{rules.same_colors}",
        "frame": "shifted-to-source",
        **empty,
    }


def _compare(dimension: Dimension, rules: Rules, part: Part, case: Case) -> Overlap | NotComputed:
    shared = overlap(case, dimension, rules=rules, part=part)
    if not rules.counts_empty and not shared.truth and not shared.candidate:
        return NotComputed(reason=f"neither side has a {dimension} {_WHERE[part]}")
    return shared


def _compare_all(rules: Rules, part: Part, case: Case) -> ObjectOverlaps | NotComputed:
    found = [_compare(dimension, rules, part, case) for dimension in DIMENSIONS]
    known = tuple(None if isinstance(shared, NotComputed) else shared for shared in found)
    if not any(known):
        return NotComputed(reason=f"neither side has an object {_WHERE[part]}")
    return ObjectOverlaps(known)


_WHERE: Mapping[Part, str] = {"whole": "at all", "preserve": "that it kept", "edit": "that the edit is about"}
