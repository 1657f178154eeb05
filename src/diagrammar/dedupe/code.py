"""How alike two bodies of code are: the shared part of their short runs of tokens."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

Shingles = NDArray[np.uint64]

RUN = 3  # tokens in a run
_TOKEN = re.compile(r"\\[A-Za-z@]+\*?|\\.|\d+(?:\.\d+)?|\.\d+|[^\W\d_]+|\S", re.DOTALL)
_EDGE = "\n"


def shingles(body: str) -> Shingles:
    """The sorted, distinct hashes of all runs of RUN tokens; white space does not count. Comments are gone already."""
    tokens = [_EDGE] * (RUN - 1) + _TOKEN.findall(body) + [_EDGE] * (RUN - 1)
    runs = {"\0".join(tokens[at : at + RUN]) for at in range(len(tokens) - RUN + 1)}
    hashes = [int.from_bytes(hashlib.blake2b(run.encode(), digest_size=8).digest(), "big") for run in runs]
    return np.array(sorted(hashes), dtype=np.uint64)


def jaccard(one: Shingles, other: Shingles) -> float:
    """Runs in both by runs in either, 0 to 1."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)


class CodeIndex:
    """Finds, among the bodies added so far, those that may be at least `alike` to another one: all of them.

    Bodies that alike share one of their rarest runs (prefix filter): n runs of which t * n must be shared leave
    n - ceil(t * n) + 1 that can not all be absent. Rare is what few bodies of the whole collection hold.
    """

    def __init__(self, bodies: Sequence[Shingles], *, alike: float) -> None:
        self._bodies_with: Counter[int] = Counter()
        for body in bodies:
            self._bodies_with.update(body.tolist())
        self._alike = alike
        self._places_with: dict[int, list[int]] = {}

    def candidates(self, body: Shingles) -> Iterable[int]:
        """Places of the bodies added that may be alike, in order."""
        found = {place for run in self._rarest(body) for place in self._places_with.get(run, ())}
        return sorted(found)

    def add(self, place: int, body: Shingles) -> None:
        for run in self._rarest(body):
            self._places_with.setdefault(run, []).append(place)

    def _rarest(self, body: Shingles) -> list[int]:
        ordered = sorted(body.tolist(), key=lambda run: (self._bodies_with[run], run))
        return ordered[: len(ordered) - ceil(self._alike * len(ordered)) + 1]
