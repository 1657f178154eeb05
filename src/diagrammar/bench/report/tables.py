"""bench, step 5: the numbers of a report as text and Markdown. Those of a machine: facts.py."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from diagrammar.bench.report.attempts import AT_LEAST, BEST_OF, Attempts
from diagrammar.bench.report.compared import Versus
from diagrammar.bench.report.numbers import BY_NAME, CHANCE, IN_DETAIL, LEADING, NUMBERS, Number
from diagrammar.bench.report.summary import DOMAIN_LABELS, Mean, Means, ModelSummary
from diagrammar.records.diagrams import DOMAINS, Domain
from diagrammar.records.scores import NotComputed
from diagrammar.statistics.composites import UNCHECKED_FOR_EDITS

Rows = list[list[str]]
NOTHING = Mean(None, 0, 0, 0)
_PART = re.compile(r"^no \w+: ")


def computed(models: Sequence[ModelSummary], numbers: Sequence[Number] = NUMBERS) -> list[Number]:
    """The numbers that some model has."""
    return [n for n in numbers if any(m.means.get(n.name, NOTHING).value is not None for m in models)]


def absent(models: Sequence[ModelSummary]) -> dict[str, str]:
    """Why a number is there for no model: labels by reason."""
    labels: dict[str, list[str]] = {}
    for number in NUMBERS:
        reasons = [m.means[number.name].reason for m in models if number.name in m.means]
        if reasons and number not in computed(models):
            reason = next(filter(None, reasons), "no answers")
            # A composite's reason is that of its part: "no clip: no weights".
            labels.setdefault(_PART.sub("", reason), []).append(number.label)
    return {", ".join(found): reason for reason, found in labels.items()}


def remarks(models: Sequence[ModelSummary]) -> list[str]:
    """What a reader of the numbers must know: what is not computed, and why."""
    found = [f"Not computed: {labels}: {reason}." for labels, reason in absent(models).items()]
    for model in models:
        for number in computed(models):
            mean = model.means.get(number.name, NOTHING)
            if mean.not_computed and mean.value is not None:
                found.append(
                    f"{model.name}, {number.label}: {mean.not_computed} of {mean.n + mean.not_computed} answers "
                    f"are not in it ({mean.reason})."
                )
    if any(model.edits for model in models):
        found.append(UNCHECKED_FOR_EDITS)
    return found


def overall(models: Sequence[ModelSummary]) -> Rows:
    """A row per model: n, failures and every computed number. The first row is the head."""
    numbers: list[Number] = []
    for number in computed(models):
        numbers += [number, CHANCE] if number.name == "f1_color" else [number]
    head = ["model", "n", "failed", *(number.head for number in numbers)]
    return [head, *([m.name, str(m.n), str(m.n - m.drawn), *_cells(m.means, numbers)] for m in models)]


def per_domain(models: Sequence[ModelSummary], name: str = "f1_avg") -> Rows:
    """A row per model, one number by domain. The first row is the head."""
    number, domains = BY_NAME[name], domains_of(models)
    head = [number.head, *(f"{DOMAIN_LABELS[domain]} ({_n(models, domain)})" for domain in domains)]
    rows = [
        [
            m.name,
            *(cell(number, m.by_domain[d].get(name, NOTHING)) if d in m.by_domain else "–" for d in domains),
        ]
        for m in models
    ]
    return [head, *rows]


def domains_of(models: Sequence[ModelSummary]) -> list[Domain]:
    """The domains that any model answered in, in the usual order."""
    return [domain for domain in DOMAINS if any(domain in model.by_domain for model in models)]


def dimensions_of(models: Sequence[ModelSummary]) -> list[str]:
    """What the edits of any model change."""
    return sorted({dimension for model in models for dimension in model.by_dimension})


def cell(number: Number, mean: Mean) -> str:
    return number.shown(mean.value)


def with_interval(number: Number, mean: Mean) -> str:
    """`62.1 [58.3, 65.9]`"""
    if mean.interval is None:
        return cell(number, mean)
    return f"{cell(number, mean)} [{number.shown(mean.interval.low)}, {number.shown(mean.interval.high)}]"


def p_value(p: float) -> str:
    """To read: `< .001`, `.012`, `.34`."""
    if p < 0.001:
        return "< .001"
    return f"{p:.3f}".removeprefix("0") if p < 0.1 else f"{p:.2f}".removeprefix("0")


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


def markdown_report(
    models: Sequence[ModelSummary],
    comparisons: Mapping[str, Sequence[Versus]],
    attempts: Sequence[Attempts],
    provenance: Mapping[str, str],
) -> str:
    """All tables of a report, with where the numbers come from."""
    parts = ["# Scores (times 100 but for FL and FID; 95 % intervals)", as_markdown(_leading(models))]
    if found := remarks(models):
        parts.append("\n".join(f"- {remark}" for remark in found))
    parts += ["## In detail", as_markdown(_detail(models))]
    for number in computed(models):
        if not number.of_set:
            parts += [f"## {number.label} by domain", as_markdown(per_domain(models, number.name))]
            if dimensions_of(models):
                parts.append(as_markdown(_per_dimension(models, number)))
            if comparisons.get(number.name):
                parts += [
                    f"## {number.label}, two models at a time",
                    as_markdown(_versus(models, number, comparisons[number.name])),
                ]
    if attempts:
        parts += ["## Several attempts", as_markdown(_attempts(models, attempts))]
    sources = "\n".join(f"- {key}: `{value}`" for key, value in provenance.items())
    return "\n\n".join([*parts, "## Where the numbers come from", sources]) + "\n"


def _leading(models: Sequence[ModelSummary]) -> Rows:
    numbers = computed(models, LEADING)
    rows = [
        [
            m.name,
            str(m.n),
            str(m.n - m.drawn),
            *(with_interval(n, m.means.get(n.name, NOTHING)) for n in numbers),
        ]
        for m in models
    ]
    return [["model", "n", "failed", *(number.head for number in numbers)], *rows]


def _detail(models: Sequence[ModelSummary]) -> Rows:
    numbers = computed(models, (*IN_DETAIL, CHANCE))
    rows = [[m.name, *(with_interval(n, m.means.get(n.name, NOTHING)) for n in numbers)] for m in models]
    return [["model", *(number.head for number in numbers)], *rows]


def _per_dimension(models: Sequence[ModelSummary], number: Number) -> Rows:
    dimensions = dimensions_of(models)
    rows = [
        [m.name, *(cell(number, m.by_dimension.get(d, {}).get(number.name, NOTHING)) for d in dimensions)]
        for m in models
    ]
    return [[number.head, *dimensions], *rows]


def _versus(models: Sequence[ModelSummary], number: Number, found: Sequence[Versus]) -> Rows:
    head = ["better than", "difference", "p (Holm)", "wins / ties / losses", "tasks", "left out"]
    rows = [
        [
            f"{models[v.first].name} than {models[v.second].name}",
            f"{signed(number, v.found.difference)} {bounds(number, v)}".rstrip(),
            p_value(v.p), f"{v.found.wins} / {v.found.ties} / {v.found.losses}",
            str(v.found.n), str(v.left_out),
        ]
        for v in found
    ]  # fmt: skip
    return [head, *rows]


def signed(number: Number, difference: float) -> str:
    return f"{number.scale * difference:+z.1f}".replace("-", "−")


def bounds(number: Number, versus: Versus) -> str:
    """`[−1.2, 3.4]`, or nothing of too few tasks."""
    interval = versus.interval
    if interval is None:
        return ""
    return f"[{number.shown(interval.low)}, {number.shown(interval.high)}]"


def _attempts(models: Sequence[ModelSummary], attempts: Sequence[Attempts]) -> Rows:
    head = ["model", "k", "pass@k drawn", *(f"pass@k F1 avg ≥ {100 * bar:g}" for bar in AT_LEAST)]
    head += [f"best of k, {BY_NAME[name].label}" for name in BEST_OF]
    rows = [
        [models[row.model].name, str(row.k), *map(percent, (row.drawn, *row.passes, *row.best.values()))]
        for row in attempts
    ]
    return [head, *rows]


def percent(found: float | NotComputed) -> str:
    return "–" if isinstance(found, NotComputed) else f"{100 * found:.1f}"


def _cells(means: Means, numbers: Sequence[Number]) -> list[str]:
    return [cell(number, means.get(number.name, NOTHING)) for number in numbers]


def _n(models: Sequence[ModelSummary], domain: Domain) -> int:
    return max(m.by_domain[domain]["f1_avg"].tasks for m in models if domain in m.by_domain)
