"""CPU time of the paper's pipeline and of ours, on the same documents, one after the other.

    python benchmarks/speed.py [--n 60] [--seed 1] [--json OUT]

For each of n examples of the installed manuals, equally many of each package, three things run in an order that is
drawn: the paper's pipeline (shared/pipelines.py), ours in a fresh process, ours in a process that is running. User and
system time of all children count; wall time does not, so that a busy machine spoils little. The ratio of totals over
what both take has an interval from a bootstrap over documents. pdfCropMargins is installed into build/speed/venv,
pinned. Results are kept under build/speed by the state of the sources: a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import venv
from pathlib import Path
from statistics import median
from typing import Any

from shared.documents import draw_documents, package_of
from shared.kept import Kept
from shared.pipelines import Cost, Running, ours_cold, paper
from tqdm import tqdm

import diagrammar

CROP_MARGINS = "pdfCropMargins==2.2.1"
ROADS = ("paper", "cold", "running")
RESAMPLES = 4000
Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("build/speed"))
    parser.add_argument("--fresh", action="store_true", help="measure again what was measured before")
    parser.add_argument("--json", type=Path, help="write the summary and every measurement here")
    options = parser.parse_args()
    crop_margins = install_crop_margins(options.work.resolve() / "venv")
    kept = Kept(options.work / f"measured-{state_of_sources()}.jsonl", fresh=options.fresh)
    diagrams = draw_documents(options.n, options.seed, "balanced")
    waiting = [diagram for diagram in diagrams if diagram.id not in kept.by_id]
    if waiting:
        running = Running()
        measure = {
            "paper": lambda code: paper(code, crop_margins),
            "cold": ours_cold,
            "running": running.measure,
        }
        warm_up = r"\documentclass[tikz]{standalone}\begin{document}\tikz\draw(0,0)--(1,1);\end{document}"
        for road in ROADS:  # programs and fonts are then in the disk's cache for all of them
            if not measure[road](warm_up).ok:
                sys.exit(f"{road}: cannot do the simplest document; run scripts/setup.sh")
        for diagram in tqdm(waiting, desc="speed", unit="doc", mininterval=5):
            order = random.Random(f"{options.seed}:{diagram.id}").sample(ROADS, len(ROADS))
            costs: dict[str, Cost] = {road: measure[road](diagram.code) for road in order}
            kept.add({"id": diagram.id, **{road: cost.told() for road, cost in costs.items()}})
        running.close()
    records = [kept.by_id[diagram.id] for diagram in diagrams]
    summary = report(records)
    if options.json:
        text = json.dumps({"summary": summary, "records": records}, ensure_ascii=False, indent=1)
        options.json.write_text(text, encoding="utf-8")
        print(f"wrote {options.json}", file=sys.stderr)


def install_crop_margins(folder: Path) -> Path:
    """The program, in a virtual environment of its own that is made where it is not there yet."""
    program = folder / "bin" / "pdfcropmargins"
    if not program.exists():
        print(f"installing {CROP_MARGINS} into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, CROP_MARGINS], check=True)
    return program


def state_of_sources() -> str:
    """A short hash of the package's files: what was measured with others is not mixed in."""
    digest = hashlib.sha256()
    root = Path(diagrammar.__file__).parent
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.sty")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def report(records: list[Record]) -> dict[str, Any]:
    """Prints the table; the numbers as a dict."""
    print(f"{len(records)} examples; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the end")
    failed = {road: [r["id"] for r in records if not r[road]["ok"]] for road in ROADS}
    for road in ROADS:
        print(f"failures, {road}: {len(failed[road])}")
        for r in records:
            if not r[road]["ok"]:
                print(f"  {r['id']}: {r[road]['why']}")
    both = [r for r in records if all(r[road]["ok"] for road in ROADS)]
    print(f"\nCPU seconds over the {len(both)} that all take")
    heads = f"{'package':<14}{'docs':>5}{'paper':>9}{'cold':>9}{'running':>9}"
    print(f"{heads}  {'paper/cold (95 %)':<22}paper/running (95 %)")
    groups: dict[str, list[Record]] = {}
    for r in sorted(both, key=lambda r: package_of(r["id"])):
        groups.setdefault(package_of(r["id"]), []).append(r)
    rows: dict[str, Any] = {}
    for name, group in [*groups.items(), ("all", both)]:
        totals = {road: sum(cpu_s(r, road) for r in group) for road in ROADS}
        ratios = {road: (totals["paper"] / totals[road], *interval(group, road)) for road in ROADS[1:]}
        rows[name] = {"documents": len(group), "cpu_s": totals, "ratio": ratios}
        cold, run = (f"{r[0]:.2f} ({r[1]:.2f} to {r[2]:.2f})" for r in ratios.values())
        print(
            f"{name:<14}{len(group):>5}"
            + "".join(f"{totals[road]:>9.1f}" for road in ROADS)
            + f"  {cold:<22}{run}"
        )
    middle = {road: median(cpu_s(r, "paper") / cpu_s(r, road) for r in both) for road in ROADS[1:]}
    print(
        "median of the documents' ratios: " + ", ".join(f"paper/{road} {r:.2f}" for road, r in middle.items())
    )
    steps = {road: total_by_step(both, road) for road in ROADS}
    for road in ROADS:
        total = sum(steps[road].values())
        told = ", ".join(f"{name} {value:.1f} ({value / total:.0%})" for name, value in steps[road].items())
        print(f"{road}: {total:.1f} s: {told}")
    free = rows["all"]["cpu_s"]["paper"] - steps["paper"].get("pdfCropMargins", 0.0)
    crop_free = {road: free / rows["all"]["cpu_s"][road] for road in ROADS[1:]}
    told = ", ".join(f"paper/{road} {ratio:.2f}" for road, ratio in crop_free.items())
    print(f"were pdfCropMargins free: {told}")
    start = (rows["all"]["cpu_s"]["cold"] - rows["all"]["cpu_s"]["running"]) / max(1, len(both))
    print(f"start of Python and imports, cold less running: {start:.2f} s a document")
    wall = {road: sum(r[road]["wall_s"] for r in both) for road in ROADS}
    print("wall: " + ", ".join(f"{road} {value:.0f} s" for road, value in wall.items()))
    return {
        "failed": failed,
        "rows": rows,
        "median_ratio": middle,
        "steps": steps,
        "crop_margins_free": crop_free,
        "wall_s": wall,
    }


def cpu_s(record: Record, road: str) -> float:
    return float(sum(record[road]["steps"].values()))


def interval(group: list[Record], road: str) -> tuple[float, float]:
    """The middle 95 % of the ratio of totals, documents drawn with replacement."""
    pairs = [(cpu_s(r, "paper"), cpu_s(r, road)) for r in group]
    draw = random.Random(0)
    ratios = []
    for _ in range(RESAMPLES):
        sample = draw.choices(pairs, k=len(pairs))
        ratios.append(sum(a for a, _ in sample) / sum(b for _, b in sample))
    ratios.sort()
    return ratios[int(0.025 * RESAMPLES)], ratios[int(0.975 * RESAMPLES)]


def total_by_step(records: list[Record], road: str) -> dict[str, float]:
    totals: dict[str, float] = {}
    for record in records:
        for step, value in record[road]["steps"].items():
            totals[step] = totals.get(step, 0.0) + value
    return dict(sorted(totals.items(), key=lambda entry: -entry[1]))


if __name__ == "__main__":
    main()
