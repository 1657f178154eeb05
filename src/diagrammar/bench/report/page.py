"""bench, step 5: numbers and cards -> one HTML page that needs nothing but the pictures beside it.

What models wrote is shown as text and never as markup: the template escapes everything, and the page's own policy
lets no script run but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diagrammar.bench.report.cards import Card
from diagrammar.bench.report.overlay import DIMENSIONS
from diagrammar.bench.report.summary import DOMAIN_LABELS, LABELS, METRICS, ModelSummary
from diagrammar.bench.report.tables import domains_of
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


def render_page(
    models: Sequence[ModelSummary], cards: Sequence[Card], *, title: str, provenance: dict[str, str]
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
    domains = domains_of(models)
    return environment.get_template("page.html.j2").render(
        title=title, models=models, cards=cards, provenance=provenance, domains=domains,
        domain_labels=DOMAIN_LABELS, metrics=METRICS, labels=LABELS, dimensions=DIMENSIONS,
        strips=[_strip(number, cards, domains) for number in range(len(models))],
        strip_share={domain: sum(card.domain == domain for card in cards) for domain in domains},
        outcomes=_outcomes(models), best=_best(models),
        style=style, script=script, style_hash=_csp_hash(style), script_hash=_csp_hash(script),
    )  # fmt: skip


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
    """The highest mean per metric, of those that are not calibration; of all where there are no others."""
    real = [model for model in models if not model.name.startswith("reference/")] or list(models)
    found: dict[str, float] = {}
    for metric in METRICS:
        values = [value for model in real if (value := model.means[metric].value) is not None]
        if values and len(models) > 1:
            found[metric] = max(values)
    return found


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
