"""Write the list of trivially shared n-grams anew, from the manuals installed here; print its sha256.

    python scripts/freeze_trivial_ngrams.py            # writes src/diagrammar/metrics/trivial_ngrams.jsonl
    python scripts/freeze_trivial_ngrams.py --check    # says how it differs from the frozen one, writes
    nothing

Put the printed sha256 in metrics/trivial.py and raise the version of crystalbleu: scores change with the
list.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click

from diagrammar import catalog
from diagrammar.manuals.reading.manual import Manual
from diagrammar.manuals.reading.sources import find_sources
from diagrammar.metrics.tokens import tex_tokens
from diagrammar.metrics.trivial import FILE, find_trivial, write_trivial

TARGET = Path(__file__).parent.parent / "src" / "diagrammar" / "metrics" / FILE


@click.command()
@click.option("--check", is_flag=True, help="Say how the list differs from the frozen one; write nothing.")
def main(check: bool) -> None:
    """Write the list of trivially shared n-grams anew and print its sha256."""
    programs_by_package = {}
    for name, manual in catalog.load_all("diagrammar.manuals", Manual).items():
        shown = [example for example in manual.read(find_sources(manual)) if example.role == "shown"]
        # In the order of a set: an example that a manual repeats counts once.
        programs = {tex_tokens(manual.document(example)) for example in shown}
        if not programs:
            raise click.ClickException(f"no examples of {name} on this machine; run scripts/setup.sh")
        programs_by_package[name] = sorted(programs)
        click.echo(f"{name}: {len(programs)} different examples of {len(shown)}")
    listed = find_trivial(programs_by_package)
    blob = write_trivial(listed)
    click.echo(f"{len(listed)} n-grams, sha256 {hashlib.sha256(blob).hexdigest()}")
    if not check:
        TARGET.write_bytes(blob)
        return
    frozen = {tuple(json.loads(line)) for line in TARGET.read_text(encoding="utf-8").splitlines()}
    for sign, rows in (("+", listed - frozen), ("-", frozen - listed)):
        for row in sorted(rows):
            click.echo(" ".join((sign, *row)))


if __name__ == "__main__":
    main()
