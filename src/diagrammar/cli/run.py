"""`diagrammar run`: a model solves a benchmark's tasks."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from diagrammar.cli.sampling import temperature_of

if TYPE_CHECKING:
    from diagrammar.records.outputs import Output


@click.command("run")
@click.argument("bench", type=click.Path(path_type=Path, readable=False, file_okay=False))
@click.option("--model", required=True,
              help="reference/oracle, reference/blank, reference/blank-page, reference/noisy-0.2, a name that "
              "inspect_ai knows, as openai/NAME or anthropic/NAME, or with --base-url any name.")  # fmt: skip
@click.option("--setting", default="S1", show_default=True, help="How the model is asked.")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, readable=False),
    help="The folder for its answers.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Ask this many tasks only, the domains in turn.")
@click.option("--base-url", help="Any OpenAI-compatible address, as http://127.0.0.1:8000/v1.")
@click.option("--max-connections", default=8, show_default=True, type=click.IntRange(min=1),
              help="Questions in flight at a time.")  # fmt: skip
@click.option(
    "--attempts", default=1, show_default=True, type=click.IntRange(min=1), help="Answers per task."
)
@click.option("--preamble", is_flag=True, help="Give the model the preamble of the diagram's own document.")
@click.option("--temperature", default="1.0", show_default=True, help="A number, or `none` to send none.")
@click.option("--max-tokens", default=16_384, show_default=True, type=click.IntRange(min=1),
              help="The longest answer.")  # fmt: skip
@click.option("--reasoning-effort", help="For models that take one: low, medium, high.")
@click.option("--timeout", "timeout_s", default=300.0, show_default=True, help="Seconds for one call.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object per answer, one a line, on stdout.")
def command(
    bench: Path, model: str, setting: str, out: Path, limit: int | None, base_url: str | None,
    max_connections: int, attempts: int, preamble: bool, temperature: str, max_tokens: int,
    reasoning_effort: str | None, timeout_s: float, as_json: bool,
) -> None:  # fmt: skip
    """Ask a model to solve the tasks in BENCH.

    A call that fails is tried again after 2, 4 and 8 seconds. An answer that never comes is counted, not dropped. A
    run that was stopped goes on where it was. The key is read from DIAGRAMMAR_API_KEY, or from the variable that the
    provider names, as OPENAI_API_KEY.
    """
    from tqdm import tqdm

    from diagrammar import __version__
    from diagrammar.bench import run as stage
    from diagrammar.bench.make import open_tasks, tasks_folder
    from diagrammar.bench.setting import find_setting
    from diagrammar.models import Sampling, resolve

    tasks = open_tasks(bench)
    asking = stage.Asking(
        setting=find_setting(setting),
        sampling=Sampling(
            temperature=temperature_of(temperature), max_tokens=max_tokens, timeout_s=timeout_s,
            max_connections=max_connections, reasoning_effort=reasoning_effort,
        ),
        preamble=preamble,
        attempts=attempts,
    )  # fmt: skip
    chosen = stage.choose_tasks(list(tasks), asking.setting, limit=limit)
    opened = resolve(model, truth_of=stage.truth_of(chosen), base_url=base_url, sampling=asking.sampling)
    about = stage.About(
        bench=os.path.relpath(tasks_folder(bench).resolve(), out.resolve()),
        date=datetime.now(tz=UTC).date().isoformat(), version=__version__, base_url=base_url or "",
    )  # fmt: skip
    asked: Counter[str] = Counter()
    with tqdm(total=len(chosen) * attempts, unit=" answers", desc=model, disable=None) as bar:

        def seen(output: Output) -> None:
            asked[output.status] += 1
            bar.set_postfix(failed=asked.total() - asked["ok"], refresh=False)
            bar.update()
            if as_json:
                click.echo(json.dumps(_line(output), ensure_ascii=False))

        statuses = stage.run(tasks, chosen, model=opened, asking=asking, out=out, about=about, seen=seen)
    before = (
        f"; {statuses.total() - asked.total():,} were there before"
        if statuses.total() > asked.total()
        else ""
    )
    failed = ", ".join(f"{count:,} {status}" for status, count in statuses.most_common() if status != "ok")
    click.echo(
        f"{model}: {statuses['ok']:,} answers of {statuses.total():,} ({failed or '0 failed'}{before})",
        err=True,
    )


def _line(output: Output) -> dict[str, object]:
    return {
        "id": output.id, "task_id": output.task_id, "model": output.model, "status": output.status,
        "seconds": output.seconds, "usage": output.usage.model_dump(), "error": output.error or None,
    }  # fmt: skip
