"""bench, step 4: the answers of scored runs -> the numbers that only many answers have: FID and KID. Next: report."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from diagrammar.bench.evaluate import Run
from diagrammar.bench.features import Features, OfSet, score_sets, see_missing
from diagrammar.metrics.protocol import load_metrics
from diagrammar.records.runs import Evaluated
from diagrammar.records.scores import NotComputed


def look_at_missing(
    runs: Sequence[Run], *, workers: int | None = None, seen: Callable[[str], None] = lambda _: None
) -> None:
    """Computes what FID and KID need of each picture; the answers have to be scored. Nothing without weights."""
    see_missing(_unseen(runs), workers=workers, seen=seen)


def missing_features(runs: Sequence[Run]) -> int:
    """How many pictures `look_at_missing` would run the network on."""
    return len({name for names in _unseen(runs).values() for name in names})


def _unseen(runs: Sequence[Run]) -> dict[Features, list[str]]:
    wanted: dict[Features, list[str]] = {}
    for run in runs:
        for answer in run.scores if run.of_sets else ():
            candidate = run.seen_answers.picture(answer.candidate) if answer.candidate else None
            truth = run.seen_truths.picture(answer.truth)
            if truth and candidate:
                wanted.setdefault(run.seen_truths, []).append(truth)
                wanted.setdefault(run.seen_answers, []).append(candidate)
    return {
        features: [name for name in dict.fromkeys(names) if name not in features.by_picture]
        for features, names in wanted.items()
    }


def sets_of(run: Run, answers: Sequence[Evaluated]) -> dict[str, OfSet]:
    """The numbers that only many answers have, of these."""
    found = score_sets(answers, run.seen_truths, run.seen_answers, run.of_sets) if run.of_sets else {}
    known = load_metrics()
    for name, reason in run.lacking.items():
        if known[name].score is None:
            found[name] = OfSet(NotComputed(reason=reason), 0, 0, len(answers), 0)
    return found
