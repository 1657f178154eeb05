"""metrics: CrystalBLEU over TikZ's own tokens: a changed colour or coordinate costs that, not its whole option list.

Beside the paper, whose tokeniser leaves `[fill=red!20, draw=blue]` one token, in which any white space shows.
"""

from __future__ import annotations

import math

from diagrammar.metrics.crystalbleu import OnExample, crystalbleu
from diagrammar.metrics.tikz_tokens import VERSION, tikz_tokens
from diagrammar.metrics.trivial import TIKZ_LIST

METRIC = crystalbleu(
    "crystalbleu_tikz",
    protocol="beside",
    tokens=tikz_tokens,
    called=lambda: f"tikz-{VERSION}",
    frozen=TIKZ_LIST,
    on_example=OnExample(
        whole=math.exp(1 - 41 / 32) * (7 / 10 * 13 / 20 * 17 / 28 * 16 / 29) ** (1 / 4),
        preserve=math.exp(1 - 30 / 27),  # draw, 1 and B had to stay and did not
        edit=0.0,
    ),
)
