"""Write the lists of trivially shared n-grams anew, from the manuals installed here; print their sha256.

    python scripts/freeze_trivial_ngrams.py            # writes src/diagrammar/metrics/trivial_ngrams*.jsonl
    python scripts/freeze_trivial_ngrams.py --check    # says how they differ from the frozen ones, writes nothing

Put a new sha256 into metrics/trivial.py and raise the version of what reads that list: scores change with it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click

from diagrammar import catalog
from diagrammar.manuals.reading.manual import Manual
from diagrammar.manuals.reading.sources import find_sources
from diagrammar.metrics.tikz_tokens import tikz_tokens
from diagrammar.metrics.tokens import tex_tokens
from diagrammar.metrics.trivial import TEX_LIST, TIKZ_LIST, find_trivial, write_trivial

FOLDER = Path(__file__).parent.parent / "src" / "diagrammar" / "metrics"


@click.command()
@click.option("--check", is_flag=True, help="Say how the lists differ from the frozen ones; write nothing.")
def main(check: bool) -> None:
    """Write the lists of trivially shared n-grams anew and print their sha256."""
    documents_by_package = {}
    for name, manual in catalog.load_all("diagrammar.manuals", Manual).items():
        shown = [example for example in manual.read(find_sources(manual)) if example.role == "shown"]
        if not shown:
            raise click.ClickException(f"no examples of {name} on this machine; run scripts/setup.sh")
        documents_by_package[name] = [manual.document(example) for example in shown]
    for frozen, tokens in ((TEX_LIST, tex_tokens), (TIKZ_LIST, tikz_tokens)):
        programs_by_package = {}
        for name, documents in documents_by_package.items():
            # In the order of a set: an example that a manual repeats counts once.
            programs_by_package[name] = sorted({tokens(document) for document in documents})
            click.echo(f"{name}: {len(programs_by_package[name])} different examples of {len(documents)}")
        listed = find_trivial(programs_by_package)
        blob = write_trivial(listed)
        click.echo(f"{frozen.file}: {len(listed)} n-grams, sha256 {hashlib.sha256(blob).hexdigest()}")
        target = FOLDER / frozen.file
        if not check:
            target.write_bytes(blob)
            continue
        kept = {tuple(json.loads(line)) for line in target.read_text(encoding="utf-8").splitlines()}
        for sign, rows in (("+", listed - kept), ("-", kept - listed)):
            for row in sorted(rows):
                click.echo(" ".join((sign, *row)))


if __name__ == "__main__":
    main()
