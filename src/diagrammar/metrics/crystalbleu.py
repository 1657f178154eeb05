"""metrics: CrystalBLEU, how much TeX code two programs share beyond what unrelated programs share.

For an edit also of what was to be kept and of what was to be changed. Source: Eghbali and Pradel,
"CrystalBLEU", 2022; Diagram-MMU, appendix C.2, code-based metrics. Differs from the authors' package where
that is undefined or noise; docs/metrics.md lists it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from typing import NamedTuple

from diagrammar.metrics.code_overlap import CodeOverlap, Profile, code_overlap, edited, preserved, profile
from diagrammar.metrics.protocol import Metric, Protocol
from diagrammar.metrics.tokens import tex_tokens
from diagrammar.metrics.trivial import TEX_LIST, FrozenList, trivial_ngrams
from diagrammar.records.scores import Case, Side


class OnExample(NamedTuple):
    """The scores of the example in `example.py`."""

    whole: float
    preserve: float
    edit: float


def crystalbleu(
    name: str,
    *,
    protocol: Protocol,
    tokens: Callable[[str], tuple[str, ...]],
    called: Callable[[], str],
    frozen: FrozenList,
    on_example: OnExample,
) -> Metric[CodeOverlap]:
    """CrystalBLEU over a tokeniser; its parts NAME_preserve and NAME_edit are its variants.

    `called` names the tokeniser, with its version, for the signature; `frozen` is the list for its tokens.
    """

    @lru_cache(maxsize=256)  # one truth stands against the candidates of many models
    def read(code: str) -> Profile:
        return profile(tokens(code), trivial=trivial_ngrams(frozen))

    def whole(case: Case) -> CodeOverlap:
        return code_overlap(read(case.truth.code), read(case.candidate.code))

    def part(of: Callable[[Profile, Profile], Profile]) -> Callable[[Case], CodeOverlap]:
        def compare(case: Case) -> CodeOverlap:
            assert isinstance(case.source, Side)  # Metric.measure sees to it
            source = read(case.source.code)
            return code_overlap(of(read(case.truth.code), source), of(read(case.candidate.code), source))

        return compare

    def metric(
        name: str, compare: Callable[[Case], CodeOverlap], value: float, *parts: Metric[CodeOverlap]
    ) -> Metric[CodeOverlap]:
        return Metric(
            name=name,
            version=1,
            reads="code",
            compare=compare,
            score=lambda overlap: overlap.bleu,
            settings=lambda: {
                "tokens": called(),
                "orders": "1-4",
                "trivial": f"sha256-{frozen.sha256[:12]}",
            },
            on_example=value,
            protocol=protocol,
            needs_source=compare is not whole,
            variants=parts,
        )

    return metric(
        name,
        whole,
        on_example.whole,
        metric(f"{name}_preserve", part(preserved), on_example.preserve),
        metric(f"{name}_edit", part(edited), on_example.edit),
    )


METRIC = crystalbleu(
    "crystalbleu",
    protocol="paper",
    tokens=tex_tokens,
    called=lambda: f"TexLexer-pygments-{version('pygments')}",
    frozen=TEX_LIST,
    on_example=OnExample(
        whole=math.exp(1 - 16 / 14) * (4 / 7 * 4 / 9 * 5 / 11 * 5 / 11) ** (1 / 4),
        preserve=math.exp(1 - 13 / 11),  # [draw] and (b) at (1,0) had to stay and did not, what did is right
        edit=0.0,  # [circle,fill] for [draw=red]
    ),
)
