"""Marks cannot be forged, and hidden things gain nothing: no forgery scores higher than the honest code in it."""

from __future__ import annotations

from functools import cache

import pytest

from diagrammar.bench.score import score
from diagrammar.records.scores import PairScore

PARTS = ("f1_type", "f1_text", "f1_color", "f1_bbox", "f1_avg")


def _graph(body: str, *, preamble: str = "") -> str:
    return rf"""\documentclass[tikz,border=2pt]{{standalone}}
{preamble}
\begin{{document}}
\begin{{tikzpicture}}
{body}
\end{{tikzpicture}}
\end{{document}}
"""


def _chart(body: str) -> str:
    return rf"""\documentclass[tikz,border=2pt]{{standalone}}
\usepackage{{pgfplots}}
\pgfplotsset{{compat=1.18}}
\begin{{document}}
\begin{{tikzpicture}}
\begin{{axis}}[hide axis,width=5cm,xmin=0,xmax=6,ymin=0,ymax=9]
{body}
\end{{axis}}
\end{{tikzpicture}}
\end{{document}}
"""


HALF_A_GRAPH = r"""
  \node[draw,circle,fill=red] (a) at (0,0) {A};
  \node[draw,circle,fill=green] (b) at (2,0) {B};
  \draw[->] (a) -- (b);
"""
THE_OTHER_HALF = r"""
  \node[draw,circle,fill=blue] (c) at (4,0) {C};
  \node[draw,circle,fill=orange] (d) at (2,2) {D};
  \draw[->] (b) -- (c);
  \draw[->] (b) -- (d);
"""
GRAPH = _graph(HALF_A_GRAPH + THE_OTHER_HALF)
HALF = _graph(HALF_A_GRAPH)
CHART = _chart(r"\addplot[red,no marks] coordinates {(1,2) (2,5) (3,4) (4,8) (5,7) (6,1)};")
SHORT_LINE = r"\addplot[red,no marks] coordinates {(1,2) (6,1)};"
SHORT = _chart(SHORT_LINE)
# What a document can do to learn the nonce: read the definition of a macro that the style has changed.
READ_NONCE = r"""\ExplSyntaxOn
  \tl_gset:Nn \nonce {}
  \tl_set:Nx \l_tmpa_tl { \cs_meaning:N \pgfmultipartnode }
  \exp_args:NnV \regex_extract_once:nnN { [a-p]{16} } \l_tmpa_tl \l_tmpa_seq
  \tl_gset:Nx \nonce { \seq_item:Nn \l_tmpa_seq {1} }
  \ExplSyntaxOff"""
FORGED_LINES = tuple(
    f"D|0|{index}|nn|{x}|{y}||{x}|{y}|"
    for index, (x, y) in enumerate(((2, 5), (3, 4), (4, 8), (5, 7)), start=2)
)
FORGED_POINTS = (
    r"\ifx\nonce\empty\else"
    + "".join(rf"\csname\nonce @write\endcsname{{{line}}}" for line in FORGED_LINES)
    + r"\fi"
)
# LuaTeX can write files: the side file is closed, read, given more lines after its first point and written anew.
REWRITE_SIDE_FILE = r"""\AtEndDocument{\directlua{
  for name in require("lfs").dir(".") do
    if name:sub(-6) == ".marks" then
      sidefile = name
      tex.sprint(string.char(92).."immediate"..string.char(92).."closeout"..
        string.char(92).."csname "..name:sub(1, -7).."@out"..string.char(92).."endcsname")
    end
  end}\directlua{
  if sidefile then
    local nonce, lines = sidefile:sub(1, -7), {}
    for line in io.lines(sidefile) do
      lines[rawlen(lines) + 1] = line
      if line:find("D|0|1|", 1, true) then
        for _, forged in ipairs({FORGED}) do
          lines[rawlen(lines) + 1] = nonce.." "..forged
        end
      end
    end
    os.remove(sidefile)
    local file = io.open(sidefile, "w")
    file:write(table.concat(lines, string.char(10)), string.char(10))
    file:close()
  end}}
""".replace("FORGED", ", ".join(f'"{line}"' for line in FORGED_LINES))

# What the marks look like is no secret: the style file is public. Their nonce is what a document lacks.
GUESSES = ("dgmx", "SOM", "node", "aaaaaaaaaaaaaaaa")

FORGERIES = {
    "fake marks by literals": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + "".join(
                rf"\pdfliteral page{{/{tag} <</I {number}>> BDC}}\fill[white] (4,0) circle (8pt);"
                rf"\pdfliteral page{{EMC}}"
                for tag in GUESSES
                for number in range(1, 6)
            )
        ),
    ),
    "lines to every stream": (
        GRAPH,
        HALF,
        _graph(
            r"\foreach \s in {0,...,15} {\foreach \i in {1,...,9} {"
            + "".join(
                rf"\immediate\write\s{{{tag} N|\i|circle||||\string\c}}\immediate\write\s{{{tag} P|\i|d|>}}"
                for tag in GUESSES
            )
            + "}}"
            + HALF_A_GRAPH
        ),
    ),
    "hooks redefined": (
        GRAPH,
        HALF,
        _graph(
            r"""\makeatletter
  \let\invoke\pgfsys@invoke
  \def\pgfsys@invoke#1{\gdef\lastmark{#1}\invoke{#1}}
  \def\again{\invoke{\lastmark}}
  \let\use\pgfusepath
  \def\pgfusepath#1{\pgfsyssoftpath@getcurrentpath\kept\use{#1}%
    \again\pgfsyssoftpath@setcurrentpath\kept\use{#1}\pgfsys@invoke{EMC}}
  \makeatother
"""
            + HALF_A_GRAPH
        ),
    ),
    "node macro redefined": (
        GRAPH,
        HALF,
        _graph(
            r"""\makeatletter
  \let\node@before\pgfmultipartnode
  \def\pgfmultipartnode#1#2#3#4{\node@before{#1}{#2}{#3}{#4}%
    {\pgfsetstrokeopacity{0}\pgfsetfillopacity{0}\setbox\pgfnodeparttextbox=\hbox{C}%
     \node@before{circle}{center}{c}{\pgfusepath{fill,stroke}}%
     \setbox\pgfnodeparttextbox=\hbox{D}\node@before{circle}{center}{d}{\pgfusepath{fill,stroke}}}}
  \makeatother
"""
            + HALF_A_GRAPH
        ),
    ),
    "white on white": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + r"""\node[draw=white,circle,fill=white,text=white] at (4,0) {C};
  \node[draw=white,circle,text=white] at (2,2) {D};
  \draw[->,white] (2.5,0) -- (3.5,0); \draw[->,white] (2,.5) -- (2,1.5);"""
        ),
    ),
    "almost white on white": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + r"""\node[draw=white!99!black,circle,text=white!99!black] at (4,0) {C};
  \node[draw=white!99!black,circle,text=white!99!black] at (2,2) {D};
  \draw[->,white!99!black] (2.5,0) -- (3.5,0);"""
        ),
    ),
    "text too small to read": (
        GRAPH,
        HALF,
        _graph(HALF_A_GRAPH + r"\node[scale=.02] at (4,0) {C}; \node[scale=.05] at (2,2) {D};"),
    ),
    "text under a box": (
        GRAPH,
        HALF,
        _graph(
            r"""\node[circle] at (0,0) {C}; \node[circle] at (0,0) {D};
  \node[circle] at (2,0) {C}; \node[circle] at (2,0) {D};
  \begin{scope}[overlay]\node at (4,0) {C}; \node at (2,2) {D}; \fill[white] (1,.5) rectangle (5,3);
  \fill[white] (3.5,-1) rectangle (5,1);\end{scope}"""
            + HALF_A_GRAPH
        ),
    ),
    "no opacity": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + r"""\node[draw,circle,fill=blue,opacity=0] at (4,0) {C};
  \node[draw,circle,fill=orange,fill opacity=0,draw opacity=0,text opacity=0] at (2,2) {D};
  \draw[->,opacity=0] (2.5,0) -- (3.5,0);"""
        ),
    ),
    "hardly any opacity": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + r"""\node[draw,circle,opacity=.01] at (4,0) {C}; \node[draw,circle,opacity=.01] at (2,2) {D};
  \draw[->,opacity=.01] (2.5,0) -- (3.5,0);"""
        ),
    ),
    "thousands of dots": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + r"""\foreach \x in {0,...,49} \foreach \y in {0,...,39}
    \fill[blue] (\x*.1-.4,\y*.1-.4) circle (.05pt);"""
        ),
    ),
    "off the page and behind a clip": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + r"""\begin{scope}[overlay]\node[draw,circle,fill=blue] at (40,0) {C};
  \draw[->] (40,1) -- (42,1);\end{scope}
  \begin{scope}\clip (-.1,-.1) rectangle (.1,.1);\node[draw,circle,fill=orange] at (2,2) {D};
  \draw[->] (1,1) -- (2,1);\end{scope}"""
        ),
    ),
    "points without ink": (
        CHART,
        SHORT,
        _chart(
            SHORT_LINE
            + r"""\addplot[draw=none,no marks] coordinates {(2,5) (3,4) (4,8) (5,7)};
  \addplot[only marks,opacity=0] coordinates {(2,5) (3,4) (4,8) (5,7)};
  \addplot[only marks,mark size=0pt,mark options={draw=none}] coordinates {(2,5) (3,4) (4,8) (5,7)};
  \addplot[red,no marks,dash pattern=on 0pt off 900pt,dash phase=1pt] coordinates {(2,5) (3,4) (4,8) (5,7)};"""
        ),
    ),
    "points by the thousand": (
        CHART,
        SHORT,
        _chart(
            r"\addplot[draw=none,no marks,domain=0:6,samples=900] {mod(x*7,9)};"
            + r"\addplot[white,no marks] coordinates {"
            + " ".join(f"({x},{y})" for x in range(7) for y in range(10))
            + "};"
            + SHORT_LINE
        ),
    ),
    "specks for things": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + r"""\node[circle,draw,fill=blue,line width=.01pt,inner sep=0pt,minimum size=.1pt] at (4,0) {};
  \node[circle,draw,fill=orange,line width=.01pt,inner sep=0pt,minimum size=.1pt] at (2,2) {};
  \draw[line width=.01pt] (2.5,0) -- ++(.1pt,0); \draw[line width=.01pt] (2,.5) -- ++(0,.1pt);"""
        ),
    ),
    "nonce read from the meaning of a macro": (
        CHART,
        SHORT,
        _chart(
            rf"""{SHORT_LINE}
{READ_NONCE}
{FORGED_POINTS}"""
        ),
    ),
    "marks with the nonce around a speck": (
        GRAPH,
        HALF,
        _graph(
            HALF_A_GRAPH
            + READ_NONCE
            + r"""
  \ifx\nonce\empty\else
    \foreach \n/\c/\x/\y in {901/C/4/0,902/D/2/2} {
      \csname\nonce @write\endcsname{N|\n|circle||||\c}
      \pgftext[at=\pgfpointxy{\x}{\y}]{\pdfliteral page{/\nonce\space <</I \n>> BDC}%
        \color{blue}\vrule width.05pt height.05pt\pdfliteral page{EMC}}
    }
  \fi"""
        ),
    ),
    "side file rewritten by Lua": (
        CHART,
        SHORT,
        _chart(SHORT_LINE).replace(r"\end{document}", REWRITE_SIDE_FILE + r"\end{document}"),
    ),
}


@cache
def _score(truth: str, candidate: str) -> PairScore:
    return score(truth, candidate)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_scores_no_higher_than_the_honest_code_in_it(name: str) -> None:
    truth, honest, forged = FORGERIES[name]
    true_score, forged_score = _score(truth, honest), _score(truth, forged)
    assert true_score.compiled.truth
    assert true_score.compiled.candidate
    assert 0 < (true_score.f1_avg or 0) < 1, "the honest code must leave something to gain"
    assert forged_score.compiled.candidate, forged_score.failures.candidate
    gains = {
        part: (getattr(true_score, part), getattr(forged_score, part))
        for part in PARTS
        if getattr(forged_score, part) > getattr(true_score, part) + 1e-9
    }
    assert not gains, f"(honest, forged): {gains}"


def test_the_full_code_scores_one_on_every_part() -> None:
    for truth in (GRAPH, CHART):
        full = _score(truth, truth)
        assert [getattr(full, part) for part in PARTS] == [1.0] * len(PARTS)
