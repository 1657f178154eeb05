"""Reference models and the noise of one of them."""

from __future__ import annotations

import asyncio
import dataclasses
from random import Random

import pytest

from diagrammar.errors import BadInput
from diagrammar.models import resolve
from diagrammar.models.noise import drop_statements, statements
from diagrammar.records.outputs import Prompt
from diagrammar.tex import compile_tex
from diagrammar.tex.source import read_source

PROMPT = Prompt(system="s", user="u", image_png=b"png")
GRAPH = r"""\documentclass[tikz]{standalone}
\begin{document}
\begin{tikzpicture}
  \coordinate (o) at (0,0);
  \node[draw] (a) {A; b}; % a comment; with semicolons;
  \node[draw] (b) at (2,0) {B};
  \draw (a) -- (b);
  \draw[red] (o) -- (1,1);
  \foreach \x in {1,2} \draw (\x,0) -- (\x,1);
  \foreach \x in {1,2} { \fill (\x,2) circle (1pt); }
\end{tikzpicture}
\end{document}
"""
CIRCUIT = (
    "\\begin{document}\\begin{circuitikz}\\draw (0,0) to[R=$R_1$, *-*] (2,0)"
    " to[C, l={a;b}] ++(2,-2) node[ground]{};\\end{circuitikz}\\end{document}"
)
MOLECULE = r"\begin{document}\chemfig{A-B(-[2]C(-D))-E(=[:30]O)-F}\end{document}"
PLANE = r"""\begin{document}
\tkzDefPoint(0,0){A}
\tkzDrawPolygon[blue](A,B,C)
\tkzLabelPoints(A,B)
\end{document}
"""


def reply_of(name: str, truth: str = GRAPH, sample_id: str = "one") -> str:
    model = resolve(f"reference/{name}", truth_of={sample_id: truth}.__getitem__)
    return asyncio.run(model.reply(PROMPT, sample_id=sample_id)).text


def test_the_oracle_says_the_truth():
    document = read_source(reply_of("oracle"))
    assert document.text.strip() == GRAPH.strip()


def test_the_blank_one_says_nothing():
    assert reply_of("blank") == ""


def test_the_blank_page_compiles():
    compiled = compile_tex(reply_of("blank-page"))
    assert compiled.ok and compiled.repairs == ()


def test_noise_is_drawn_from_the_sample_and_nothing_else():
    assert reply_of("noisy-0.5") == reply_of("noisy-0.5")
    assert reply_of("noisy-0.5") != reply_of("noisy-0.5", sample_id="two")
    assert reply_of("noisy-0") == reply_of("oracle")


@pytest.mark.parametrize("name", ["noisy-1.5", "noisy-", "noisy-x", "perfect", ""])
def test_an_unknown_reference_model_is_a_usage_error(name):
    with pytest.raises(BadInput, match="oracle, blank, blank-page"):
        reply_of(name)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (GRAPH, [r"\coordinate (o) at (0,0);", r"\node[draw] (a) {A; b};", r"\node[draw] (b) at (2,0) {B};",
                 r"\draw (a) -- (b);", r"\draw[red] (o) -- (1,1);", r"\draw (\x,0) -- (\x,1);",
                 r"\fill (\x,2) circle (1pt);"]),
        (CIRCUIT, [r"to[R=$R_1$, *-*] (2,0)", r"to[C, l={a;b}] ++(2,-2)"]),
        (MOLECULE, ["(-[2]C(-D))", "(=[:30]O)"]),
        (r"\begin{document}\addplot coordinates {(0,1) (1,2) +- (0,1) (2,3) [a]}; \addplot {x};\end{document}",
         ["(0,1)", "(1,2) +- (0,1)", "(2,3) [a]", r"\addplot {x};"]),
        (PLANE, [r"\tkzDrawPolygon[blue](A,B,C)", r"\tkzLabelPoints(A,B)"]),
        (r"\begin{document}\chemfig{*6(-=-=-=)}\end{document}", [r"\chemfig{*6(-=-=-=)}"]),
    ],
    ids=["graph", "circuit", "molecule", "plot", "plane", "ring"],
)  # fmt: skip
def test_statements_are_what_one_would_delete(code, expected):
    assert [code[span.start : span.end] for span in statements(code)] == expected


def test_a_fifth_is_dropped_on_average():
    code = "\\begin{document}" + "".join(f"\\draw ({i},0) -- (1,1);\n" for i in range(7)) + "\\end{document}"
    dropped = [7 - drop_statements(code, rate=0.2, rng=Random(seed)).count("\\draw") for seed in range(400)]
    assert set(dropped) == {1, 2}  # 1.4 of 7
    assert sum(dropped) / 400 == pytest.approx(1.4, abs=0.08)


@pytest.mark.parametrize("seed", range(4))
def test_what_others_name_stays_and_the_rest_compiles(seed):
    worse = drop_statements(GRAPH, rate=0.4, rng=Random(seed))
    assert len(worse) < len(GRAPH)
    assert "(a) {A" in worse or "(a) -- (b)" not in worse
    assert compile_tex(worse).ok, worse


def test_a_prompt_leads_to_nothing_but_itself():
    # A real model sees these three and no object that could lead to a task.
    assert {field.name for field in dataclasses.fields(Prompt)} == {"system", "user", "image_png"}
    assert [type(getattr(PROMPT, field.name)) for field in dataclasses.fields(Prompt)] == [str, str, bytes]
