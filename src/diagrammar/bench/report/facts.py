"""bench, step 5: a report for a machine. The same facts as the page; values from 0 to 1, FID and FL as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diagrammar.bench.report.attempts import Attempts
from diagrammar.bench.report.attempts import as_facts as attempts_as_facts
from diagrammar.bench.report.compared import Versus
from diagrammar.bench.report.compared import as_facts as comparisons_as_facts
from diagrammar.bench.report.numbers import Scored
from diagrammar.bench.report.summary import Mean, Means, ModelSummary
from diagrammar.records.scores import NotComputed


def model_facts(
    models: Sequence[ModelSummary],
    comparisons: Mapping[str, Sequence[Versus]],
    attempts: Sequence[Attempts],
) -> list[dict[str, Any]]:
    """An object per model, with the comparisons in which it is the better one."""
    names = [model.name for model in models]
    return [
        {
            "model": model.name,
            "setting": model.setting,
            "n": model.n,
            "tasks": model.tasks,
            "outcomes": model.outcomes,
            "scores": _means(model.means),
            "by_domain": {domain: _means(means) for domain, means in model.by_domain.items()},
            "by_dimension": {dimension: _means(means) for dimension, means in model.by_dimension.items()},
            "comparisons": comparisons_as_facts(comparisons, names, at),
            "attempts": attempts_as_facts([row for row in attempts if row.model == at]),
        }
        for at, model in enumerate(models)
    ]


def answer_facts(scored: Scored) -> dict[str, Any]:
    """One answer with all its numbers."""
    answer = scored.answer
    failure = answer.score.failures.candidate
    values = scored.values.items()
    return {
        "id": answer.id,
        "task_id": answer.task_id,
        "attempt": answer.attempt,
        "domain": answer.domain,
        "dimension": answer.dimension,
        "status": answer.status,
        "scores": {name: None if isinstance(value, NotComputed) else value for name, value in values},
        "not_computed": {name: value.reason for name, value in values if isinstance(value, NotComputed)},
        "failure": failure.model_dump() if failure else None,
    }


def _means(means: Means) -> dict[str, dict[str, object]]:
    return {name: _mean(mean) for name, mean in means.items()}


def _mean(mean: Mean) -> dict[str, object]:
    return {
        "value": mean.value,
        "interval": [mean.interval.low, mean.interval.high] if mean.interval else None,
        "n": mean.n,
        "tasks": mean.tasks,
        "failed": mean.failed,
        "not_computed": mean.not_computed,
        **({"reason": mean.reason} if mean.reason else {}),
    }
