"""bench, step 5: the numbers of a report as text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diagrammar.bench.report.summary import DOMAIN_LABELS, LABELS, METRICS, Mean, ModelSummary
from diagrammar.records.diagrams import DOMAINS, Domain
from diagrammar.records.runs import Evaluated

Rows = list[list[str]]


def overall(models: Sequence[ModelSummary]) -> Rows:
    """A row per model: n, failures and every metric times 100. The first row is the head."""
    head = ["model", "n", "failed", *(LABELS.get(metric, metric) for metric in METRICS)]
    return [head, *([m.name, str(m.n), str(m.n - m.drawn), *_cells(m.means)] for m in models)]


def per_domain(models: Sequence[ModelSummary], metric: str = "f1_avg") -> Rows:
    """A row per model, one metric times 100 by domain. The first row is the head."""
    domains = domains_of(models)
    head = [
        LABELS.get(metric, metric),
        *(f"{DOMAIN_LABELS[domain]} ({_n(models, domain)})" for domain in domains),
    ]
    rows = [
        [m.name, *(m.by_domain[d][metric].shown if d in m.by_domain else "–" for d in domains)]
        for m in models
    ]
    return [head, *rows]


def domains_of(models: Sequence[ModelSummary]) -> list[Domain]:
    """The domains that any model answered in, in the usual order."""
    return [domain for domain in DOMAINS if any(domain in model.by_domain for model in models)]


def as_text(rows: Rows) -> str:
    """Aligned columns, the first one to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def as_markdown(rows: Rows) -> str:
    """A Markdown table, numbers to the right."""
    head, *body = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    rule = [":--", *("--:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *body])


def markdown_report(models: Sequence[ModelSummary], provenance: dict[str, str]) -> str:
    """All tables of a report, with where the numbers come from."""
    parts = ["# Scores (times 100)", as_markdown(overall(models))]
    for metric in METRICS:
        parts += [f"## {LABELS.get(metric, metric)} by domain", as_markdown(per_domain(models, metric))]
    parts += ["## Where the numbers come from", *(f"- {key}: `{value}`" for key, value in provenance.items())]
    return "\n\n".join(parts[: -len(provenance)]) + "\n\n" + "\n".join(parts[-len(provenance) :]) + "\n"


def report_json(
    models: Sequence[ModelSummary], answers: Mapping[str, Sequence[Evaluated]], provenance: dict[str, str]
) -> dict[str, Any]:
    """The same for a machine; values 0..1."""
    return {
        "provenance": provenance,
        "models": [
            {
                "model": model.name,
                "setting": model.setting,
                "n": model.n,
                "outcomes": model.outcomes,
                "scores": {metric: _mean(mean) for metric, mean in model.means.items()},
                "by_domain": {
                    domain: {metric: _mean(mean) for metric, mean in means.items()}
                    for domain, means in model.by_domain.items()
                },
                "answers": [_answer(answer) for answer in answers.get(model.name, ())],
            }
            for model in models
        ],
    }


def _cells(means: dict[str, Mean]) -> list[str]:
    return [means[metric].shown for metric in METRICS]


def _n(models: Sequence[ModelSummary], domain: Domain) -> int:
    return max(m.by_domain[domain]["f1_avg"].n for m in models if domain in m.by_domain)


def _mean(mean: Mean) -> dict[str, float | int | None]:
    return {"value": mean.value, "n": mean.n, "failed": mean.failed, "not_computed": mean.not_computed}


def _answer(answer: Evaluated) -> dict[str, Any]:
    failure = answer.score.failures.candidate
    return {
        "id": answer.id,
        "task_id": answer.task_id,
        "domain": answer.domain,
        "status": answer.status,
        "scores": {metric: getattr(answer.score, metric) for metric in METRICS},
        "not_computed": answer.score.not_computed,
        "failure": failure.model_dump() if failure else None,
    }
