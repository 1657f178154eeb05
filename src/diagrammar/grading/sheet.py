"""grading: a sample of grades -> a sheet for annotators, and the sheet they filled -> labels.

Source: Diagram-MMU, appendix C.4: strata of stage and answer type; annotators see question, right answer and model
answer, never the verdict.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from diagrammar.errors import BadInput
from diagrammar.records.grades import LABELS, Grade

COLUMNS = ("id", "question", "ground_truth", "model_answer", "answer_type", "label", "remark")
LONGEST_CELL = 8000  # characters; a spreadsheet's cell holds 32,767
_FORMULA = re.compile(r"^[\s'\"]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]")
_UNPRINTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufeff]|[\ud800-\udfff]")
_SHORT = {label[0]: label for label in LABELS}


@dataclass(frozen=True)
class FilledSheet:
    """One annotator's labels by case id, and what was wrong with single rows."""

    labels: dict[str, str]
    faults: tuple[str, ...]
    unlabelled: int


def sample(grades: Sequence[Grade], *, n: int, rng: Random, minimum: int = 5) -> list[Grade]:
    """At most `n` decided grades, in random order: from each stratum in proportion, but no fewer than `minimum`.

    A stratum is a stage with an answer type; a small one is taken whole. Raises BadInput where `n` has no room for the
    minima or no grade is decided.
    """
    strata: dict[tuple[str, str], list[Grade]] = {}
    for grade in sorted(grades, key=lambda grade: grade.id):
        if grade.verdict in LABELS:
            strata.setdefault((grade.stage, grade.answer_type), []).append(grade)
    if not strata:
        raise BadInput("no case has been decided: there is nothing to sample")
    sizes = _shares({key: len(members) for key, members in sorted(strata.items())}, n, minimum)
    drawn = [grade for key, size in sizes.items() for grade in rng.sample(strata[key], size)]
    rng.shuffle(drawn)  # so that the order tells nothing of stage or type
    return drawn


def write_sheet(grades: Sequence[Grade]) -> str:
    """The sheet as tab-separated text with empty labels. No cell is a formula to a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(COLUMNS)
    for grade in grades:
        answer = grade.model_answer if grade.answer is None else grade.answer
        shown = (grade.id, grade.question, grade.ground_truth, answer, grade.answer_type, "", "")
        writer.writerow([_cell(field) for field in shown])
    return text.getvalue()


def read_sheet(text: str, *, known: Sequence[str]) -> FilledSheet:
    """The labels of a filled sheet. `known` are the ids that it may have.

    Labels: correct, incorrect, unattempted, or their first letters. Rows without one are counted. Raises BadInput where
    the columns id and label are not named.
    """
    text = text.lstrip("\ufeff")
    head = text.partition("\n")[0]
    delimiter = max("\t,;", key=head.count)  # what the spreadsheet saved it with
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    names = [name.strip().casefold() for name in next(_rows(rows), [])]
    if "id" not in names or "label" not in names:
        raise BadInput(
            "its first line does not name the columns id and label; is it a sheet of `agreement sheet`?"
        )
    at_id, at_label = names.index("id"), names.index("label")
    id_by_cell = {_cell(name): name for name in known} | {name: name for name in known}
    labels: dict[str, str] = {}
    faults: list[str] = []
    unlabelled = 0
    for row in _rows(rows):
        cells = [cell.strip() for cell in row] + [""] * len(names)
        if not any(cells):
            continue
        case_id, given = id_by_cell.get(cells[at_id]), cells[at_label].casefold()
        label = _SHORT.get(given, given)
        if case_id is None:
            faults.append(f"line {rows.line_num}: no case {cells[at_id]!r} among the grades")
        elif not label:
            unlabelled += 1
        elif label not in LABELS:
            faults.append(f"line {rows.line_num}: {cells[at_label]!r} is none of {', '.join(LABELS)}")
        elif labels.get(case_id, label) != label:
            faults.append(f"line {rows.line_num}: case {case_id!r} has another label further up")
        else:
            labels[case_id] = label
    return FilledSheet(labels, tuple(faults), unlabelled)


def _rows(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from rows
    except csv.Error as error:
        raise BadInput(f"cannot be read: {error}") from error


def _shares(members: dict[tuple[str, str], int], n: int, minimum: int) -> dict[tuple[str, str], int]:
    """How many of each stratum: its minimum, and the rest of `n` in proportion by largest remainders."""
    total = sum(members.values())
    n = min(n, total)
    sizes = {key: min(minimum, count) for key, count in members.items()}
    if sum(sizes.values()) > n:
        raise BadInput(
            f"{len(members)} strata of at least {minimum} need {sum(sizes.values())} cases; take a larger sample or a "
            "smaller minimum"
        )
    while (left := n - sum(sizes.values())) > 0:
        # What each still lacks to its proportional share; those with their share or all their members lack nothing.
        lacking = {key: min(n * count / total, count) - sizes[key] for key, count in members.items()}
        open_keys = {key: lack for key, lack in lacking.items() if lack > 0 and sizes[key] < members[key]}
        wanted = sum(open_keys.values())
        whole = {key: int(left * lack / wanted) for key, lack in open_keys.items()} if wanted else {}
        for key, more in whole.items():
            sizes[key] += min(more, members[key] - sizes[key])
        if n - sum(sizes.values()) == left:  # less than one each: the largest remainders first
            for key in sorted(members, key=lambda key: (-lacking[key], key)):
                if sizes[key] < members[key] and left > 0:
                    sizes[key] += 1
                    left -= 1
    return sizes


def _cell(text: str) -> str:
    """The text as one harmless cell: what a spreadsheet would compute gets an apostrophe before it."""
    clean = _UNPRINTED.sub(" ", text)[:LONGEST_CELL]
    return f"'{clean}" if _FORMULA.match(clean) else clean
