"""Write tests/metrics/code_goldens.jsonl: real programs, edited, and what others' implementations say of them.

    pip install --target REFERENCES crystalbleu==0.2 nltk sacrebleu==2.6.0; \
    pip install --target REFERENCES --no-deps torchmetrics==1.9.0
    PYTHONPATH=REFERENCES python scripts/freeze_code_goldens.py

Sources are shown examples of the manuals installed here, 20 of each; the truth is an edit of the source, the candidate
the source as it is, another edit, an edit of the truth or another example. Frozen are: chrF of sacrebleu; the extended
edit distance of torchmetrics, once in floats, as it comes, and once in fractions; CrystalBLEU's parts from the clipped
precision and the brevity penalty of its authors' package, which sees each part as a text of single n-grams.
Takes six minutes, most of them for the fractions.
"""

from __future__ import annotations

import importlib.util
import json
import math
import random
import re
import sys
import types
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from diagrammar.corpus.sources.manuals import collect_manual, installed_manuals
from diagrammar.metrics.tikz_tokens import tikz_tokens, without_comments
from diagrammar.metrics.tokens import tex_tokens
from diagrammar.metrics.trivial import TEX_LIST, TIKZ_LIST, FrozenList, trivial_ngrams
from diagrammar.records.diagrams import Diagram

TARGET = Path(__file__).parent.parent / "tests" / "metrics" / "code_goldens.jsonl"
EACH = 20
LONGEST = 420  # characters: torchmetrics takes a second for two programs of a thousand
COLORS = ("red", "blue", "green", "black", "gray", "orange")
Part = dict[str, float | None]


class Exact(Fraction):
    """A fraction that stays one beside a float: in it, the reference rounds nothing."""

    def __add__(self, other: Any) -> Exact:
        return Exact(Fraction(self) + Fraction(other))

    __radd__ = __add__

    def __mul__(self, other: Any) -> Exact:
        return Exact(Fraction(self) * Fraction(other))


@click.command()
def main() -> None:
    """Write the file anew."""
    chrf = importlib.import_module("sacrebleu.metrics").CHRF()
    package, eed = importlib.import_module("crystalbleu"), load_eed()
    rng = random.Random(1)
    lines = []
    for source, truth, candidate in draw_triples(rng):
        texts = [spaced(code) for code in (candidate, truth)]
        record: dict[str, Any] = {"source": source, "truth": truth, "candidate": candidate}
        record["chrf"] = chrf.sentence_score(*reference(candidate, truth)).score / 100
        record["eed"] = float(eed(*texts))
        exact = {"alpha": Exact(2), "rho": Exact(3, 10), "deletion": Exact(1, 5), "insertion": Exact(1)}
        record["eed_exact"] = as_float(eed, texts, exact)
        record["crystalbleu"] = parts(package, tex_tokens, TEX_LIST, source, truth, candidate)
        record["crystalbleu_tikz"] = parts(package, tikz_tokens, TIKZ_LIST, source, truth, candidate)
        lines.append(json.dumps(record, ensure_ascii=False))
    TARGET.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    click.echo(f"{len(lines)} triples")


def load_eed() -> Any:
    """The core of torchmetrics' extended edit distance. It needs no torch, its module does: by name only."""
    if importlib.util.find_spec("torch") is None:
        stand_in: Any = types.ModuleType("torch")
        stand_in.Tensor, stand_in.stack, stand_in.tensor = object, None, None
        helper: Any = types.ModuleType("torchmetrics.functional.text.helper")
        helper._validate_inputs = None
        sys.modules |= {"torch": stand_in, helper.__name__: helper}
        for name in ("torchmetrics", "torchmetrics.functional", "torchmetrics.functional.text"):
            module = types.ModuleType(name)
            module.__path__ = [str(Path(folder, *name.split("."))) for folder in sys.path]
            sys.modules[name] = module
    return importlib.import_module("torchmetrics.functional.text.eed")._eed_function


def reference(candidate: str, truth: str) -> tuple[str, list[str]]:
    return without_comments(candidate), [without_comments(truth)]


def spaced(code: str) -> str:
    tokens = tikz_tokens(code)
    return f" {' '.join(tokens)} " if tokens else ""


def as_float(eed: Any, texts: list[str], exact: dict[str, Exact]) -> float:
    """The reference's value computed in fractions: its last division is of fractions, too."""
    return float(eed(*texts, **exact))


def draw_triples(rng: random.Random) -> list[tuple[str, str, str]]:
    triples = []
    for manual, sources in installed_manuals():
        found = [piece for piece in collect_manual(manual, sources) if isinstance(piece, Diagram)]
        codes = sorted({piece.code for piece in found if len(piece.code) <= LONGEST})
        for turn, source in enumerate(rng.sample(codes, EACH)):
            truth = edit(source, rng)
            candidates = (
                source, edit(source, rng), edit(truth, rng), edit(edit(truth, rng), rng), rng.choice(codes),
            )  # fmt: skip
            triples.append((source, truth, candidates[turn % len(candidates)]))
    return triples


def edit(code: str, rng: random.Random) -> str:
    """`code` with one to three of its numbers, colours or lines changed, dropped, doubled or swapped."""
    for _ in range(rng.randint(1, 3)):
        code = rng.choice((change_number, change_color, change_lines))(code, rng)
    return code


def change_number(code: str, rng: random.Random) -> str:
    return replace_one(code, r"(?<![\w.])\d+(?:\.\d+)?", str(rng.randint(0, 9)), rng)


def change_color(code: str, rng: random.Random) -> str:
    return replace_one(code, rf"\b(?:{'|'.join(COLORS)})\b", rng.choice(COLORS), rng)


def change_lines(code: str, rng: random.Random) -> str:
    lines = code.splitlines()
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.choice(("drop", "double", "swap"))
    if kind == "drop":
        del lines[first]
    elif kind == "double":
        lines.insert(second, lines[first])
    else:
        lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def replace_one(code: str, pattern: str, new: str, rng: random.Random) -> str:
    found = list(re.finditer(pattern, code))
    if not found:
        return change_lines(code, rng)
    one = rng.choice(found)
    return code[: one.start()] + new + code[one.end() :]


def parts(package: Any, tokens: Any, frozen: FrozenList, *codes: str) -> Part:
    """CrystalBLEU's preserve and edit parts; None where the package does not define a value."""
    source, truth, candidate = (tokens(code) for code in codes)
    return {
        "preserve": part(package, frozen, [kept(truth, source, n) for n in range(1, 5)],
                         [kept(candidate, source, n) for n in range(1, 5)]),
        "edit": part(package, frozen, [new(truth, source, n) for n in range(1, 5)],
                     [new(candidate, source, n) for n in range(1, 5)]),
    }  # fmt: skip


def part(package: Any, frozen: FrozenList, truth: list[Any], candidate: list[Any]) -> float | None:
    trivial = trivial_ngrams(frozen)
    precisions = []
    for ours, theirs in zip(truth, candidate, strict=True):
        ignored = {(ngram,) for ngram in {*ours, *theirs} if ngram in trivial}
        found = package.modified_precision([ours], theirs, 1, ignoring=ignored)
        if not found.numerator:
            return None  # 0, undefined or noise: docs/metrics.md says what ours is
        precisions.append(found.numerator / found.denominator)
    brevity = package.brevity_penalty(len(truth[0]), len(candidate[0]))
    return float(brevity * math.exp(math.fsum(math.log(p) for p in precisions) / 4))


def new(program: tuple[str, ...], source: tuple[str, ...], order: int) -> list[tuple[str, ...]]:
    """The program's runs of `order` tokens, each of the source's taking one equal one away."""
    left = Counter(runs(source, order))
    out = []
    for run in runs(program, order):
        if left[run]:
            left[run] -= 1
        else:
            out.append(run)
    return out


def kept(program: tuple[str, ...], source: tuple[str, ...], order: int) -> list[tuple[str, ...]]:
    """The program's runs of `order` tokens that have one of the source's each."""
    left = Counter(runs(source, order))
    out = []
    for run in runs(program, order):
        if left[run]:
            left[run] -= 1
            out.append(run)
    return out


def runs(tokens: tuple[str, ...], order: int) -> list[tuple[str, ...]]:
    return [tokens[start : start + order] for start in range(len(tokens) - order + 1)]


if __name__ == "__main__":
    main()
