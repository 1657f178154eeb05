"""bench, step 5: which numbers a report shows, and an answer's own, composites among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diagrammar.records.runs import Evaluated
from diagrammar.records.scores import NotComputed
from diagrammar.statistics.composites import compose

Values = Mapping[str, float | NotComputed]


@dataclass(frozen=True)
class Number:
    """A number of a report and how it is shown."""

    name: str
    label: str
    about: str
    scale: float = 100.0
    lower_is_better: bool = False
    of_set: bool = False  # only many answers have it

    @property
    def head(self) -> str:
        """The label as a table's head has it."""
        return f"{self.label} ↓" if self.lower_is_better else self.label

    @property
    def barred(self) -> bool:
        """It runs from 0 to 1, so that a bar can show it."""
        return not self.of_set

    def shown(self, value: float | None, *, digits: int = 1) -> str:
        return "–" if value is None else f"{self.scale * value:z.{digits}f}".replace("-", "−")


# Table 5 of the paper first, then what its numbers are made of, as in tables G.1 and G.2.
LEADING = (
    Number("all", "All", "mean of F1 avg, CrystalBLEU and SC"),
    Number("f1_avg", "F1 avg", "mean of the four F1 scores of types, texts, colours and boxes"),
    Number("crystalbleu", "CrystalBLEU", "the programs, but for what all programs share"),
    Number("sc", "SC", "mean of SSIM and CLIP"),
    Number("fl", "FL", "mean of FID and LPIPS, the latter from 0 to 1", 1.0, lower_is_better=True, of_set=True),
)  # fmt: skip
IN_DETAIL = (
    Number("f1_type", "type", "F1 of the objects' types"),
    Number("f1_text", "text", "F1 of the texts"),
    Number("f1_color", "colour", "F1 of the colours"),
    Number("f1_bbox", "box", "F1 of the boxes"),
    Number("ssim", "SSIM", "structural similarity of the pictures"),
    Number("clip", "CLIP", "cosine of the pictures' CLIP embeddings"),
    Number("lpips", "LPIPS", "perceptual distance of the pictures", lower_is_better=True),
    Number("fid", "FID", "distance of the two sets of pictures", 1.0, lower_is_better=True, of_set=True),
    Number("kid", "KID", "the same, without bias for few pictures", lower_is_better=True, of_set=True),
)
CHANCE = Number("f1_color_chance", "chance", "what colours drawn by lot would get")
NUMBERS = (*LEADING, *IN_DETAIL)
SINGLE = tuple(number for number in (*NUMBERS, CHANCE) if not number.of_set)
BY_NAME = {number.name: number for number in (*NUMBERS, CHANCE)}


@dataclass(frozen=True)
class Scored:
    """An answer with its numbers, each a value or why there is none."""

    answer: Evaluated
    values: Values

    @property
    def task(self) -> str:
        """The task and its truth: tasks of two benchmarks may have the same id."""
        return f"{self.answer.task_id} {self.answer.truth}"

    @property
    def failed(self) -> bool:
        return not self.answer.score.compiled.candidate


def with_numbers(answers: Sequence[Evaluated], lacking: Mapping[str, str]) -> list[Scored]:
    """The answers with all single numbers, by task and attempt, whatever order they were scored in.

    `lacking` says what this machine cannot compute, and why.
    """
    in_order = sorted(answers, key=lambda answer: (answer.task_id, answer.attempt))
    return [Scored(answer, _values(answer, lacking)) for answer in in_order]


def _values(answer: Evaluated, lacking: Mapping[str, str]) -> Values:
    found: dict[str, float | NotComputed] = {}
    for number in SINGLE:
        value = answer.score.values.get(number.name)
        if value is not None:
            found[number.name] = value
        elif reason := answer.score.not_computed.get(number.name) or lacking.get(number.name):
            found[number.name] = NotComputed(reason=reason)
    found["sc"] = compose("sc", found)
    found["all"] = compose("all", found)
    return found
