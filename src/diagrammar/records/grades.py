"""Answers to questions about diagrams: what is graded, and what became of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from diagrammar.records.scenes import Frozen

AnswerType = Literal["NUM", "TERM", "LIST"]
Verdict = Literal["correct", "incorrect", "unattempted", "unreadable", "escalated"]
Label = Literal["correct", "incorrect", "unattempted"]
LABELS: tuple[Label, ...] = ("correct", "incorrect", "unattempted")
GradeStage = Literal["extract", "rule", "judge"]
# `json` to `regex` are the paper's; `boxed`, `stated` and `bare` are ours, for replies in another form than
# was asked for; `given` is an answer that had been taken out of its reply before.
ExtractionStep = Literal["json", "fence", "braces", "regex", "boxed", "stated", "bare", "given"]


class GradeCase(Frozen):
    """One question with its right answer and what a model said: a whole reply, or the answer taken out of it."""

    id: str
    question: str = ""
    ground_truth: str
    answer_type: AnswerType
    model_answer: str | None = Field(default=None, description="the answer, or a reply in the form asked for")
    reply: str | None = Field(default=None, description="the model's whole reply")

    @model_validator(mode="after")
    def _one_of_both(self) -> GradeCase:
        if (self.model_answer is None) == (self.reply is None):
            raise ValueError("a case has either a model_answer or a reply")
        return self


class Grade(Frozen):
    """What became of one case.

    `unreadable`: no answer could be found in the reply, which scores 0 and is counted apart from wrong ones.
    `escalated`: the rules are not sure, and no judge has decided; it has no score.
    """

    id: str
    question: str = ""
    ground_truth: str
    answer_type: AnswerType
    model_answer: str = Field(description="what the case gave: the reply or the answer")
    answer: str | None = Field(description="the answer that was read; None where there was none to read")
    extraction: ExtractionStep | None
    verdict: Verdict
    score: int | None = Field(description="1 for correct, else 0; None for escalated", ge=0, le=1)
    stage: GradeStage = Field(description="who spoke last")
    confidence: float = Field(description="of the rule, whoever decided", ge=0, le=1)
    reason: str
    judge: str | None = Field(default=None, description="the judge model that was asked")
    signature: str = Field(description="grades of different signatures are not comparable")


class Judged(Frozen):
    """A judge's reply as stored, under the hash of who was asked what."""

    id: str
    case_id: str = Field(description="the first case that asked this")
    model: str
    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
