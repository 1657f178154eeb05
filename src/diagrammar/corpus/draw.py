"""A balanced draw of diagrams by a seed."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def order_by_domain(diagrams: Sequence[Diagram], seed: int) -> dict[Domain, list[Diagram]]:
    """Each domain's diagrams in drawing order: shuffled by the seed, those that look like diagrams first."""
    queues: dict[Domain, list[Diagram]] = {}
    for domain in DOMAINS:
        queue = sorted((d for d in diagrams if (d.domain or "graph") == domain), key=lambda d: d.id)
        Random(f"{seed}:{domain}").shuffle(queue)
        queues[domain] = sorted(queue, key=lambda d: not looks_like_a_diagram(d))
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
    queues = order_by_domain(diagrams, seed)
    share = quotas({domain: len(queue) for domain, queue in queues.items()}, n)
    chosen = [
        (position, DOMAINS.index(domain), diagram)
        for domain, queue in queues.items()
        for position, diagram in enumerate(queue[: share[domain]])
    ]
    return [diagram for _, _, diagram in sorted(chosen, key=lambda entry: entry[:2])]
