"""What a metric measures and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from diagrammar.records.diagrams import FailureKind, TexFailure
from diagrammar.records.scenes import Frozen, Scene


@dataclass(frozen=True)
class Side:
    """One program of a case: its code, and what it draws or why it draws nothing.

    `png` is its picture, cut to the ink; None where nobody has asked for it.
    """

    code: str
    scene: Scene | None = None
    failure: TexFailure | None = None
    png: bytes | None = None


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


class FailureNote(Frozen):
    """A TexFailure as it is stored and printed: without its log."""

    kind: FailureKind
    message: str
    line: int | None = None
    hint: str = ""


class Sides(Frozen):
    """One fact about each side of a pair."""

    truth: bool
    candidate: bool


class SideFailures(Frozen):
    """Why a side of a pair draws nothing; None where it draws or is not given."""

    truth: FailureNote | None = None
    candidate: FailureNote | None = None
    source: FailureNote | None = None


class PairScore(BaseModel):
    """Every number of one candidate against one truth, each under its metric's name: `score.f1_avg`.

    A candidate that does not compile has each metric's failure value. A number is None where it is not
    computed: `not_computed` says why.
    """

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, float | None] = Field(init=False)

    compiled: Sides
    not_computed: dict[str, str] = Field(default={}, description="metric -> reason")
    failures: SideFailures = SideFailures()
    signatures: dict[str, str] = Field(default={}, description="metric -> what decides its value")

    @property
    def values(self) -> Mapping[str, float | None]:
        """The numbers by metric, in the order they were asked for."""
        return self.__pydantic_extra__
