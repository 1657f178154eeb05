"""CPU time of scoring compiled pairs: the obvious composition of public pieces beside ours, on the same pairs.

    python benchmarks/scoring_speed.py [--n 84] [--seed 1] [--json OUT]

Pairs are real: n examples of the installed manuals, equally many of each package, each against a damaged copy of
itself (compiled and read, too) or against its neighbour in the draw, turn and turn about. Both score types, texts,
colours, boxes, their mean and CrystalBLEU; that they agree is checked. Four ways, in an order that is drawn for each
pair, the shortest of nine runs each, so that a busy machine spoils little: the composition (shared/composed.py) and
ours, with nothing known of either side and with the truth known from another candidate; of it the composition keeps
the tokens. Its libraries are installed, pinned, into build/scoring_speed. A pair on which it needs more than --limit
seconds is left out and named.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from shared.code_damages import CODE_DAMAGES
from shared.documents import draw_documents, package_of
from shared.sides import read_sides

from diagrammar.records.diagrams import Diagram
from diagrammar.records.scores import Case, Side

REQUIREMENTS = Path(__file__).parent / "shared" / "baseline_requirements.txt"
WAYS = ("composed", "ours", "composed, truth known", "ours, truth known")
RESAMPLES = 4000
WANTED = 5.0
Pair = tuple[str, Side, Side]
Record = dict[str, Any]


class TooLong(Exception):
    """The composition took longer than it may."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=84)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one score")
    parser.add_argument("--work", type=Path, default=Path("build/scoring_speed"))
    parser.add_argument("--sides", type=Path, default=Path("build/sides"))
    parser.add_argument("--json", type=Path, help="write the summary and every measurement here")
    options = parser.parse_args()
    install(options.work.resolve() / "libraries")
    pairs, failures = make_pairs(options.n, options.seed, options.sides)
    warnings.simplefilter("ignore", UserWarning)  # the package's, of each score that it takes for 0
    set_up: dict[str, float] = {}
    composed, ours = (timed(load, set_up) for load in (load_composed, load_ours))
    print("set-up, CPU s: " + ", ".join(f"{name} {seconds:.2f}" for name, seconds in set_up.items()))
    for reason in failures:
        print(f"no pair: {reason}")
    measure = Measure(composed, ours, options.repeats, options.limit)
    rng = random.Random(options.seed)
    measure.pair(*pairs[0], rng=rng)  # what loads on first use is loaded
    records = [measure.pair(*pair, rng=rng) for pair in pairs]
    summary = report(records)
    if options.json:
        options.json.write_text(
            json.dumps({"summary": summary, "records": records}, indent=1), encoding="utf-8"
        )
    if min(summary["ratio"][way][0] for way in summary["ratio"]) < WANTED:
        sys.exit(f"less than {WANTED:g} times faster")


def install(folder: Path) -> None:
    """The composition's libraries, in a folder of their own, last on the path."""
    if not folder.exists():
        print(f"installing {REQUIREMENTS.name} into {folder}", file=sys.stderr)
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "--target", str(folder), "-r", str(REQUIREMENTS)], check=True)
    sys.path.append(str(folder))


def make_pairs(n: int, seed: int, folder: Path) -> tuple[list[Pair], list[str]]:
    """The pairs, and why those that are wanting are."""
    diagrams = draw_documents(n, seed, "balanced")
    planned = [(diagram, *other(diagram, diagrams, seed)) for diagram in diagrams]
    codes = [code for diagram, _, candidate in planned for code in (diagram.code, candidate)]
    sides = read_sides(list(dict.fromkeys(codes)), folder)
    pairs, failures = [], []
    for diagram, kind, candidate in planned:
        name = f"{diagram.id} against {kind}"
        both = sides.get(diagram.code), sides.get(candidate)
        missing = [
            which
            for which, side in zip(("truth", "candidate"), both, strict=True)
            if not side or not side.scene
        ]
        if missing or not both[0] or not both[1]:
            failures.append(f"{name}: the {' and the '.join(missing)} does not compile")
        else:
            pairs.append((name, both[0], both[1]))
    return pairs, failures


def other(diagram: Diagram, diagrams: list[Diagram], seed: int) -> tuple[str, str]:
    """What stands against the diagram: how it came about, and its code."""
    package = package_of(diagram.id)
    peers = [peer for peer in diagrams if package_of(peer.id) == package]
    place = peers.index(diagram)
    if place % 2:
        rng = random.Random(f"{seed}:{diagram.id}")
        for kind in rng.sample(list(CODE_DAMAGES), len(CODE_DAMAGES)):
            damaged = CODE_DAMAGES[kind](diagram.code, rng)
            if damaged is not None:
                return f"itself ({kind})", damaged
    neighbour = peers[(place + 1) % len(peers)]
    return neighbour.id, neighbour.code


def timed(load: Callable[[], Any], seconds: dict[str, float]) -> Any:
    started = time.process_time()
    loaded = load()
    seconds[load.__name__.removeprefix("load_")] = time.process_time() - started
    return loaded


def load_composed() -> Any:
    from shared.composed import Composed

    return Composed()


def load_ours() -> Any:
    from diagrammar.bench.score import score_case
    from diagrammar.metrics.protocol import load_metrics
    from diagrammar.metrics.trivial import trivial_ngrams

    load_metrics()
    trivial_ngrams()
    return score_case


class Measure:
    """Times both ways on a pair."""

    def __init__(self, composed: Any, score_case: Any, repeats: int, limit: float) -> None:
        self.composed, self.score_case, self.repeats, self.limit = composed, score_case, repeats, limit
        self.fresh = 0

    def pair(self, name: str, truth: Side, candidate: Side, *, rng: random.Random) -> Record:
        from shared.composed import lists_of

        ours, theirs = lists_of(truth), lists_of(candidate)
        tokens = self.composed.tokens(truth.code)

        def composed_truth_known() -> dict[str, float]:
            scores = self.composed.objects(ours, theirs)
            scores["crystalbleu"] = self.composed.code(tokens, self.composed.tokens(theirs.code))
            return scores  # type: ignore[no-any-return]

        best = dict.fromkeys(WAYS, float("inf"))
        scores: dict[str, dict[str, float]] = {}
        for _ in range(self.repeats):
            for way in rng.sample(WAYS, len(WAYS)):
                # other objects and other code, so that nothing is known of them
                case = Case(truth=self.anew(truth), candidate=self.anew(candidate))
                if way == "ours, truth known":
                    self.score_case(Case(truth=case.truth, candidate=self.anew(truth)))
                run = {
                    "composed": lambda: self.composed.score(ours, theirs),
                    "composed, truth known": composed_truth_known,
                }.get(way, lambda case=case: dict(self.score_case(case).values))
                try:
                    seconds, scores[way] = self.clock(run)
                except TooLong:
                    return {"id": name, "too_long": way, "objects": [len(ours.boxes), len(theirs.boxes)]}
                best[way] = min(best[way], seconds)
        apart = max(abs(scores["composed"][key] - scores["ours"][key]) for key in scores["ours"])
        return {"id": name, "s": best, "apart": apart, "objects": [len(ours.types), len(theirs.types)]}

    def anew(self, side: Side) -> Side:
        assert side.scene is not None
        self.fresh += 1
        return Side(code=f"{side.code}%{self.fresh}\n", scene=side.scene.model_copy())

    def clock(self, run: Callable[[], Any]) -> tuple[float, Any]:
        # not ITIMER_VIRTUAL: while it runs, CPU time is counted in ticks
        signal.signal(signal.SIGALRM, _too_long)
        signal.setitimer(signal.ITIMER_REAL, self.limit)
        try:
            started = time.process_time()
            result = run()
            return time.process_time() - started, result
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(_number: int, _frame: object) -> None:
    raise TooLong


def report(records: list[Record]) -> dict[str, Any]:
    """Prints the table; the numbers as a dict."""
    done = [r for r in records if "s" in r]
    print(f"{len(done)} of {len(records)} pairs timed")
    for r in records:
        if "too_long" in r:
            print(f"  LEFT OUT {r['id']}: {r['too_long']} takes too long, boxes {r['objects']}")
    apart = [r for r in done if r["apart"] > 1e-4]
    print(
        f"largest difference of any score: {max(r['apart'] for r in done):.2g}; above 1e-4 in {len(apart)} pairs"
    )
    for r in apart:
        print(f"  {r['id']}: {r['apart']:.3g}")
    totals = {way: sum(r["s"][way] for r in done) for way in WAYS}
    medians = {way: median(r["s"][way] for r in done) for way in WAYS}
    for way in WAYS:
        print(f"{way:<24} total {totals[way]:8.3f} s   median {1000 * medians[way]:8.3f} ms")
    ratio = {}
    for ours in ("ours", "ours, truth known"):
        composed = ours.replace("ours", "composed")
        per_pair = [r["s"][composed] / r["s"][ours] for r in done]
        low, high = interval([(r["s"][composed], r["s"][ours]) for r in done])
        ratio[ours] = (totals[composed] / totals[ours], median(per_pair), low, high)
        print(
            f"{composed} / {ours}: of totals {ratio[ours][0]:.1f} ({low:.1f} to {high:.1f}), median of the pairs' "
            f"{ratio[ours][1]:.1f}, least {min(per_pair):.1f}"
        )
    return {"pairs": len(done), "total_s": totals, "median_s": medians, "ratio": ratio}


def interval(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """The middle 95 % of the ratio of totals, pairs drawn with replacement."""
    draw = random.Random(0)
    ratios = []
    for _ in range(RESAMPLES):
        sample = draw.choices(pairs, k=len(pairs))
        ratios.append(sum(a for a, _ in sample) / sum(b for _, b in sample))
    ratios.sort()
    return ratios[int(0.025 * RESAMPLES)], ratios[int(0.975 * RESAMPLES)]


if __name__ == "__main__":
    main()
