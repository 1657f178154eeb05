"""What is sifted out of diagrams that compile: real documents, one for each rule. About 30 seconds."""

from __future__ import annotations

import pytest

from diagrammar.corpus.refine import refine, stages_of
from diagrammar.corpus.sift import sift
from diagrammar.records.corpus import Refined, Rejected
from diagrammar.records.diagrams import Diagram, Source
from diagrammar.store import Stage

SOURCE = Source(url="x.tex", licence="unknown", sha256="0" * 64)
HEAD = "\\documentclass[border=5pt]{standalone}\n\\usepackage{tikz,pgfplots,circuitikz,chemfig}\n"
LIBRARIES = "\\usetikzlibrary{matrix,decorations.text,calendar,patterns}\n"

GRAPH = (
    r"\tikz[every node/.style={draw,circle}] {\node (a) at (0,0) {a}; \node (b) at (2,0) {b}; "
    r"\node (c) at (1,1.5) {c}; \draw (a) -- (b) (b) -- (c); \draw[->] (c) -- (a);}"
)
TREE = (
    r"\tikz[level distance=9mm] \node {root} child {node {left} child {node {x}} child {node {y}}} "
    r"child {node {right}};"
)
CHART = r"\tikz{\begin{axis}[width=5cm] \addplot coordinates {(0,0) (1,2) (2,1) (3,4)}; \end{axis}}"
CIRCUIT = r"\begin{circuitikz} \draw (0,0) to[R=$R$] (2,0) to[C=$C$] (2,2) to[L=$L$] (0,2) -- (0,0); \end{circuitikz}"

# name -> body, reason, and what its message says
CASES: dict[str, tuple[str, str, str]] = {
    "graph": (GRAPH, "", ""),
    "tree": (TREE, "", ""),
    "chart": (CHART, "", ""),
    "circuit": (CIRCUIT, "", ""),
    "molecule": (r"\chemfig{*6(-=-=-=)}", "", ""),
    "triangle": (
        r"\tikz {\draw (0,0) node[left] {$A$} -- (3,0) node[right] {$B$} -- (1,2) node[above] {$C$} -- cycle; "
        r"\draw[dashed] (1,2) -- (1,0) node[below] {$H$};}",
        "", "",
    ),
    "arrow": (r"\tikz \draw[->] (0,0) -- (3,1);", "trivial", "a lone arrow"),
    "border": (r"\tikz \draw (0,0) rectangle (3,2);", "trivial", "a lone shape"),
    "node": (r"\tikz \node[draw] {text};", "trivial", "a lone node"),
    "nodes": (r"\tikz {\node[draw] at (0,0) {a}; \node[draw] at (2,0) {b}; \node[draw] at (4,0) {c};}", "trivial",
              "nodes"),
    "axis": (r"\tikz{\begin{axis}[width=5cm] \end{axis}}", "trivial", "without a plot"),
    "resistor": (r"\begin{circuitikz} \draw (0,0) to[R] (2,0); \end{circuitikz}", "trivial", "components"),
    "bond": (r"\chemfig{A-B}", "trivial", "a lone atom or bond"),
    "calendar": (
        r"\tikz {\calendar (d) [dates=2026-01-01 to 2026-01-last, week list]; "
        r"\foreach \day in {05,12,19} \draw[->] (d-2026-01-\day) -- (d-2026-01-28);}",
        "off_domain", "a calendar",
    ),
    "along": (
        r"\tikz {\path[decorate, decoration={text along path, text={Some text along a path}}] (0,0) arc (180:0:2); "
        r"\draw (0,0) -- (1,0) node {a} -- (2,0) node {b} -- (3,0) node {c} (0,1) -- (1,1) (0,2) -- (1,2);"
        r"\draw (1,3) -- (2,3); \draw (1,4) -- (2,4); \draw (1,0) -- (1,5);}",
        "off_domain", "text set along a path",
    ),
    "graph_again": (GRAPH.replace("-- (b) (b)", "--  (b)\n (b)"), "duplicate_code", "graph"),
    "tree_elsewise": (
        r"\begin{tikzpicture}[scale=1,level distance=9mm] \node (r) {root} child {node (l) {left} "
        r"child {node (lx) {x}} child {node (ly) {y}}} child {node (rr) {right}}; \end{tikzpicture}",
        "duplicate_objects", "tree",
    ),
    "chart_coloured": (CHART.replace(r"\addplot coordinates", r"\addplot[blue!98!black,mark=*,line width=.42pt] "
        r"coordinates"), "duplicate_picture", "chart"),
    "chart_of_other_data": (CHART.replace("(1,2)", "(1,-3)"), "", ""),
}  # fmt: skip


@pytest.fixture(scope="module")
def sifted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Refined | Rejected]:
    """Every case through refine, in the order above, and then through sift."""
    root = tmp_path_factory.mktemp("sift")
    diagrams = [
        Diagram(
            id=name,
            code=f"{HEAD}{LIBRARIES}\\begin{{document}}\n{body}\n\\end{{document}}\n",
            domain="graph",
            source=SOURCE,
        )
        for name, (body, _, _) in CASES.items()
    ]
    with Stage(root / "collected", Diagram, stage="collect", made_with={"source": "test"}) as stage:
        stage.extend(diagrams)
        stage.close()
    kept, turned_away = stages_of(root / "refined", root / "collected", limit=None, seed=0, timeout_s=60)
    with kept, turned_away:
        records = {record.id: record for record in refine(diagrams, kept, turned_away, engine="inline")}
    refined = [record for name in CASES if isinstance(record := records[name], Refined)]
    assert len(refined) == len(CASES), [r for r in records.values() if isinstance(r, Rejected)]
    return {outcome.id: outcome for outcome in sift(refined, root / "refined", engine="inline")}


@pytest.mark.parametrize("name", CASES)
def test_each_case_meets_its_rule(name: str, sifted: dict[str, Refined | Rejected]) -> None:
    _, reason, says = CASES[name]
    outcome = sifted[name]
    if not reason:
        assert isinstance(outcome, Refined), outcome
    else:
        assert isinstance(outcome, Rejected), "it was kept"
        assert (outcome.reason, says in outcome.message) == (reason, True), outcome.message


def test_a_duplicate_names_the_one_that_stays(sifted: dict[str, Refined | Rejected]) -> None:
    likes = {o.id: o.like for o in sifted.values() if isinstance(o, Rejected) and o.like}
    assert likes == {"graph_again": "graph", "tree_elsewise": "tree", "chart_coloured": "chart"}


def test_the_order_is_the_given_one(sifted: dict[str, Refined | Rejected]) -> None:
    assert list(sifted) == list(CASES)


def test_a_rejected_one_can_be_looked_at(sifted: dict[str, Refined | Rejected]) -> None:
    assert all(outcome.picture for outcome in sifted.values())
