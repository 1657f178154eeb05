"""metrics: which objects of two drawings go together, for showing them. The counts are those of the F1s."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from diagrammar.metrics.counted import TEXT_TYPE, Counted, Item, count
from diagrammar.metrics.matching import Pair, match_boxes, match_colors, match_equal
from diagrammar.records.scenes import Scene


@dataclass(frozen=True)
class ObjectMatch:
    """What became of one counted object: its partner's id, or None, in each dimension it counts in.

    A dimension that the object does not count in (no text, no box) is not in `partners`. `text_type` is the
    type `text` that an object with text counts for beside its own. `color` is how alike its colours are to
    those they are matched with, 0..1 on average; None for an object without colours.
    """

    partners: Mapping[str, str | None]  # by dimension: type, text_type, text, box
    color: float | None = None

    @property
    def whole(self) -> bool:
        """Matched in every dimension that it counts in; colours may differ."""
        return all(partner is not None for partner in self.partners.values())

    @property
    def missed(self) -> bool:
        """Matched in none."""
        return all(partner is None for partner in self.partners.values())


@dataclass(frozen=True)
class Matching:
    """The matched pairs of each dimension, and what became of each counted object on both sides, by id."""

    types: tuple[Pair, ...]
    texts: tuple[Pair, ...]
    colors: tuple[Pair, ...]
    boxes: tuple[Pair, ...]
    truth: Mapping[str, ObjectMatch]
    candidate: Mapping[str, ObjectMatch]


def match_objects(truth: Scene, candidate: Scene) -> Matching:
    """Which objects go together by type, text, colour and box; as many pairs of each as the F1s count."""
    ours, theirs = count(truth), count(candidate)
    texts = match_equal(ours.texts, theirs.texts)
    boxes = match_boxes(ours.boxes, theirs.boxes)
    own_types, text_types = _match_types(ours.types, theirs.types, hints=_hints(texts, boxes))
    colors = match_colors(ours.colors, theirs.colors)
    pairs_by_dimension = {"type": own_types, "text_type": text_types, "text": texts, "box": boxes}
    return Matching(
        types=(*own_types, *text_types),
        texts=tuple(texts),
        colors=tuple(colors),
        boxes=tuple(boxes),
        truth=_by_object(truth, ours, pairs_by_dimension, colors, side=0),
        candidate=_by_object(candidate, theirs, pairs_by_dimension, colors, side=1),
    )


def _hints(texts: Sequence[Pair], boxes: Sequence[Pair]) -> list[tuple[str, str]]:
    same_text, same_place = [pair[:2] for pair in texts], [pair[:2] for pair in boxes]
    both = set(same_text) & set(same_place)
    return [pair for pair in same_place if pair in both] + same_place + same_text


def _match_types(
    truth: Sequence[Item[str]], candidate: Sequence[Item[str]], *, hints: Iterable[tuple[str, str]]
) -> tuple[list[Pair], list[Pair]]:
    """Pairs of equal types, own ones and those of `text`.

    Which circle goes with which does not change their number. So that a picture shows the circle that is
    missing, those that go together by place or text come first.
    """
    keys_of = [_keys_by_owner(items) for items in (truth, candidate)]
    own: list[Pair] = []
    text: list[Pair] = []
    paired: tuple[set[Item[str]], set[Item[str]]] = (set(), set())

    def pair_up(key: str, ours: str, theirs: str) -> None:
        paired[0].add(Item(key, ours))
        paired[1].add(Item(key, theirs))
        (text if key == TEXT_TYPE else own).append(Pair(ours, theirs))

    for ours, theirs in hints:
        for key in keys_of[0][ours]:
            free = Item(key, ours) not in paired[0] and Item(key, theirs) not in paired[1]
            if key in keys_of[1][theirs] and free:
                pair_up(key, ours, theirs)
    unused: dict[str, list[str]] = {}
    for item in reversed(candidate):
        if item not in paired[1]:
            unused.setdefault(item.value, []).append(item.owner)
    for item in truth:
        if item not in paired[0] and unused.get(item.value):
            pair_up(item.value, item.owner, unused[item.value].pop())
    return own, text


def _keys_by_owner(items: Sequence[Item[str]]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = {}
    for item in items:
        keys.setdefault(item.owner, []).append(item.value)
    return keys


def _by_object(
    scene: Scene, counted: Counted, pairs: Mapping[str, Sequence[Pair]], colors: Sequence[Pair], *, side: int
) -> dict[str, ObjectMatch]:
    partner = {
        name: {str(pair[side]): str(pair[1 - side]) for pair in matched} for name, matched in pairs.items()
    }
    has = {
        "type": {item.owner for item in counted.types},
        "text_type": {item.owner for item in counted.types if item.value == TEXT_TYPE},
        "text": {item.owner for item in counted.texts},
        "box": {item.owner for item in counted.boxes},
    }
    alike: dict[str, float] = {}
    for pair in colors:
        alike[str(pair[side])] = alike.get(str(pair[side]), 0.0) + pair.similarity
    painted: dict[str, int] = {}
    for items in counted.colors.values():
        for item in items:
            painted[item.owner] = painted.get(item.owner, 0) + 1
    return {
        thing.id: ObjectMatch(
            partners={
                name: partner[name].get(thing.id) for name, owners in has.items() if thing.id in owners
            },
            color=alike.get(thing.id, 0.0) / painted[thing.id] if thing.id in painted else None,
        )
        for thing in scene.counted
    }
