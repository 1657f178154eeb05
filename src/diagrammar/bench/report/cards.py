"""bench, step 5: Evaluated answers -> cards, one per diagram: the truth and each model's answer to it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diagrammar.bench.draw import Drawings
from diagrammar.bench.evaluate import Run, truth_text
from diagrammar.bench.report.numbers import BY_NAME, Number, Scored
from diagrammar.bench.report.overlay import Overlay, overlay
from diagrammar.bench.report.summary import DOMAIN_LABELS, outcome
from diagrammar.records.diagrams import Domain
from diagrammar.records.outputs import Output
from diagrammar.records.runs import Drawn
from diagrammar.records.scores import FailureNote
from diagrammar.records.tasks import Task

OUTCOME_LABELS = {
    "empty": "No answer", "timeout": "No answer in time", "model_error": "The model's server failed",
    "no_code": "No code in the answer", "truncated": "The answer breaks off",
}  # fmt: skip
BARS = ("f1_type", "f1_text", "f1_color", "f1_bbox", "crystalbleu", "ssim", "clip", "lpips")
SHORT = {"crystalbleu": "code"}


@dataclass(frozen=True)
class Bar:
    """One number of an answer."""

    number: Number
    value: float

    @property
    def label(self) -> str:
        return SHORT.get(self.number.name, self.number.head)

    @property
    def shown(self) -> str:
        return self.number.shown(self.value, digits=0)


@dataclass(frozen=True)
class Attempt:
    """Another answer to the same task, in a word."""

    number: int  # from 1
    score: float | None  # f1_avg
    outcome: str

    @property
    def shown(self) -> str:
        return "–" if self.score is None else f"{100 * self.score:.0f}"


@dataclass(frozen=True)
class CodeLine:
    """A line of a program. `own` lines are not in the truth."""

    number: int
    text: str
    own: bool = False
    failed: bool = False


@dataclass(frozen=True)
class Shown:
    """A stored picture and the part of the scene that it shows, in bp."""

    file: str
    width_px: int
    height_px: int
    view_box: str


@dataclass(frozen=True)
class Answer:
    """One model's answer, as a tile."""

    model: int
    score: float | None  # f1_avg
    bars: tuple[Bar, ...]
    picture: Shown | None
    overlay: Overlay | None
    outcome: str  # drawn, or why not in one word
    title: str  # of what went wrong
    failure: FailureNote | None
    remarks: tuple[str, ...]
    code: tuple[CodeLine, ...]
    attempts: tuple[Attempt, ...]  # all of them where there are several; this is the first

    @property
    def shown(self) -> str:
        return "–" if self.score is None else f"{100 * self.score:.1f}"


@dataclass(frozen=True)
class Card:
    """One diagram: the truth and the answers to it."""

    number: int
    id: str
    domain: Domain
    domain_label: str
    picture: Shown | None
    code: tuple[CodeLine, ...]
    objects: int
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class _Source:
    """One run's records by task."""

    run: Run
    scored: dict[str, list[Scored]]  # by attempt
    outputs: dict[str, Output]


def make_cards(
    runs: Sequence[Run],
    scored: Sequence[Sequence[Scored]],
    *,
    most_objects: int,
    picture_of: Callable[[Drawings, str], str],
) -> list[Card]:
    """A card per task that any run answered, in the benchmark's order, domains together.

    `picture_of` takes a picture's artefact to where the page finds it and gives that place. Of several answers to a
    task the first is shown, and the scores of all.
    """
    sources = [_source(run, found) for run, found in zip(runs, scored, strict=True)]
    tasks = {task.id: (task, run) for run in reversed(runs) for task in run.task_by_id.values()}
    asked = [task_id for task_id in tasks if any(task_id in source.scored for source in sources)]
    order = list(DOMAIN_LABELS)
    asked.sort(key=lambda task_id: (order.index(tasks[task_id][0].domain), task_id))
    return [
        _card(number, *tasks[task_id], sources, most_objects=most_objects, picture_of=picture_of)
        for number, task_id in enumerate(asked, start=1)
    ]


def _source(run: Run, scored: Sequence[Scored]) -> _Source:
    by_task: dict[str, list[Scored]] = {}
    for one in sorted(scored, key=lambda one: one.answer.attempt):
        by_task.setdefault(one.answer.task_id, []).append(one)
    wanted = {attempts[0].answer.id for attempts in by_task.values()}
    return _Source(run, by_task, {output.id: output for output in run.outputs if output.id in wanted})


def _card(
    number: int, task: Task, run: Run, sources: Sequence[_Source], *,
    most_objects: int, picture_of: Callable[[Drawings, str], str],
) -> Card:  # fmt: skip
    first = next(source.scored[task.id][0].answer for source in sources if task.id in source.scored)
    truth = run.truths.by_id[first.truth]
    scene = run.truths.side(first.truth).scene
    answers = tuple(
        _answer(model, source, task, truth, most_objects=most_objects, picture_of=picture_of)
        for model, source in enumerate(sources)
        if task.id in source.scored
    )
    lines = truth_text(task).rstrip().split("\n")
    return Card(
        number=number, id=task.id, domain=task.domain, domain_label=DOMAIN_LABELS[task.domain],
        picture=_shown(truth, run.truths, picture_of),
        code=tuple(CodeLine(at, text) for at, text in enumerate(lines, start=1)),
        objects=len(scene.counted) if scene else 0, answers=answers,
    )  # fmt: skip


def _answer(
    model: int, source: _Source, task: Task, truth: Drawn, *,
    most_objects: int, picture_of: Callable[[Drawings, str], str],
) -> Answer:  # fmt: skip
    attempts = source.scored[task.id]
    scored, evaluated = attempts[0], attempts[0].answer
    output = source.outputs[evaluated.id]
    answers = source.run.answers
    drawn = answers.by_id[evaluated.candidate] if evaluated.candidate else None
    failure = evaluated.score.failures.candidate
    word = outcome(evaluated)
    pair = None
    if drawn is not None and drawn.scene is not None and truth.scene is not None:
        ours, theirs = source.run.truths.side(truth.id).scene, answers.side(drawn.id).scene
        pair = overlay(ours, theirs, most=most_objects) if ours and theirs else None
    values = [(BY_NAME[name], scored.values.get(name)) for name in BARS]
    bars = tuple(Bar(number, value) for number, value in values if isinstance(value, float))
    return Answer(
        model=model, score=evaluated.score.values.get("f1_avg"), bars=bars,
        picture=_shown(drawn, answers, picture_of) if drawn else None, overlay=pair,
        outcome=word, title="" if word == "drawn" else OUTCOME_LABELS.get(word, "Does not compile"),
        failure=failure, remarks=_remarks(scored, drawn),
        code=_code(output, failing=failure.line if failure else None, truth=truth_text(task)),
        attempts=tuple(map(_attempt, attempts)) if len(attempts) > 1 else (),
    )  # fmt: skip


def _attempt(scored: Scored) -> Attempt:
    answer = scored.answer
    return Attempt(answer.attempt + 1, answer.score.values.get("f1_avg"), outcome(answer).replace("_", " "))


def _remarks(scored: Scored, drawn: Drawn | None) -> tuple[str, ...]:
    # What no answer has, the tables say once.
    not_computed = dict.fromkeys(scored.answer.score.not_computed.values())
    repaired = [f"repaired: {repair}" for repair in drawn.repairs] if drawn else []
    return (*(f"not computed: {reason}" for reason in not_computed), *repaired)


def _shown(drawn: Drawn, drawings: Drawings, picture_of: Callable[[Drawings, str], str]) -> Shown | None:
    picture = drawn.picture
    if picture is None:
        return None
    width_pt, height_pt = (side * 72 / picture.dpi for side in (picture.width_px, picture.height_px))
    view_box = f"{picture.left_pt:g} {picture.top_pt:g} {width_pt:.2f} {height_pt:.2f}"
    return Shown(picture_of(drawings, picture.png), picture.width_px, picture.height_px, view_box)


def _code(output: Output, *, failing: int | None, truth: str) -> tuple[CodeLine, ...]:
    """The answer's program, or the whole reply where there is none; `failing` counts lines of the reply."""
    text = output.code if output.code is not None else output.text
    if not text.strip():
        return ()
    lines = text.rstrip().split("\n")
    offset = _offset(lines, output.text.replace("\r\n", "\n").split("\n")) if output.code is not None else 0
    matcher = difflib.SequenceMatcher(
        None, [line.strip() for line in truth.split("\n")], [line.strip() for line in lines], autojunk=False
    )
    shared = {at for block in matcher.get_matching_blocks() for at in range(block.b, block.b + block.size)}
    return tuple(
        CodeLine(at + 1, line, own=at not in shared and bool(line.strip()), failed=failing == at + 1 + offset)
        for at, line in enumerate(lines)
    )


def _offset(code: Sequence[str], reply: Sequence[str]) -> int:
    """How many lines of the reply stand before the program."""
    return next((at for at in range(len(reply)) if list(reply[at : at + len(code)]) == list(code)), 0)
