"""What marking costs a document (nothing), what it reaches, and whether three engines tell the same.

    python benchmarks/marks_audit.py [--n 300] [--seed 1] [--draw balanced|proportional] [--json OUT]

Each of n examples of the installed manuals, drawn by the seed, is compiled by the plain engines, with marks, without,
and by each engine alone; five questions are asked of these compiles. What is compiled is kept in the work folder
(build/marks_audit), so that a run that was stopped, or one after a change of the reader, compiles nothing twice.
Changes of tex/*.py are not noticed: --fresh compiles again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from shared.audited import Job, audit_one
from shared.documents import count_by_package, draw_documents
from shared.kept import Kept
from tqdm import tqdm

from diagrammar.parallel import WorkerLost, map_items

Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--draw", choices=("balanced", "proportional"), default="balanced")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--work", type=Path, default=Path("build/marks_audit"))
    parser.add_argument("--fresh", action="store_true", help="forget what was compiled before")
    parser.add_argument("--json", type=Path, help="write the summary and every finding here")
    options = parser.parse_args()
    if options.fresh:
        shutil.rmtree(options.work, ignore_errors=True)
    compiled = options.work.resolve() / "compiled"
    compiled.mkdir(parents=True, exist_ok=True)
    diagrams = draw_documents(options.n, options.seed, options.draw)
    # findings are made anew from what is kept of the compiles: the reader may have changed
    kept = Kept(options.work / "findings.jsonl", fresh=True)
    jobs = [Job(diagram, compiled, options.timeout) for diagram in diagrams]
    done = map_items(audit_one, jobs, workers=options.workers)
    for job, outcome in tqdm(done, total=len(jobs), desc="audit", unit="doc", mininterval=5):
        kept.add(
            {"id": job.diagram.id, "lost": outcome.reason} if isinstance(outcome, WorkerLost) else outcome
        )
    records = [kept.by_id[diagram.id] for diagram in diagrams]
    print(
        f"{len(records)} examples, {options.draw} draw, seed {options.seed}: {count_by_package(list(kept.by_id))}"
    )
    summary = report(records)
    if options.json:
        options.json.write_text(
            json.dumps({"summary": summary, "records": records}, ensure_ascii=False, indent=1)
        )
        print(f"wrote {options.json}", file=sys.stderr)


def report(records: list[Record]) -> dict[str, Any]:
    """Prints the answers and the documents behind each shortfall; the numbers as a dict."""
    lost = [r for r in records if "lost" in r]
    records = [r for r in records if "lost" not in r]
    for r in lost:
        print(f"  LOST {r['id']}: {r['lost']}")
    compiled = [r for r in records if r["ours"]["ok"]]
    return {
        "documents": len(records), "lost": len(lost), **_compile(records), **_pixels(compiled), **_owned(compiled),
        **_itself(compiled), **_engines(compiled),
    }  # fmt: skip


def _compile(records: list[Record]) -> dict[str, Any]:
    plain = {r["id"] for r in records if r["plain"]}
    ours = {r["id"] for r in records if r["ours"]["ok"]}
    print(
        f"\n(a) compile: plain engines {len(plain)}, ours {len(ours)}, of {len(records)}; want ours >= plain"
    )
    for r in records:
        if r["id"] in plain - ours:
            print(f"  ONLY PLAIN {r['id']} ({r['plain']}): {r['ours']['kind']}: {r['ours']['message']}")
        elif r["id"] in ours - plain:
            print(f"  only ours {r['id']} ({r['ours']['engine']}): {'; '.join(r['ours']['repairs'])}")
        elif r["id"] not in ours:
            print(f"  neither {r['id']}: {r['ours']['kind']}: {r['ours']['message'][:120]}")
    unmarked = [r for r in records if r["ours"]["ok"] and not r["ours"]["marked"]]
    for r in unmarked:
        print(f"  WITHOUT MARKS {r['id']}: {'; '.join(r['ours']['warnings'])}")
    return {
        "plain": len(plain), "ours": len(ours), "only_plain": sorted(plain - ours), "only_ours": sorted(ours - plain),
        "unmarked": [r["id"] for r in unmarked],
    }  # fmt: skip


def _pixels(records: list[Record]) -> dict[str, Any]:
    other = [r for r in records if not r["pixels"]["same"]]
    share = _share(len(records) - len(other), len(records))
    print(f"\n(b) pixels with marks and without: {share} the same; want 99 %")
    for r in other:
        print(f"  OTHER {r['id']}: {r['pixels']['why']}")
    same = len(records) - len(other)
    return {"pixels_same": same, "pixels_of": len(records), "pixels_other": [r["id"] for r in other]}


def _owned(records: list[Record]) -> dict[str, Any]:
    drawing = [r for r in records if r["draws"]]
    shares = {}
    for name, group in (("diagrams", drawing), ("all", records)):
        visible, owned, text = (
            sum(r["inks"][key] for r in group) for key in ("visible", "owned", "loose_text")
        )
        shares[name] = {"documents": len(group), "visible": visible, "owned": owned, "loose_text": text}
    for name, what in (("diagrams", "in those that draw more than text"), ("all", "in all")):
        share = shares[name]
        marked = _share(share["owned"], share["visible"])
        counted = _share(share["owned"] + share["loose_text"], share["visible"])
        head = "\n(c) visible page objects under a mark," if name == "diagrams" else "   "
        print(f"{head} {what} ({share['documents']}): {marked}, counted {counted}; want 99 %")
    wanting = [r for r in records if r["inks"]["owned"] < r["inks"]["visible"]]
    for r in sorted(wanting, key=lambda r: r["inks"]["owned"] - r["inks"]["visible"]):
        inks = r["inks"]
        kinds = Counter(inks["unowned"]).most_common(5)
        print(f"  {inks['visible'] - inks['owned']} of {inks['visible']} {r['id']}: "
              + "; ".join(f"{n} x {what}" for what, n in kinds))  # fmt: skip
    return {"owned": shares, "wanting": [r["id"] for r in wanting]}


def _itself(records: list[Record]) -> dict[str, Any]:
    wrong = [r for r in records if r["self"]["not_one"] or r["self"]["not_computed"]]
    share = _share(len(records) - len(wrong), len(records))
    print(f"\n(d) exactly 1 against itself on every metric: {share}; want all")
    for r in wrong:
        print(f"  NOT 1 {r['id']}: {r['self']}")
    return {"self_one": len(records) - len(wrong), "self_not": [r["id"] for r in wrong]}


def _engines(records: list[Record]) -> dict[str, Any]:
    every = [r for r in records if r["engines"]["all"]]
    equal = [r for r in every if not r["engines"]["differences"]]
    print(
        f"\n(e) three engines tell the same: {_share(len(equal), len(every))} of what all compile; want 95 %"
    )
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for r in every:
        for kind, examples in r["engines"]["differences"].items():
            kinds[kind].append(f"{r['id']}: {' | '.join(examples)[:300]}")
    for kind, places in sorted(kinds.items()):
        print(f"  {kind}: {len(places)}")
        for place in places:
            print(f"    {place}")
    for r in records:
        if not r["engines"]["all"]:
            print(f"  not all: {r['id']}: {r['engines']['failed']}: {r['engines']['why'][:140]}")
    counts = {kind: len(places) for kind, places in sorted(kinds.items())}
    return {"engines_equal": len(equal), "engines_of": len(every), "engines_differences": counts}


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({part / whole:.2%})" if whole else "0/0"


if __name__ == "__main__":
    main()
