"""A balanced draw of diagrams by a seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from diagrammar.manuals.reading.blocks import without_comments
from diagrammar.records.diagrams import DOMAINS, Diagram, Domain

_PICTURE = re.compile(r"\\begin\{(?:\w*picture|circuitikz)\}|\\chemfig|\\schemestart|\\tikz(?![A-Za-z])")
_OPEN_ENDED = re.compile(
    r"\\begin\{filecontents|\\includegraphics|\\includesvg|\\write18|remember picture|overlay"
)
SHORTEST, LONGEST = 60, 2000  # characters of the body


def looks_like_a_diagram(diagram: Diagram) -> bool:
    """Whether a person would expect a diagram of the code: a rule for small draws, never a filter.

    Its body has a picture, 60 to 2,000 characters and at least three lines (chemistry: 20 characters), and needs
    no file beside it and no place of another picture.
    """
    body = (
        without_comments(diagram.code)
        .partition(r"\begin{document}")[2]
        .partition(r"\end{document}")[0]
        .strip()
    )
    rows = [row for row in body.split("\n") if row.strip()]
    long_enough = SHORTEST <= len(body) <= LONGEST and len(rows) >= 3
    if diagram.domain == "chemistry":
        long_enough = 20 <= len(body) <= LONGEST
    return bool(long_enough and _PICTURE.search(body) and not _OPEN_ENDED.search(diagram.code))


@dataclass(frozen=True)
class Drawable:
    """What a draw asks about a diagram."""

    id: str
    domain: Domain
    likely: bool  # it looks like a diagram


def drawable(diagram: Diagram) -> Drawable:
    """The diagram as a draw sees it."""
    return Drawable(diagram.id, diagram.domain or "graph", looks_like_a_diagram(diagram))


def order_by_domain(diagrams: Sequence[Diagram], seed: int) -> dict[Domain, list[Diagram]]:
    """Each domain's diagrams in drawing order: shuffled by the seed, those that look like diagrams first."""
    by_id = {diagram.id: diagram for diagram in diagrams}
    queues = _queues([drawable(diagram) for diagram in diagrams], seed)
    return {domain: [by_id[entry.id] for entry in queue] for domain, queue in queues.items()}


def _queues(pool: Sequence[Drawable], seed: int) -> dict[Domain, list[Drawable]]:
    queues: dict[Domain, list[Drawable]] = {}
    for domain in DOMAINS:
        queue = sorted((entry for entry in pool if entry.domain == domain), key=lambda entry: entry.id)
        Random(f"{seed}:{domain}").shuffle(queue)
        queues[domain] = sorted(queue, key=lambda entry: not entry.likely)
    return queues


def quotas(available: dict[Domain, int], n: int) -> dict[Domain, int]:
    """How many of n fall to each domain: equal shares, what one cannot give goes to the others."""
    share = dict.fromkeys(available, 0)
    left = n
    while left > 0 and (open_domains := [d for d in available if share[d] < available[d]]):
        for domain in open_domains[:left]:
            share[domain] += 1
        left -= min(left, len(open_domains))
    return share


def draw_balanced(diagrams: Sequence[Diagram], n: int, seed: int) -> list[Diagram]:
    """N of the diagrams, or all there are, as equally many of each domain as they allow, domain by turns."""
    by_id = {diagram.id: diagram for diagram in diagrams}
    return [by_id[entry.id] for entry in draw_evenly([drawable(d) for d in diagrams], n, seed)]


def draw_evenly(pool: Sequence[Drawable], n: int, seed: int) -> list[Drawable]:
    """The same draw where the diagrams themselves are too many to hold."""
    queues = _queues(pool, seed)
    share = quotas({domain: len(queue) for domain, queue in queues.items()}, n)
    chosen = [
        (position, DOMAINS.index(domain), entry)
        for domain, queue in queues.items()
        for position, entry in enumerate(queue[: share[domain]])
    ]
    return [entry for _, _, entry in sorted(chosen, key=lambda place: place[:2])]
