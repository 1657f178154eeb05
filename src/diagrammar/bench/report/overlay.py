"""bench, step 5: two scenes -> what is drawn over their pictures: each object, matched or not, by dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diagrammar.metrics.pairing import ObjectMatch, match_objects
from diagrammar.records.scenes import Scene, SceneObject

# A letter per dimension, in this order: m matched, p in part, x not matched, - does not count there.
DIMENSIONS = ("all", "type", "text", "color", "box")
SAME_COLOR = 0.99
Row = tuple[float, float, float, float, str, str, int]
LONGEST_TEXT = 80


@dataclass(frozen=True)
class Overlay:
    """Rows [left, top, width, height, label, states, partner] in bp, the largest box first on either side.

    `partner` is the position of the matched object among the other side's rows, -1 where there is none.
    """

    truth: tuple[Row, ...]
    candidate: tuple[Row, ...]
    missed: tuple[str, ...]  # what is not matched in any dimension, as labels with how often
    extra: tuple[str, ...]


def overlay(truth: Scene, candidate: Scene, *, most: int) -> Overlay:
    """The overlay of a pair, at most `most` objects on either side."""
    matching = match_objects(truth, candidate)
    ours, theirs = _boxed(truth)[:most], _boxed(candidate)[:most]
    return Overlay(
        truth=_rows(ours, matching.truth, _positions(theirs)),
        candidate=_rows(theirs, matching.candidate, _positions(ours)),
        missed=_unmatched(truth, matching.truth),
        extra=_unmatched(candidate, matching.candidate),
    )


def _boxed(scene: Scene) -> list[SceneObject]:
    """The counted objects with a box; large ones first, so that small ones lie above them and can be pointed at."""
    boxed = [thing for thing in scene.counted if thing.box_pt is not None]
    return sorted(boxed, key=lambda thing: -thing.box_pt.area if thing.box_pt else 0.0)


def _positions(things: Sequence[SceneObject]) -> dict[str, int]:
    return {thing.id: position for position, thing in enumerate(things)}


def _rows(
    things: Sequence[SceneObject], matches: Mapping[str, ObjectMatch], positions: Mapping[str, int]
) -> tuple[Row, ...]:
    return tuple(_row(thing, matches[thing.id], positions) for thing in things)


def _row(thing: SceneObject, match: ObjectMatch, positions: Mapping[str, int]) -> Row:
    box = thing.box_pt
    assert box is not None
    partners = [match.partners.get(dimension) for dimension in ("box", "text", "type")]
    partner = next((positions[p] for p in partners if p is not None and p in positions), -1)
    numbers = (round(box.left, 1), round(box.top, 1), round(box.width, 1), round(box.height, 1))
    return (*numbers, label(thing), states(match), partner)


def states(match: ObjectMatch) -> str:
    """A letter per dimension."""
    whole = "m" if match.whole else "x" if match.missed else "p"
    if whole == "m" and match.color is not None and match.color < SAME_COLOR:
        whole = "p"
    return whole + "".join(
        (_state(match, "type"), _state(match, "text"), _color_state(match.color), _state(match, "box"))
    )


def _state(match: ObjectMatch, dimension: str) -> str:
    if dimension not in match.partners:
        return "-"
    return "x" if match.partners[dimension] is None else "m"


def _color_state(alike: float | None) -> str:
    if alike is None:
        return "-"
    return "m" if alike >= SAME_COLOR else "p" if alike > 0 else "x"


def label(thing: SceneObject) -> str:
    """The object in a few words: `node:circle “A” #000000`."""
    text = thing.text if len(thing.text) <= LONGEST_TEXT else thing.text[: LONGEST_TEXT - 1] + "…"
    paints = [f"stroke {thing.stroke}" if thing.stroke else "", f"fill {thing.fill}" if thing.fill else ""]
    return " ".join(part for part in (thing.type_key, f"“{text}”" if text else "", *paints) if part)


def _unmatched(scene: Scene, matches: Mapping[str, ObjectMatch], *, most: int = 12) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for thing in scene.counted:
        if matches[thing.id].missed:
            name = f"{thing.type_key} “{thing.text[:LONGEST_TEXT]}”" if thing.text else thing.type_key
            counts[name] = counts.get(name, 0) + 1
    named = [f"{name} ×{count}" if count > 1 else name for name, count in counts.items()]
    return tuple(named[:most]) + ((f"{len(named) - most} more",) if len(named) > most else ())
