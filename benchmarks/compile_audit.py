"""As many compile as with the plain engines, and at what cost in CPU: ours beside pdflatex, lualatex, xelatex.

    diagrammar collect manuals --out COLLECTED --limit 300
    python benchmarks/compile_audit.py COLLECTED [--limit N] [--no-marks]

Each document goes through ours and through plain engines (the first that takes it) one after the other, in turn first.
A line for each that only one of the two takes; then the counts and, over what plain pdflatex takes, the CPU ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from diagrammar.records.diagrams import ENGINES, Compiled
from diagrammar.tex import compile_tex


def plain(code: str, timeout_s: float) -> tuple[str | None, float]:
    """The first plain engine that takes the document, and the CPU seconds of all that were tried."""
    before = _children()
    for engine in ENGINES:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "doc.tex").write_text(code, encoding="utf-8")
            try:
                run = subprocess.run(
                    [engine, "-halt-on-error", "-interaction=nonstopmode", "doc.tex"], cwd=folder,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=timeout_s,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                continue
            if run.returncode == 0 and (Path(folder) / "doc.pdf").is_file():
                return engine, _children() - before
    return None, _children() - before


def ours(code: str, timeout_s: float, marks: bool) -> tuple[object, float]:
    before = _children() + _self()
    result = compile_tex(code, timeout_s=timeout_s, marks=marks)
    return result, result.cpu_seconds + _children() + _self() - before


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _self() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--no-marks", action="store_true")
    options = parser.parse_args()
    records = [json.loads(line) for line in (options.stage / "records.jsonl").read_text().splitlines()]
    compile_tex("\\tikz\\draw(0,0)--(1,1);")  # imports and probes are not a document's cost
    turn = random.Random(0)
    both = only_ours = only_plain = neither = unmarked = 0
    pairs: list[tuple[float, float]] = []
    for record in records[: options.limit]:
        code = record["code"]
        if turn.random() < 0.5:
            engine, plain_cpu = plain(code, options.timeout)
            result, our_cpu = ours(code, options.timeout, not options.no_marks)
        else:
            result, our_cpu = ours(code, options.timeout, not options.no_marks)
            engine, plain_cpu = plain(code, options.timeout)
        compiled = isinstance(result, Compiled)
        both += compiled and engine is not None
        neither += not compiled and engine is None
        unmarked += compiled and not options.no_marks and not result.marked
        if engine == "pdflatex" and compiled and result.engine == "pdflatex":
            pairs.append((our_cpu, plain_cpu))
        if compiled and engine is None:
            only_ours += 1
            print(f"only ours\t{record['id']}\t{result.engine}\t{'; '.join(result.repairs)}")
        if not compiled and engine is not None:
            only_plain += 1
            print(f"ONLY PLAIN\t{record['id']}\t{engine}\t{result.kind}: {result.message}")
        if compiled and not options.no_marks and not result.marked:
            print(f"unmarked\t{record['id']}\t{'; '.join(result.warnings)}")
        if not compiled and engine is None:
            print(f"neither\t{record['id']}\t{result.kind}: {result.message[:150]}")
        sys.stdout.flush()
    ours_cpu, plain_cpu = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    print(
        f"both {both}, only ours {only_ours}, only plain {only_plain}, neither {neither}, without marks {unmarked}"
    )
    print(f"CPU over {len(pairs)} that both pdflatex take: ours {ours_cpu:.1f} s, plain {plain_cpu:.1f} s, "
          f"ratio {ours_cpu / plain_cpu:.3f}, median of ratios {median(a / b for a, b in pairs):.3f}, "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip


if __name__ == "__main__":
    main()
