"""What each controlled damage costs in each dimension: the one it touches has to fall, the others have to stay.

    python benchmarks/sensitivity.py [--n 100] [--seed 1] [--json OUT]

On n examples of the installed manuals that compile, equally many of each package, nine damages are done twice. To the
drawing (shared/scene_damages.py): what is touched is known object by object, so every F1 of a touched dimension has to
fall in every drawing, and no other may change by more than --margin. Each is also scored as an edit, the damaged
drawing being the truth: there the truth has to score 1 on every part and a copy of the source 0 on the edit of what is
touched, by the paper's rules and by the strict ones. And to the program's text (shared/code_damages.py; not compiled):
every code metric has to get worse on every program, but for a swap of two labels, which three quarters of the programs'
runs of tokens have to tell (the four F1s cannot, that of whole objects has to). Exits 1 where anything of that does
not hold.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from shared.code_damages import CODE_DAMAGES
from shared.documents import count_by_package, draw_documents
from shared.scene_damages import SCENE_DAMAGES
from shared.sides import read_sides

from diagrammar.bench.score import score_case
from diagrammar.metrics.choose import choose_metrics
from diagrammar.records.scores import Case, Side

DIMENSIONS = ("type", "text", "color", "bbox")
OBJECTS = (
    *(f"f1_{dimension}" for dimension in DIMENSIONS),
    *(f"f1_{dimension}_strict" for dimension in DIMENSIONS),
    "f1_bbox_scalefree",
    "f1_object",  # whole objects: every damage touches it
)
EDITS = tuple(
    f"f1_{dimension}{rules}_{part}"
    for dimension in DIMENSIONS
    for rules in ("", "_strict")
    for part in ("edit", "preserve")
)
CODE = ("crystalbleu", "crystalbleu_tikz", "ted", "chrf")
# Two labels between the same neighbours can change places and no run of tokens or letters tells; ted does.
SHARE_THAT_TELLS_A_SWAP = 0.75
SAME = 1e-9
Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--margin", type=float, default=0.001, help="what an untouched dimension may change by"
    )
    parser.add_argument("--sides", type=Path, default=Path("build/sides"))
    parser.add_argument("--json", type=Path, help="write every measurement here")
    options = parser.parse_args()
    sides = draw_sides(options.n, options.seed, options.sides)
    print(f"{len(sides)} drawings: {count_by_package(list(sides))}")
    records = [r for name, side in sides.items() for r in damage_drawing(name, side, options.seed)]
    broken = report_objects(records, options.margin)
    code_records = [r for name, side in sides.items() for r in damage_code(name, side, options.seed)]
    broken += report_code(code_records)
    if options.json:
        options.json.write_text(json.dumps(records + code_records, indent=1), encoding="utf-8")
    for line in broken:
        print(f"BROKEN {line}")
    sys.exit(1 if broken else 0)


def draw_sides(n: int, seed: int, folder: Path) -> dict[str, Side]:
    """N examples that compile with marks and draw something, by their id."""
    diagrams = draw_documents(n + n // 4, seed, "balanced")
    read = read_sides([diagram.code for diagram in diagrams], folder)
    found = {diagram.id: read[diagram.code] for diagram in diagrams if diagram.code in read}
    drawn = {
        name: side for name, side in found.items() if side.scene and side.scene.marked and side.scene.counted
    }
    return dict(list(drawn.items())[:n])


def damage_drawing(name: str, side: Side, seed: int) -> list[Record]:
    """One record for each damage that the drawing can take."""
    assert side.scene is not None
    records = []
    for damage, make in SCENE_DAMAGES.items():
        damaged = make(side.scene, Random(f"{seed}:{damage}:{name}"))
        if damaged is None:
            continue
        other = Side(code=side.code, scene=damaged.scene)
        records.append(
            {
                "id": name,
                "damage": damage,
                "touched": sorted(damaged.touched),
                "values": values(Case(truth=side, candidate=other), OBJECTS),
                "made": values(Case(truth=other, candidate=other, source=side), EDITS),
                "copied": values(Case(truth=other, candidate=side, source=side), EDITS),
            }
        )
    return records


def damage_code(name: str, side: Side, seed: int) -> list[Record]:
    """The same for the program's text."""
    records = []
    for damage, make in CODE_DAMAGES.items():
        code = make(side.code, Random(f"{seed}:{damage}:{name}"))
        if code is not None and code != side.code:
            case = Case(truth=side, candidate=Side(code=code, scene=side.scene))
            records.append({"id": name, "damage": damage, "values": values(case, CODE)})
    return records


def values(case: Case, names: Sequence[str]) -> Mapping[str, float | None]:
    return dict(score_case(case, metrics=choose_metrics(names, with_source=case.source is not None)).values)


def report_objects(records: list[Record], margin: float) -> list[str]:
    """Prints the table; what does not hold."""
    print(
        "\nDamage of the drawing: mean change over the drawings where that dimension is touched, else over all"
    )
    print(f"{'damage':<10}{'n':>4}  " + "".join(f"{head(name):>12}" for name in OBJECTS) + f"{'others':>10}")
    broken = []
    for damage in SCENE_DAMAGES:
        group = [r for r in records if r["damage"] == damage]
        cells, largest = [], 0.0
        for name in OBJECTS:
            changes = {
                touched: [
                    (r["values"][name] - 1.0, r["id"])
                    for r in group
                    if is_touched(r, name) is touched and r["values"][name] is not None
                ]
                for touched in (True, False)
            }
            stayed = [where for change, where in changes[True] if change >= -SAME]
            broken += [f"{damage}: {name} does not fall on {where}" for where in stayed]
            moved = [(change, where) for change, where in changes[False] if abs(change) > margin]
            broken += [f"{damage}: {name} changes by {change:+.4f} on {where}" for change, where in moved]
            largest = max([largest, *(abs(change) for change, _ in changes[False])])
            shown = changes[True] or changes[False]
            cells.append(
                f"{mean(change for change, _ in shown):+.3f}{'*' if changes[True] else ' '}" if shown else "-"
            )
        print(
            f"{damage:<10}{len(group):>4}  " + "".join(f"{cell:>12}" for cell in cells) + f"{largest:>10.4f}"
        )
    print("* touched. others: the largest change of any that is not touched")
    edited = copied = 0
    for r in records:
        for name, value in r["made"].items():
            edited += value is not None
            if value is not None and value != 1.0:
                broken.append(f"{r['damage']}: {name} of the truth itself is {value} on {r['id']}")
        for name in (f"f1_{d}{rules}_edit" for d in r["touched"] for rules in ("", "_strict")):
            copied += 1
            if r["copied"][name] != 0.0:
                broken.append(f"{r['damage']}: {name} of a copy is {r['copied'][name]} on {r['id']}")
    print(f"as edits: {edited} parts of the truth itself, all 1 but those below; "
          f"{copied} edits of a copy of the source, all 0 but those below")  # fmt: skip
    return broken


def report_code(records: list[Record]) -> list[str]:
    """Prints the table; what does not hold."""
    print("\nDamage of the code: mean change; ted gets worse as it grows")
    print(f"{'damage':<10}{'n':>4}  " + "".join(f"{name:>18}" for name in CODE))
    broken, told = [], []
    for damage in CODE_DAMAGES:
        group = [r for r in records if r["damage"] == damage]
        cells = []
        for name in CODE:
            best, sign = (0.0, 1) if name == "ted" else (1.0, -1)
            known = [(r["values"][name] - best, r["id"]) for r in group if r["values"][name] is not None]
            cells.append(f"{mean(change for change, _ in known):+.3f}" if known else "-")
            blind = [where for change, where in known if sign * change <= SAME]
            if damage == "swap" and name != "ted":
                told.append(f"{name} {len(known) - len(blind)}")
                blind = blind if len(blind) > (1 - SHARE_THAT_TELLS_A_SWAP) * len(known) else []
            broken += [f"{damage}: {name} does not change on {where}" for where in blind]
        print(f"{damage:<10}{len(group):>4}  " + "".join(f"{cell:>18}" for cell in cells))
    print(f"swaps told apart by {', '.join(told)}, ted all")
    return broken


def is_touched(record: Record, metric: str) -> bool:
    if metric == "f1_object":
        return True
    if metric == "f1_bbox_scalefree" and record["damage"] == "scale":
        return False
    return metric.split("_")[1] in record["touched"]


def head(metric: str) -> str:
    return metric.removeprefix("f1_").replace("_strict", " str.").replace("_scalefree", " free")


if __name__ == "__main__":
    main()
