"""The same source gives the same bytes: in another process, another folder, at another time, in every engine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diagrammar.records.diagrams import ENGINES, Compiled
from diagrammar.tex import compile_tex

DRAWING = r"""\documentclass{article}
\usepackage{tikz}
\newsavebox\early\sbox\early{\tikz\draw(0,0)--(rand,rand);}
\begin{document}\thispagestyle{empty}
\today\ \the\time\ \jobname\ \usebox\early
\begin{tikzpicture}[remember picture]
\foreach \i in {1,...,9} \fill[opacity=.5,red!\i0] (rnd*3,rand) circle (2pt) node {\pgfmathrandominteger{\n}{1}{99}\n};
\shade[ball color=blue] (0,0) circle (1);
\end{tikzpicture}
RANDOM
\end{document}
"""
RANDOM = {
    "pdflatex": r"\pdfuniformdeviate 1000000",
    "lualatex": r"\directlua{tex.print(math.random(1000) .. os.date() .. os.time())}\uniformdeviate 1000000",
    "xelatex": r"\uniformdeviate 1000000",
}
PROGRAM = """
import sys
from diagrammar.tex import compile_tex
result = compile_tex(sys.stdin.read(), engines=(sys.argv[1],), trust=True)
assert result.ok, result
sys.stdout.buffer.write(result.pdf + result.marks.encode())
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_source_gives_the_same_bytes(engine: str, tmp_path: Path) -> None:
    text = DRAWING.replace("RANDOM", RANDOM[engine])
    here = compile_tex(text, engines=(engine,))  # type: ignore[arg-type]
    assert isinstance(here, Compiled), here
    time.sleep(1.1)  # a clock in seconds has moved on
    folder = tmp_path / "another temporary folder"
    folder.mkdir()
    there = subprocess.run(
        [sys.executable, "-c", PROGRAM, engine], input=text.encode(), capture_output=True, check=True, cwd=folder,
        env={**os.environ, "TMPDIR": str(folder), "TZ": "Pacific/Auckland", "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert there.stdout == here.pdf + here.marks.encode()
    assert b"/job" not in here.pdf and b"/tmp" not in here.pdf


def test_another_source_gives_another_nonce() -> None:
    first, second = compile_tex("\\tikz\\draw(0,0)--(1,1);"), compile_tex("\\tikz\\draw(0,0)--(1,2);")
    assert isinstance(first, Compiled) and isinstance(second, Compiled)
    assert first.nonce != second.nonce and first.nonce in first.marks + first.pdf.decode("latin-1")
