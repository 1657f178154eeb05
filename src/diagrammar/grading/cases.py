"""grading: lines of a cases file -> GradeCases, each line for itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from diagrammar.errors import BadInput
from diagrammar.grading.escapes import dump_json
from diagrammar.records.grades import GradeCase

COLUMNS = ("id", "ground_truth", "model_answer", "answer_type")
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class BadLine:
    """A line that gives no case, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True)
class CaseLine:
    """A case, and the verdict that its file says is right, where it does."""

    case: GradeCase
    expected: str = ""


def read_cases(lines: Iterable[str], *, tsv: bool) -> Iterator[CaseLine | BadLine]:
    """A case per line: JSON objects, or tab-separated below a line with the columns' names.

    `model_answer` is an answer or a reply in the form asked for, `reply` a whole reply; one of both has to be there.
    In TSV nothing is quoted, except where a whole field stands in quotes with the quotes in it doubled, as spreadsheets
    write it. Blank lines are passed over; a line without id is called by its number; an id that comes again is bad.
    Raises BadInput where the first line of a TSV does not name the columns.
    """
    rows = _rows_of_tsv(lines) if tsv else _rows_of_json(lines)
    line_by_id: dict[str, int] = {}
    for number, row in rows:
        read = BadLine(number, row) if isinstance(row, str) else _as_case(number, row)
        if isinstance(read, CaseLine):
            before = line_by_id.setdefault(read.case.id, number)
            if before != number:
                read = BadLine(number, f"the id {read.case.id!r} was used on line {before}")
        yield read


def _rows_of_json(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any] | str]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line.lstrip("\ufeff"))
        except (ValueError, RecursionError) as error:
            yield number, f"no JSON: {error}"
            continue
        yield number, fields if isinstance(fields, dict) else "no JSON object"


def _rows_of_tsv(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any] | str]]:
    numbered = ((number, line.rstrip("\r\n")) for number, line in enumerate(lines, start=1))
    head: list[str] | None = None
    for number, line in numbered:
        if not line.strip() or (head is None and line.startswith("#")):
            continue
        fields = [_unquoted(field) for field in line.split("\t")]
        if head is None:
            head = [name.strip().lstrip("\ufeff") for name in fields]
            _refuse_other_columns(head)
        elif len(fields) > len(head):
            yield (
                number,
                f"{len(fields)} fields under {len(head)} columns; a text with tabs has to come as JSON",
            )
        else:
            # Editors cut empty fields off the end of a line.
            yield number, dict(zip(head, fields + [""] * (len(head) - len(fields)), strict=True))


def _refuse_other_columns(head: list[str]) -> None:
    answer_column = "model_answer" in head or "reply" in head
    lacking = [
        name for name in COLUMNS if name not in head and not (name == "model_answer" and answer_column)
    ]
    if lacking:
        raise BadInput(
            f"its first line does not name the columns {', '.join(lacking)}; "
            f"wanted are {', '.join(COLUMNS)}, divided by tabs"
        )


def _unquoted(field: str) -> str:
    inside = field[1:-1]
    quoted = len(field) > 1 and field[0] == field[-1] == '"' and '"' not in inside.replace('""', "")
    return inside.replace('""', '"') if quoted else field


def _as_case(number: int, row: dict[str, Any]) -> CaseLine | BadLine:
    texts = {name: _text(row.get(name)) for name in ("question", "ground_truth", "answer_type")}
    if row.get("ground_truth") is None or not texts["ground_truth"].strip():
        return BadLine(number, "no ground_truth")
    answer_type = texts["answer_type"].strip().upper().removeprefix("OI-")
    if answer_type not in ("NUM", "TERM", "LIST"):
        return BadLine(number, f"the answer_type is {texts['answer_type'][:40]!r}, not NUM, TERM or LIST")
    answers = {name: _text(row[name]) for name in ("model_answer", "reply") if name in row}
    if len(answers) == 2:  # a file with both columns: the one that says something
        answers = {name: text for name, text in answers.items() if text.strip()} or {"reply": ""}
    if len(answers) != 1:
        return BadLine(number, "give either a model_answer or a reply")
    name = _text(row.get("id")).strip() or str(number)
    try:
        case = GradeCase(
            id=name, question=texts["question"], ground_truth=texts["ground_truth"], answer_type=answer_type, **answers
        )  # fmt: skip
    except ValidationError as error:
        return BadLine(number, str(error).splitlines()[0])
    return CaseLine(case, _expected(row))


def _text(value: Any) -> str:
    """A field as text: nothing for null, JSON for numbers, lists and the like."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else dump_json(value)
    return _HALF_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text)


def _expected(row: dict[str, Any]) -> str:
    """The verdict column, for the reference judge: the label, or the first of those that are acceptable, too."""
    acceptable = [_text(row.get("verdict")), *_text(row.get("also_acceptable")).split("|")]
    return next((label for label in acceptable if label in ("correct", "incorrect", "unattempted")), "")
