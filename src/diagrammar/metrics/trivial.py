"""metrics: the frozen lists of n-grams that unrelated diagrams share, which CrystalBLEU leaves out.

Made by scripts/freeze_trivial_ngrams.py from the manuals' examples; docs/metrics.md gives the rule and its
grounds.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from diagrammar.errors import StoreCorrupt
from diagrammar.metrics.tokens import ORDERS, Ngram, ngrams

MIN_SHARE = 0.5
# Those that the paper names, whether or not a tokeniser makes tokens of them.
NAMED: frozenset[Ngram] = frozenset(
    (token,) for token in ("{", "}", "[", "]", ",", ";", "=", r"\begin", r"\end")
)


@dataclass(frozen=True)
class FrozenList:
    """A list as it is shipped. A new list is a new metric: raise the version of what reads it."""

    file: str
    sha256: str


# The same rule over the same documents, once in each tokeniser's tokens.
TEX_LIST = FrozenList(
    "trivial_ngrams.jsonl", "1f00c148e96cd1b3c2967bdfeb14a6bc5dd524d3514be677e7bb1fe91a024aa1"
)
TIKZ_LIST = FrozenList(
    "trivial_ngrams_tikz.jsonl", "8cbe70e153819ddfc177ea30ab8bd6261c4e980f4289a621fe79093b8ec04f56"
)


@cache
def trivial_ngrams(frozen: FrozenList = TEX_LIST) -> frozenset[Ngram]:
    """The list's n-grams. Raises StoreCorrupt where the file is not the one that this version was made with."""
    blob = files("diagrammar.metrics").joinpath(frozen.file).read_bytes()
    found = hashlib.sha256(blob).hexdigest()
    if found != frozen.sha256:
        raise StoreCorrupt(
            f"{frozen.file}: sha256 is {found[:12]}, not {frozen.sha256[:12]}; install diagrammar again"
        )
    return frozenset(tuple(json.loads(line)) for line in blob.decode("utf-8").splitlines())


def find_trivial(programs_by_package: Mapping[str, Sequence[Sequence[str]]]) -> frozenset[Ngram]:
    """The n-grams that half of some package's programs hold: who knows the package can guess them."""
    found: set[Ngram] = set(NAMED)
    for programs in programs_by_package.values():
        holders: Counter[Ngram] = Counter()
        for tokens in programs:
            holders.update({ngram for order in ORDERS for ngram in ngrams(tokens, order)})
        found |= {ngram for ngram, count in holders.items() if count >= MIN_SHARE * len(programs)}
    return frozenset(found)


def write_trivial(listed: Iterable[Ngram]) -> bytes:
    """The list as a file: a JSON array per line, short n-grams first."""
    rows = sorted(listed, key=lambda ngram: (len(ngram), ngram))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8")
