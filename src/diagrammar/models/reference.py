"""models: reference models, whose scores are known beforehand: they show that the scale is right.

They get the truth by a path of their own, from whoever makes them; a Prompt holds none of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from diagrammar.errors import BadInput
from diagrammar.models.model import Model
from diagrammar.models.noise import drop_statements
from diagrammar.records.outputs import Prompt, Reply

TruthOf = Callable[[str], str]
_NOISY = re.compile(r"noisy-(\d*\.?\d+)")
# It puts out one page and paints nothing on it. Written in plain TeX after the class, so that it shares as
# little as can be with anybody's code.
BLANK_PAGE = "\\documentclass{minimal}\n\\begin{document}\n\\shipout\\vbox to 1in{\\vss}\n\\end{document}\n"


def reference_model(name: str, *, truth_of: TruthOf) -> Model:
    """The reference model `oracle`, `blank`, `blank-page` or `noisy-RATE`. Raises BadInput for others."""
    if name == "oracle":
        return _Reference(name, lambda sample_id: in_fence(truth_of(sample_id)))
    if name == "blank":
        return _Reference(name, lambda _: "")
    if name == "blank-page":
        return _Reference(name, lambda _: in_fence(BLANK_PAGE))
    noisy = _NOISY.fullmatch(name)
    if noisy and 0.0 <= float(noisy[1]) <= 1.0:
        rate = float(noisy[1])
        return _Reference(name, lambda sample_id: in_fence(_worsened(truth_of(sample_id), rate, sample_id)))
    known = "oracle, blank, blank-page and noisy-RATE, as noisy-0.2"
    raise BadInput(f"no reference model {name!r}; there are {known}")


def in_fence(code: str) -> str:
    """`code` as models send it."""
    return f"```latex\n{code.rstrip()}\n```"


def _worsened(code: str, rate: float, sample_id: str) -> str:
    return drop_statements(code, rate=rate, rng=Random(f"noisy:{rate}:{sample_id}"))


class _Reference:
    """Answers from `say(sample_id)`, at once and at no cost."""

    def __init__(self, name: str, say: Callable[[str], str]) -> None:
        self.name = f"reference/{name}"
        self._say = say

    async def reply(self, prompt: Prompt, *, sample_id: str) -> Reply:  # noqa: ARG002 - it knows the answer
        """What this model says of that sample; the prompt does not matter."""
        text = self._say(sample_id)
        return Reply(text=text, status="ok" if text else "empty", error="" if text else "the reply is empty")

    async def close(self) -> None:
        """Nothing is open."""
