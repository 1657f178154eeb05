"""grading: cases -> Grades: the answer is read, the rules speak, and where they are not sure the judge does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from diagrammar.grading.asking import Asked, Judge, ask_judge
from diagrammar.grading.extract import Extracted, Unreadable, extract_answer, extract_given
from diagrammar.grading.judge import Judgement, judge_prompt, read_judgement
from diagrammar.grading.rule_list import rule_list
from diagrammar.grading.rule_num import rule_num
from diagrammar.grading.rule_term import rule_term
from diagrammar.grading.ruling import SURE, Protocol, Ruling
from diagrammar.records.grades import AnswerType, Grade, GradeCase, Verdict

RULES_VERSION = 1
_RULES = {"NUM": rule_num, "TERM": rule_term, "LIST": rule_list}


def signature(protocol: Protocol, judge: Judge | None = None) -> str:
    """What a grade depends on: rules, their threshold, and who judges by which words."""
    rules = f"grading:{RULES_VERSION}|{protocol}|sure:{SURE}"
    return rules if judge is None else f"{rules}|{judge.signature}"


def rule_answer(truth: str, answer: str, answer_type: AnswerType, *, protocol: Protocol = "paper") -> Ruling:
    """What the rules say of an answer that has been taken out of its reply."""
    return _RULES[answer_type](truth, answer, protocol=protocol)


def grade_answer(case: GradeCase, *, protocol: Protocol = "paper") -> Grade:
    """The grade by the rules alone; where they are not sure it is `escalated` and has no score."""
    return _grade_by_rules(case, protocol, signature(protocol))


def grade_cases(
    cases: Iterable[GradeCase],
    *,
    judge: Judge | None = None,
    replies: Path | None = None,
    protocol: Protocol = "paper",
    seen: Callable[[Grade], None] = lambda _: None,
) -> list[Grade]:
    """A grade per case, in the order given. Ids have to differ.

    Without a judge, doubtful cases stay `escalated`; with one, those whose reply decides nothing do. `replies` is the
    folder where the judge's replies are kept. Raises ValueError for an id that comes twice, ModelUnreachable where the
    judge cannot be had.
    """
    grades: dict[str, Grade] = {}
    signed = signature(protocol, judge)
    for case in cases:
        if case.id in grades:
            raise ValueError(f"two cases have the id {case.id!r}")
        grade = _grade_by_rules(case, protocol, signed)
        grades[case.id] = grade
        if judge is None or grade.verdict != "escalated":
            seen(grade)
    if judge is not None:
        for grade in _judge(list(grades.values()), judge, replies, seen):
            grades[grade.id] = grade
    return list(grades.values())


def _grade_by_rules(case: GradeCase, protocol: Protocol, signed: str) -> Grade:
    given = case.reply if case.reply is not None else case.model_answer or ""
    read = extract_answer(given) if case.reply is not None else extract_given(given)
    if isinstance(read, Unreadable):
        return _grade(case, given, read, "unreadable", Ruling(False, 0.0, read.reason), signed)
    ruling = rule_answer(case.ground_truth, read.answer, case.answer_type, protocol=protocol)
    verdict: Verdict = "escalated" if not ruling.sure else "correct" if ruling.correct else "incorrect"
    return _grade(case, given, read, verdict, ruling, signed)


def _grade(
    case: GradeCase, given: str, read: Extracted | Unreadable, verdict: Verdict, ruling: Ruling, signed: str
) -> Grade:
    found = read if isinstance(read, Extracted) else None
    return Grade(
        id=case.id, question=case.question, ground_truth=case.ground_truth, answer_type=case.answer_type,
        model_answer=given, answer=found.answer if found else None, extraction=found.step if found else None,
        verdict=verdict, score=_score(verdict), stage="rule" if found else "extract",
        confidence=ruling.confidence, reason=ruling.reason, signature=signed,
    )  # fmt: skip


def _judge(
    grades: list[Grade], judge: Judge, replies: Path | None, seen: Callable[[Grade], None]
) -> Iterator[Grade]:
    doubtful = {grade.id: grade for grade in grades if grade.verdict == "escalated"}
    prompts = {
        grade.id: judge_prompt(
            judge.words, question=grade.question, ground_truth=grade.ground_truth, model_answer=grade.answer or "",
            answer_type=grade.answer_type,
        )
        for grade in doubtful.values()
    }  # fmt: skip
    judged: list[Grade] = []

    def told(case_id: str, asked: Asked) -> None:
        judged.append(_judged(doubtful[case_id], judge, asked))
        seen(judged[-1])

    ask_judge(prompts, judge=judge, replies=replies, seen=told)
    yield from judged


def _judged(grade: Grade, judge: Judge, asked: Asked) -> Grade:
    verdict: Verdict = "escalated"
    reason = f"not judged: {asked.failure}"
    if asked.reply is not None:
        found = read_judgement(asked.reply.text)
        if isinstance(found, Judgement):
            verdict, reason = found.label, found.evaluation
        else:
            reason = f"not judged: {found.reason}"
    change = {
        "verdict": verdict,
        "score": _score(verdict),
        "stage": "judge",
        "reason": reason,
        "judge": judge.model.name,
    }
    return grade.model_copy(update=change)


def _score(verdict: Verdict) -> int | None:
    """1 for correct, 0 for all else that is decided. Source: appendix C.3, stage 3; D.2 for what cannot be read."""
    return None if verdict == "escalated" else int(verdict == "correct")
