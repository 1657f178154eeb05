"""metrics: what a user asks for -> the metrics to compute."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from diagrammar.errors import BadInput
from diagrammar.metrics.protocol import Metric, Reads, load_metrics

Choice = Literal["paper", "strict"]
GROUPS: Mapping[str, Reads] = {"objects": "objects", "code": "code", "pictures": "picture"}
DEFAULT = ("objects", "code")
# What is shown first; the rest follows by name.
FIRST = ("f1_type", "f1_text", "f1_color", "f1_bbox", "f1_avg", "crystalbleu")


def choose_metrics(
    wanted: Sequence[str] | None = None, *, protocol: Choice = "paper", with_source: bool = False
) -> dict[str, Metric[Any]]:
    """Metrics by name, in the order they are shown.

    `wanted` holds names of metrics, of groups (objects, code, pictures) or `all`; a group gives its metrics
    of the protocol, `all` those of every protocol. By default the objects and the code. Metrics of edits
    come with a source only, unless named. Raises BadInput for a name that there is not.
    """
    known = load_metrics()
    names: dict[str, None] = {}
    for name in wanted or DEFAULT:
        names.update(dict.fromkeys(_named(name, known, protocol, with_source)))
    return {name: known[name] for name in sorted(names, key=_place)}


def _named(name: str, known: Mapping[str, Metric[Any]], protocol: Choice, with_source: bool) -> Iterator[str]:
    if name in known:
        yield name
        return
    if name not in GROUPS and name != "all":
        names = [*GROUPS, "all", *known]
        close = difflib.get_close_matches(name, names, n=1)
        meant = f"; did you mean {close[0]}?" if close else "."
        raise BadInput(f"no metric or group named {name!r}{meant} There are: {', '.join(names)}")
    for metric in known.values():
        if metric.needs_source and not with_source:
            continue
        if name == "all" or (metric.reads == GROUPS[name] and _belongs(metric, protocol)):
            yield metric.name


def _belongs(metric: Metric[Any], protocol: Choice) -> bool:
    # Code and pictures have one set of rules; only objects have strict ones.
    return metric.protocol == (protocol if metric.reads == "objects" else "paper")


def _place(name: str) -> tuple[int, str]:
    stem = next(
        (n for n, first in enumerate(FIRST) if name == first or name.startswith(f"{first}_")), len(FIRST)
    )
    return stem, name
