"""The obvious composition of public pieces that scores a pair, step by step.

CrystalBLEU by its authors' package as its README shows it, with the list made right (a dict of n-gram tuples of orders
1 to 4); colours by scikit-image's CIEDE2000, one pair of colours at a time, and `itertools.permutations`; boxes by a
loop in Python. It gets the multisets of a drawing for nothing; ours makes them while the clock runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from pygments.lexers.markup import TexLexer
from pygments.token import Comment, Whitespace

from diagrammar.metrics.counted import count
from diagrammar.metrics.trivial import trivial_ngrams
from diagrammar.records.scores import Side

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Lists:
    """A side as plain lists."""

    code: str
    types: list[str]
    texts: list[str]
    colors: dict[str, list[str]]
    boxes: list[Box]


def lists_of(side: Side) -> Lists:
    assert side.scene is not None
    counted = count(side.scene)
    return Lists(
        code=side.code,
        types=[item.value for item in counted.types],
        texts=[item.value for item in counted.texts],
        colors={group: [item.value for item in items] for group, items in counted.colors.items()},
        boxes=[(b.left, b.top, b.right, b.bottom) for b in (item.value for item in counted.boxes)],
    )


class Composed:
    """Scores pairs. What is loaded once is loaded here."""

    def __init__(self) -> None:
        from crystalbleu import sentence_bleu
        from skimage.color import deltaE_ciede2000, rgb2lab

        self.sentence_bleu, self.delta_e, self.rgb2lab = sentence_bleu, deltaE_ciede2000, rgb2lab
        self.lexer = TexLexer()
        self.trivial = dict.fromkeys(trivial_ngrams(), 1)

    def score(self, truth: Lists, candidate: Lists) -> dict[str, float]:
        scores = self.objects(truth, candidate)
        scores["crystalbleu"] = self.code(self.tokens(truth.code), self.tokens(candidate.code))
        return scores

    def objects(self, truth: Lists, candidate: Lists) -> dict[str, float]:
        scores = {
            "f1_type": _multiset_f1(truth.types, candidate.types),
            "f1_text": _multiset_f1(truth.texts, candidate.texts),
            "f1_color": self.colors(truth.colors, candidate.colors),
            "f1_bbox": _boxes(truth.boxes, candidate.boxes),
        }
        return scores | {"f1_avg": sum(scores.values()) / 4}

    def tokens(self, code: str) -> list[str]:
        kept = (
            value
            for kind, value in self.lexer.get_tokens(code)
            if kind not in Comment and kind not in Whitespace
        )
        return [token for token in (" ".join(value.split()) for value in kept) if token]

    def code(self, truth: list[str], candidate: list[str]) -> float:
        return float(self.sentence_bleu([truth], candidate, ignoring=self.trivial))

    def colors(self, truth: Mapping[str, Sequence[str]], candidate: Mapping[str, Sequence[str]]) -> float:
        matched = 0.0
        for group in truth.keys() & candidate.keys():
            ours, theirs = ([self._lab(color) for color in side[group]] for side in (truth, candidate))
            alike = [[max(0.0, 1 - float(self.delta_e(a, b)) / 100) for b in theirs] for a in ours]
            matched += _assigned(alike)
        sizes = sum(map(len, truth.values())) + sum(map(len, candidate.values()))
        return 2 * matched / sizes if sizes else 1.0

    def _lab(self, color: str) -> Any:
        return self.rgb2lab(np.array([int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]))


def _multiset_f1(truth: list[str], candidate: list[str]) -> float:
    if not truth and not candidate:
        return 1.0
    return 2 * (Counter(truth) & Counter(candidate)).total() / (len(truth) + len(candidate))


def _assigned(alike: list[list[float]]) -> float:
    rows, columns = len(alike), len(alike[0])
    if rows > columns:
        alike = [list(row) for row in zip(*alike, strict=True)]
        rows, columns = columns, rows
    if columns <= 6:
        return max(
            sum(alike[row][column] for row, column in enumerate(choice))
            for choice in permutations(range(columns), rows)
        )
    ranked = sorted(((alike[r][c], r, c) for r in range(rows) for c in range(columns)), reverse=True)
    used_rows: set[int] = set()
    used_columns: set[int] = set()
    total = 0.0
    for likeness, row, column in ranked:
        if row not in used_rows and column not in used_columns:
            used_rows.add(row)
            used_columns.add(column)
            total += likeness
    return total


def _boxes(truth: list[Box], candidate: list[Box]) -> float:
    if not truth and not candidate:
        return 1.0
    left = list(candidate)
    matched = 0
    for box in truth:
        for other in left:
            if _iou(box, other) >= 0.3:
                left.remove(other)
                matched += 1
                break
    return 2 * matched / (len(truth) + len(candidate))


def _iou(a: Box, b: Box) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    return common / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common)
