"""bench, step 5: numbers and cards -> one HTML page that needs nothing but the pictures beside it.

What models wrote is shown as text and never as markup: the template escapes everything, and the page's own policy
lets no script run but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from diagrammar.bench.report import tables
from diagrammar.bench.report.attempts import AT_LEAST, BEST_OF, Attempts
from diagrammar.bench.report.cards import Card
from diagrammar.bench.report.compared import Versus
from diagrammar.bench.report.numbers import BY_NAME, CHANCE, IN_DETAIL, LEADING, Number
from diagrammar.bench.report.overlay import DIMENSIONS
from diagrammar.bench.report.summary import DOMAIN_LABELS, ModelSummary
from diagrammar.records.diagrams import Domain

_HERE = Path(__file__).parent
_COLUMN, _GAP = 10, 6


@dataclass(frozen=True)
class Column:
    """One answer in the row of all answers of its model."""

    x: int
    width: int
    value: float
    drawn: bool
    card: int
    domain: Domain
    title: str


@dataclass(frozen=True)
class Strip:
    """All answers of one model, a column per diagram; the same diagram stands at the same place in each strip."""

    model: int
    width: int
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Section:
    """All about one number."""

    number: Number
    versus: Sequence[Versus]
    low: float  # the ends of the axis that differences are drawn on
    high: float

    def place(self, difference: float) -> float:
        """Where a difference lies on the axis, 0 to 1."""
        return (difference - self.low) / (self.high - self.low)


def render_page(
    models: Sequence[ModelSummary],
    cards: Sequence[Card],
    comparisons: Mapping[str, Sequence[Versus]],
    attempts: Sequence[Attempts],
    *,
    title: str,
    provenance: Mapping[str, str],
) -> str:
    """The page as text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, script = ((_HERE / name).read_text(encoding="utf-8") for name in ("style.css", "script.js"))
    domains = tables.domains_of(models)
    leading, detail = (tables.computed(models, numbers) for numbers in (LEADING, IN_DETAIL))
    sections = [_section(n, comparisons.get(n.name, ())) for n in (*leading, *detail) if not n.of_set]
    return environment.get_template("page.html.j2").render(
        title=title, models=models, cards=cards, provenance=provenance, domains=domains,
        domain_labels=DOMAIN_LABELS, dimensions=DIMENSIONS, edit_dimensions=tables.dimensions_of(models),
        leading=leading, detail=detail, sections=sections, chance=CHANCE, nothing=tables.NOTHING,
        remarks=tables.remarks(models), attempts=attempts, at_least=AT_LEAST,
        best_of=[BY_NAME[name] for name in BEST_OF], tables=tables,
        strips=[_strip(number, cards, domains) for number in range(len(models))],
        strip_share={domain: sum(card.domain == domain for card in cards) for domain in domains},
        outcomes=_outcomes(models), best=_best(models),
        style=style, script=script, style_hash=_csp_hash(style), script_hash=_csp_hash(script),
    )  # fmt: skip


def _section(number: Number, versus: Sequence[Versus]) -> Section:
    ends = [0.0, *(v.found.difference for v in versus)]
    ends += [end for v in versus if v.interval for end in (v.interval.low, v.interval.high)]
    low, high = min(ends), max(ends)
    return Section(number, versus, low, high if high > low else low + 1)


def _strip(model: int, cards: Sequence[Card], domains: Sequence[Domain]) -> Strip:
    columns = [
        Column(
            x=_COLUMN * at + _GAP * domains.index(card.domain), width=_COLUMN, value=answer.score,
            drawn=answer.outcome == "drawn", card=card.number, domain=card.domain,
            title=f"{card.number}  {card.id}: {answer.shown}",
        )
        for at, card in enumerate(cards)
        for answer in card.answers
        if answer.model == model and answer.score is not None
    ]  # fmt: skip
    return Strip(model, _COLUMN * len(cards) + _GAP * max(0, len(domains) - 1), tuple(columns))


def _outcomes(models: Sequence[ModelSummary]) -> list[str]:
    """Why answers draw nothing, over all models, most frequent first."""
    counts: Counter[str] = Counter()
    for model in models:
        counts.update(model.outcomes)
    del counts["drawn"]
    return [word for word, _ in counts.most_common()]


def _best(models: Sequence[ModelSummary]) -> dict[str, float]:
    """The best mean per number, of those that are not calibration; of all where there are no others."""
    real = [model for model in models if not model.name.startswith("reference/")] or list(models)
    found: dict[str, float] = {}
    for number in (*LEADING, *IN_DETAIL):
        means = (model.means.get(number.name, tables.NOTHING) for model in real)
        values = [mean.value for mean in means if mean.value is not None]
        if values and len(models) > 1:
            found[number.name] = min(values) if number.lower_is_better else max(values)
    return found


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
