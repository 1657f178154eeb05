"""Write tests/grading/kappas.jsonl: random labels, and what scikit-learn and statsmodels say of them.

    pip install scikit-learn==1.9.1 statsmodels==0.15.0
    python scripts/freeze_kappas.py

Cohen's kappa is cohen_kappa_score's of the first two raters; Fleiss' is fleiss_kappa's of all. Both packages divide by
zero where only one label is used, or give NaN; such tables are kept, with null.
"""

from __future__ import annotations

import json
import math
import random
import warnings
from pathlib import Path

from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

TARGET = Path(__file__).parent.parent / "tests" / "grading" / "kappas.jsonl"
TABLES = 240
ALPHABET = "ciu"


def frozen(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def main() -> None:
    """Every table is drawn with its own skew and its own share of copied labels, so that kappas run from -1 to 1."""
    rng = random.Random(2026)
    warnings.simplefilter("ignore")
    lines: list[str] = []
    for number in range(TABLES):
        labels = ALPHABET[: rng.choice((1, 2, 2, 3, 3, 3))]
        weights = [rng.random() ** rng.choice((0.2, 1, 6)) + 1e-3 for _ in labels]
        cases, raters, copied = rng.randint(1, 60), rng.randint(2, 5), rng.random()
        table = []
        for _ in range(cases):
            first = rng.choices(labels, weights)[0]
            others = [
                first if rng.random() < copied else rng.choices(labels, weights)[0] for _ in range(raters - 1)
            ]
            table.append([first, *others])
        columns = list(zip(*table, strict=True))
        counts, _ = aggregate_raters([[ALPHABET.index(label) for label in row] for row in table])
        golden = {
            "id": number,
            "raters": ["".join(column) for column in columns],
            "cohen": frozen(cohen_kappa_score(columns[0], columns[1])),
            "fleiss": frozen(fleiss_kappa(counts, method="fleiss")),
        }
        lines.append(json.dumps(golden))
    TARGET.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
