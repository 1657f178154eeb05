"""`diagrammar agreement`: grades against people's labels: a sheet to fill, and the table of kappas."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import click

from diagrammar.errors import BadInput

if TYPE_CHECKING:
    from diagrammar.grading.agreement import Agreement
    from diagrammar.records.grades import Grade
    from diagrammar.records.scores import NotComputed

_FILE = click.Path(path_type=Path, readable=False)


@click.group("agreement")
def command() -> None:
    """Compare grades with people's labels.

    First `sheet` draws a sample for annotators, who each fill a copy; then `table` compares.
    """


@command.command("sheet")
@click.argument("grades_file", metavar="GRADES", type=_FILE)
@click.option("--n", default=200, show_default=True, type=click.IntRange(min=1), help="Cases in the sheet.")
@click.option("--minimum", default=5, show_default=True, type=click.IntRange(min=0),
              help="Cases of each stage and answer type, as far as there are so many.")  # fmt: skip
@click.option("--seed", default=1, show_default=True, help="Another seed draws another sample.")
@click.option(
    "--out", required=True, type=_FILE, help="The sheet, tab-separated. An existing file is not overwritten."
)
def sheet(grades_file: Path, n: int, minimum: int, seed: int, out: Path) -> None:
    """Draw a sample of GRADES, the output of `grade --json`, for annotators.

    The sheet shows question, right answer and model answer, not the verdict. Annotators write correct, incorrect or
    unattempted into the column `label`.
    """
    from diagrammar.grading.sheet import sample, write_sheet

    grades = _read_grades(grades_file)
    drawn = sample(grades, n=n, rng=Random(seed), minimum=minimum)
    try:
        with out.open("x", encoding="utf-8-sig", newline="") as file:
            file.write(write_sheet(drawn))
    except FileExistsError:
        raise BadInput(
            f"{out}: is there already; name another file, an annotator's work may be in it"
        ) from None
    strata = Counter(f"{grade.stage} {grade.answer_type}" for grade in drawn)
    told = ", ".join(f"{count:,} {name}" for name, count in sorted(strata.items()))
    click.echo(f"{out}: {len(drawn):,} of {len(grades):,} cases ({told})", err=True)


@command.command("table")
@click.argument("grades_file", metavar="GRADES", type=_FILE)
@click.option("--sheets", "first", required=True, multiple=True, type=_FILE, metavar="SHEET...",
              help="The filled sheets, one per annotator.")  # fmt: skip
@click.argument("more", nargs=-1, type=_FILE, metavar="")
@click.option("--json", "as_json", is_flag=True, help="A JSON object per row, one a line, on stdout.")
def table(grades_file: Path, first: tuple[Path, ...], more: tuple[Path, ...], as_json: bool) -> None:
    """Compare GRADES with filled sheets, in the layout of the paper's Table C.2."""
    from diagrammar.grading.agreement import agreement_table
    from diagrammar.grading.sheet import read_sheet

    grades = _read_grades(grades_file)
    known = [grade.id for grade in grades]
    labels: list[dict[str, str]] = []
    faults = 0
    for path in (*first, *more):
        try:
            filled = read_sheet(_decoded(path), known=known)
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from None
        for fault in filled.faults:
            click.echo(f"{path}: {fault}", err=True)
        if filled.unlabelled:
            click.echo(f"{path}: {filled.unlabelled:,} rows have no label", err=True)
        faults += len(filled.faults)
        labels.append(filled.labels)
    rows = agreement_table(grades, labels)
    for row in rows:
        if as_json:
            click.echo(json.dumps(_fields(row)))
    if not as_json:
        _print_table(rows)
    partly = len(set().union(*labels)) - rows[0].n
    click.echo(
        f"compared {rows[0].n:,} cases by {len(labels)} annotators ({rows[0].ties:,} without a majority, "
        f"{partly:,} left out since not all labelled them or they are undecided, {faults:,} bad rows)",
        err=True,
    )


def _read_grades(path: Path) -> list[Grade]:
    from pydantic import ValidationError

    from diagrammar.records.grades import Grade

    grades: dict[str, Grade] = {}
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            grade = Grade.model_validate_json(line)
        except ValidationError as error:
            what = str(error).splitlines()[0]
            raise BadInput(f"{path}: line {number} is no grade of `grade --json`: {what}") from None
        if grade.id in grades:
            raise BadInput(f"{path}: line {number}: the id {grade.id!r} is there twice")
        grades[grade.id] = grade
    return list(grades.values())


def _decoded(path: Path) -> str:
    """A sheet's text: UTF-8, or the UTF-16 that spreadsheets call Unicode text."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(error.strerror or str(error)) from None
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    return content.decode(encoding, errors="replace")


def _fields(row: Agreement) -> dict[str, object]:
    from diagrammar.records.scores import NotComputed

    numbers = {"kappa_jh": row.kappa_jh, "kappa_hh": row.kappa_hh, "acc_pct": row.acc_pct}
    values = {name: None if isinstance(value, NotComputed) else value for name, value in numbers.items()}
    reasons = {name: value.reason for name, value in numbers.items() if isinstance(value, NotComputed)}
    return {
        "subset": row.subset,
        "n": row.n,
        "ties": row.ties,
        **values,
        "not_computed": reasons,
        "note": row.note,
    }


def _print_table(rows: list[Agreement]) -> None:
    head = f"{'Subset':<16}{'N':>6}{'κ J-H':>10}{'κ H-H':>10}{'Acc (%)':>10}{'ties':>6}"
    click.echo(head)
    reasons: list[str] = []
    for row in rows:
        mark = "†" if row.skew is not None else ""
        kappas = "".join(f"{_shown(kappa, '.3f', mark):>10}" for kappa in (row.kappa_jh, row.kappa_hh))
        click.echo(f"{row.subset:<16}{row.n:>6}{kappas}{_shown(row.acc_pct, '.1f'):>10}{row.ties:>6}")
        for name, value in (("κ J-H", row.kappa_jh), ("κ H-H", row.kappa_hh), ("Acc", row.acc_pct)):
            if not isinstance(value, float):
                reasons.append(f"{row.subset}, {name}: not computed: {value.reason}")
    for row in rows:
        if row.note:
            click.echo(f"† {row.subset}: {row.note}")
    for reason in reasons:
        click.echo(f"- {reason}")


def _shown(value: float | NotComputed, form: str, mark: str = "") -> str:
    return format(value, form) + mark if isinstance(value, float) else "-"
