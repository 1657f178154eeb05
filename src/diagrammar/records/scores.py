"""What a metric measures and what it says."""

from __future__ import annotations

from dataclasses import dataclass

from diagrammar.records.diagrams import TexFailure
from diagrammar.records.scenes import Frozen, Scene


@dataclass(frozen=True)
class Side:
    """One program of a case: its code, and what it draws or why it draws nothing."""

    code: str
    scene: Scene | None = None
    failure: TexFailure | None = None


@dataclass(frozen=True)
class Case:
    """What a metric measures: a candidate against the truth; for edits also the source of the edit."""

    truth: Side
    candidate: Side
    source: Side | None = None


class NotComputed(Frozen):
    """A number that could not be computed, and why."""

    reason: str


class Score(Frozen):
    """One published number. `part` names a share of the metric, e.g. 'type' of the object F1s."""

    task_id: str
    metric: str
    part: str
    value: float | NotComputed
    n: int = 1
    failed: int = 0
    signature: str
