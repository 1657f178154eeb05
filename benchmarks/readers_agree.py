"""Whether both readers tell the same: objects from our marked PDF, and from SVG by the paper's own route.

    python benchmarks/readers_agree.py [--n 324] [--seed 1] [--no-damages] [--json OUT]

Each of n examples of the installed manuals, drawn by the seed, is read by both readers; types and texts are compared as
multisets, colours and boxes after the best assignment within a type. Then pairs are scored wholly by one reader and
wholly by the other: each example against the next one of its package, and against itself with a controlled damage.
The tests' golden documents go through the second reader as well. What is compiled is kept in the work folder
(build/readers_agree): a change of a reader compiles nothing twice; --fresh compiles again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from shared.code_damages import CODE_DAMAGES
from shared.documents import count_by_package, draw_documents, package_of
from shared.readers import Job, compare_one, read_both
from tqdm import tqdm

from diagrammar.bench.score import score_case
from diagrammar.metrics.choose import choose_metrics
from diagrammar.parallel import WorkerLost, map_items
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, Side

Record = dict[str, Any]
Pair = tuple[Job, Job]
SCORES = ("f1_type", "f1_text", "f1_color", "f1_bbox", "f1_avg")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=324)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draw", choices=("balanced", "proportional"), default="balanced")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path("build/readers_agree"))
    parser.add_argument("--fresh", action="store_true", help="forget what was compiled before")
    parser.add_argument("--no-damages", action="store_true", help="pairs of neighbours only")
    parser.add_argument("--json", type=Path, help="write the summary and every record here")
    options = parser.parse_args()
    if options.fresh:
        shutil.rmtree(options.work, ignore_errors=True)
    folder = options.work.resolve() / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    diagrams = draw_documents(options.n, options.seed, options.draw)
    jobs = [Job(diagram.id, diagram.code, folder, options.timeout) for diagram in diagrams]
    records = _mapped(compare_one, jobs, options.workers, "read")
    print(f"{len(records)} examples, {options.draw} draw, seed {options.seed}: "
          + count_by_package([job.id for job in jobs]))  # fmt: skip
    summary = report(records)
    pairs = {"neighbours": neighbours(jobs)}
    if not options.no_damages:
        pairs["damages"] = damaged(jobs, options.seed)
    scored: dict[str, list[Record]] = {}
    for name, chosen in pairs.items():
        scored[name] = _mapped(score_both, chosen, options.workers, name)
        summary[name] = report_scores(name, scored[name])
    if len(scored) > 1:
        summary["all_pairs"] = report_scores("all pairs", [r for part in scored.values() for r in part])
    if options.json:
        told = {"summary": summary, "records": records, "scores": scored}
        options.json.write_text(json.dumps(told, ensure_ascii=False, indent=1))
        print(f"wrote {options.json}", file=sys.stderr)


def neighbours(jobs: list[Job]) -> list[Pair]:
    """Each example with the next one of its package."""
    by_package: dict[str, list[Job]] = {}
    for job in jobs:
        by_package.setdefault(package_of(job.id), []).append(job)
    return [
        (job, queue[(n + 1) % len(queue)])
        for queue in by_package.values()
        for n, job in enumerate(queue)
        if len(queue) > 1
    ]


def damaged(jobs: list[Job], seed: int) -> list[Pair]:
    """Each example with itself, one statement dropped, moved, recoloured, ...: the damages by turns."""
    names = sorted(CODE_DAMAGES)
    pairs = []
    for n, job in enumerate(jobs):
        for turn in range(len(names)):
            name = names[(n + turn) % len(names)]
            code = CODE_DAMAGES[name](job.code, Random(seed))
            if code is not None and code != job.code:
                pairs.append((job, Job(f"{job.id}+{name}", code, job.folder, job.timeout_s)))
                break
    return pairs


def score_both(pair: Pair) -> Record:
    """The numbers of a pair wholly by one reader and wholly by the other; none where a side fails by either."""
    reads = [read_both(job) for job in pair]
    record: Record = {"id": f"{pair[0].id} | {pair[1].id}"}
    for reader in ("pdf", "svg"):
        scenes = [getattr(read, reader) for read in reads]
        if not all(isinstance(scene, Scene) for scene in scenes):
            return record
        truth, candidate = (Side(code=job.code, scene=scene) for job, scene in zip(pair, scenes, strict=True))
        case = Case(truth=truth, candidate=candidate)
        chosen = {name: metric for name, metric in choose_metrics(["objects"]).items() if name in SCORES}
        record[reader] = {name: score_case(case, metrics=chosen).values[name] for name in SCORES}
    return record


def report(records: list[Record]) -> Record:
    """Prints how far the readers agree and which documents they differ on; the numbers as a dict."""
    lost = [r for r in records if "lost" in r]
    told = [r for r in records if "lost" not in r]
    both = [r for r in told if "differs" in r]
    print(
        f"\n(a) compiled and read: pdf {_ok(told, 'pdf')}, svg {_ok(told, 'svg')}, both {len(both)}; lost {len(lost)}"
    )
    for r in told:
        if r["pdf"]["ok"] != r["svg"]["ok"]:
            failed = "svg" if r["pdf"]["ok"] else "pdf"
            print(f"  ONLY {failed} fails {r['id']}: {r[failed]['kind']}: {r[failed]['message'][:140]}")
    unmarked = [r["id"] for r in both if not r["svg"]["marked"]]
    print(f"  svg without marks: {len(unmarked)} {unmarked[:5]}")
    same_types = [r for r in both if not any(r["differs"]["types"].values())]
    same_texts = [r for r in both if not any(r["differs"]["texts"].values())]
    print(f"(b) equal type multisets: {_share(len(same_types), len(both))}")
    _show(both, "types")
    print(f"(c) equal texts: {_share(len(same_texts), len(both))}")
    _show(both, "texts")
    colors = np.array([v for r in both for v in r["differs"]["colors"]] or [0.0])
    unmatched = sum(r["differs"]["colors_unmatched"] for r in both)
    print(f"(d) colours: {len(colors)} matched, {unmatched} without partner; CIEDE2000 mean {colors.mean():.4f}, "
          f"max {colors.max():.2f}, above 1: {(colors > 1).sum()}")  # fmt: skip
    for r in both:
        if max(r["differs"]["colors"], default=0) > 1:
            print(f"  {r['id']}: {sorted(r['differs']['colors'])[-3:]} engines {r['engines']}")
    ious = np.array([v for r in both for v in r["differs"]["ious"]] or [1.0])
    print(f"(e) boxes: {len(ious)}, IoU mean {ious.mean():.4f}, at least 0.9: {(ious >= 0.9).mean():.4f}")
    for r in both:
        worst = sorted(r["differs"]["ious"])
        if worst and worst[0] < 0.9:
            below = f"{sum(v < 0.9 for v in worst)} of {len(worst)} below 0.9"
            print(f"  {r['id']}: {below}: {worst[:4]} {r['differs']['size_pt']}")
    return {
        "documents": len(records), "lost": len(lost), "pdf_ok": _ok(told, "pdf"), "svg_ok": _ok(told, "svg"),
        "both": len(both),
        "svg_failures": dict(Counter(r["svg"]["kind"] for r in told if r["pdf"]["ok"] and not r["svg"]["ok"])),
        "equal_types": len(same_types), "equal_texts": len(same_texts), "colors": len(colors),
        "colors_unmatched": unmatched, "delta_e_mean": float(colors.mean()), "delta_e_max": float(colors.max()),
        "delta_e_above_1": int((colors > 1).sum()), "boxes": len(ious), "iou_mean": float(ious.mean()),
        "iou_at_least_0.9": float((ious >= 0.9).mean()),
    }  # fmt: skip


def report_scores(name: str, records: list[Record]) -> Record:
    """Prints how the numbers of the pairs compare."""
    scored = [r for r in records if "pdf" in r and "svg" in r]
    print(f"\n(f) {name}: {len(scored)} of {len(records)} pairs scored by both")
    told: Record = {"pairs": len(scored)}
    for score in SCORES:
        one, other = (np.array([r[reader][score] for r in scored], float) for reader in ("pdf", "svg"))
        apart = other - one
        r = (
            float(np.corrcoef(one, other)[0, 1])
            if len(one) > 1 and one.std() > 0 and other.std() > 0
            else float("nan")
        )
        told[score] = {"r": r, "mean": float(apart.mean()), "mean_abs": float(np.abs(apart).mean()),
                       "max_abs": float(np.abs(apart).max()), "same": float((np.abs(apart) < 1e-9).mean())}  # fmt: skip
        print(f"  {score:<9} r {r:.5f}, svg - pdf mean {apart.mean():+.5f}, |.| mean {np.abs(apart).mean():.5f}, "
              f"max {np.abs(apart).max():.4f}, equal in {told[score]['same']:.1%}")  # fmt: skip
    worst = sorted(scored, key=lambda r: -abs(r["svg"]["f1_avg"] - r["pdf"]["f1_avg"]))[:10]
    for r in worst:
        print(f"  {r['svg']['f1_avg'] - r['pdf']['f1_avg']:+.4f} {r['id']}")
    return told


def _mapped(work: Any, items: list[Any], workers: int, name: str) -> list[Record]:
    records = []
    for item, outcome in tqdm(
        map_items(partial(work), items, workers=workers), total=len(items), desc=name, mininterval=5
    ):
        which = item.id if isinstance(item, Job) else f"{item[0].id} | {item[1].id}"
        records.append({"id": which, "lost": outcome.reason} if isinstance(outcome, WorkerLost) else outcome)
    return sorted(records, key=lambda r: r["id"])


def _show(records: list[Record], what: str) -> None:
    for r in records:
        found = r["differs"][what]
        if any(found.values()):
            print(f"  {r['id']}: pdf {found['only_pdf'][:6]} | svg {found['only_svg'][:6]} {r['engines']}")


def _ok(records: list[Record], reader: str) -> int:
    return sum(r[reader]["ok"] for r in records)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({part / whole:.1%})" if whole else "0/0"


if __name__ == "__main__":
    main()
