"""`diagrammar grade`: answers against the right ones, by rules and, where these are not sure, by a judge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from diagrammar.cli.sampling import temperature_of
from diagrammar.errors import BadInput

if TYPE_CHECKING:
    from diagrammar.grading.asking import Judge
    from diagrammar.grading.cases import CaseLine
    from diagrammar.records.grades import Grade


@click.command("grade")
@click.option(
    "--cases", required=True, metavar="FILE", type=click.Path(path_type=Path, readable=False, allow_dash=True),
    help="Cases: .tsv with the columns id, ground_truth, model_answer (or reply), answer_type and perhaps question, "
    "or JSON objects with these keys, one a line. - reads JSON from standard input.",
)  # fmt: skip
@click.option("--judge", "judge_name", metavar="MODEL",
              help="Who decides where the rules are not sure: a model as `diagrammar run` names them, or "
              "reference/oracle, which says what the file's column `verdict` says.")  # fmt: skip
@click.option("--judge-prompt", type=click.Path(path_type=Path, readable=False), metavar="FILE",
              help="Your own words for the judge, a TOML file; see docs/grading.md.")  # fmt: skip
@click.option("--base-url", help="Any OpenAI-compatible address, as http://127.0.0.1:8000/v1.")
@click.option("--replies", type=click.Path(path_type=Path, readable=False), metavar="DIR",
              help="The folder for the judge's replies; by default CASES-judged beside the cases.")  # fmt: skip
@click.option("--protocol", type=click.Choice(["paper", "strict"]), default="paper", show_default=True,
              help="strict: tiny numbers have to be within 1 %, too, and short labels to agree in case.")  # fmt: skip
@click.option("--max-connections", default=8, show_default=True, type=click.IntRange(min=1),
              help="Questions to the judge in flight at a time.")  # fmt: skip
@click.option(
    "--temperature", default="0", show_default=True, help="The judge's: a number, or `none` to send none."
)
@click.option("--max-tokens", default=4096, show_default=True, type=click.IntRange(min=1),
              help="The judge's longest reply.")  # fmt: skip
@click.option(
    "--timeout", "timeout_s", default=300.0, show_default=True, help="Seconds for one call of the judge."
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object per case, one a line, on stdout.")
def command(
    cases: Path, judge_name: str | None, judge_prompt: Path | None, base_url: str | None, replies: Path | None,
    protocol: Literal["paper", "strict"], max_connections: int, temperature: str, max_tokens: int, timeout_s: float,
    as_json: bool,
) -> None:  # fmt: skip
    """Grade answers to questions about diagrams.

    The answer is read from the model's reply and compared by rules for numbers, terms and lists. Where the rules are
    not sure, a judge model decides; without one the case is reported as escalated. A reply without an answer that can
    be read is unreadable, not incorrect. The judge is asked once: its replies are kept, and a grading that was stopped
    goes on.
    """
    from tqdm import tqdm

    from diagrammar.grading.grade import grade_cases
    from diagrammar.grading.tally import tally

    if judge_name is None and (judge_prompt or base_url or replies):
        raise click.UsageError("--judge-prompt, --base-url and --replies are for a --judge")
    bad: list[int] = []
    read = list(_read(cases, bad))
    judge = None
    if judge_name is not None:
        judge = _open_judge(
            judge_name, read, words=judge_prompt, base_url=base_url, temperature=temperature_of(temperature),
            max_connections=max_connections, max_tokens=max_tokens, timeout_s=timeout_s,
        )  # fmt: skip
        replies = replies or _beside(cases)
    with tqdm(total=len(read), unit=" answers", desc="grade", disable=None) as bar:

        def seen(_: Grade) -> None:
            bar.update()

        grades = grade_cases(
            [line.case for line in read], judge=judge, replies=replies, protocol=protocol, seen=seen
        )
    if as_json:
        for grade in grades:
            click.echo(json.dumps(grade.model_dump(mode="json"), ensure_ascii=False))
    else:
        _print_table(grades)
    click.echo(tally(grades).line(bad_lines=len(bad)), err=True)


def _read(cases: Path, bad: list[int]) -> Iterator[CaseLine]:
    """The cases; what is wrong with a line goes to stderr at once, and its number to `bad`."""
    from diagrammar.cli.inputs import shown
    from diagrammar.grading.cases import BadLine, read_cases

    name = shown(str(cases))
    try:
        with click.open_file(str(cases), encoding="utf-8", errors="replace") as lines:
            for line in read_cases(lines, tsv=cases.suffix.lower() in (".tsv", ".tab")):
                if isinstance(line, BadLine):
                    bad.append(line.line)
                    click.echo(f"{name}: {line}", err=True)
                else:
                    yield line
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror or error}") from None
    except BadInput as error:
        raise BadInput(f"{name}: {error}") from None


def _open_judge(
    name: str, read: list[CaseLine], *, words: Path | None, base_url: str | None, temperature: float | None,
    max_connections: int, max_tokens: int, timeout_s: float,
) -> Judge:  # fmt: skip
    from diagrammar.grading.asking import Judge
    from diagrammar.grading.judge import read_words
    from diagrammar.models import Sampling, resolve

    label_by_id = {line.case.id: line.expected for line in read}
    sampling = Sampling(
        temperature=temperature, max_tokens=max_tokens, timeout_s=timeout_s, max_connections=max_connections
    )

    def truth_of(case_id: str) -> str:  # for reference judges only
        label = label_by_id[case_id]
        return f"Evaluation: as the cases say.\nLabel: {label.capitalize()}" if label else ""

    model = resolve(name, truth_of=truth_of, base_url=base_url, sampling=sampling)
    return Judge(model, words=read_words(words), sampling=sampling)


def _beside(cases: Path) -> Path:
    if str(cases) == "-":
        raise click.UsageError(
            "with cases from standard input, --replies has to say where the judge's replies go"
        )
    return cases.with_name(f"{cases.stem}-judged")


def _print_table(grades: list[Grade]) -> None:
    from diagrammar.cli.inputs import on_one_line

    def cell(text: str, width: int) -> str:
        line = on_one_line(text)
        return f"{line if len(line) <= width else line[: width - 1] + '…':<{width}}"

    def row(*texts: str) -> str:
        return " ".join(
            cell(text, width) for text, width in zip(texts, (16, 5, 11, 6, 10, 18, 18), strict=False)
        )

    click.echo(row("id", "type", "verdict", "stage", "confidence", "ground truth", "answer") + " reason")
    for grade in grades:
        confidence = f"{grade.confidence:.2f}"
        answer = grade.answer if grade.answer is not None else "-"
        columns = (
            grade.id,
            grade.answer_type,
            grade.verdict,
            grade.stage,
            confidence,
            grade.ground_truth,
            answer,
        )
        click.echo(f"{row(*columns)} {cell(grade.reason, 60).rstrip()}")
