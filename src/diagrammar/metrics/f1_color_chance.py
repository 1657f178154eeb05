"""metrics: what `f1_color` gives to colours drawn by lot: its floor, to be read beside it.

Ours. Two random colours are alike to about .55, and the best of many pairs to more, so that no candidate with
the right number of objects comes near 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from diagrammar.metrics.colors import assign
from diagrammar.metrics.counted import Item, count
from diagrammar.metrics.objects import reading
from diagrammar.metrics.overlap import Overlap
from diagrammar.metrics.protocol import Metric
from diagrammar.records.scores import Case

SEED = 1
DRAWS = 8
# A group of more colours is stood for by that many, and counts in proportion.
MAX_GROUP = 48


def _compare(case: Case) -> Overlap:
    """The truth's colours against as many as the candidate has in each group, each drawn from all of sRGB."""
    assert case.truth.scene is not None and case.candidate.scene is not None
    truth, candidate = count(case.truth.scene).colors, count(case.candidate.scene).colors
    random = Random(SEED)
    matched = math.fsum(_matched(truth, candidate, random) for _ in range(DRAWS)) / DRAWS
    return Overlap(matched, sum(map(len, candidate.values())), sum(map(len, truth.values())))


def _matched(
    truth: Mapping[str, Sequence[Item[str]]], candidate: Mapping[str, Sequence[Item[str]]], random: Random
) -> float:
    return math.fsum(
        _by_lot([item.value for item in items], len(candidate[group]), random)
        for group, items in sorted(truth.items())
        if group in candidate
    )


def _by_lot(colors: Sequence[str], others: int, random: Random) -> float:
    share = min(1.0, MAX_GROUP / max(len(colors), others))
    few = random.sample(list(colors), max(1, round(len(colors) * share)))
    drawn = [f"#{random.getrandbits(24):06x}" for _ in range(max(1, round(others * share)))]
    alike = math.fsum(pair.similarity for pair in assign(few, drawn))
    return alike * min(len(colors), others) / min(len(few), len(drawn))


METRIC = Metric(
    name="f1_color_chance",
    version=1,
    reads="objects",
    compare=_compare,
    score=lambda overlap: overlap.f1,
    settings=lambda: {**reading(), "colors": "uniform-srgb", "draws": str(DRAWS), "seed": str(SEED)},
    protocol="beside",
    perfect=math.nan,  # a floor has no best value
    on_example=None,  # a lot
)
