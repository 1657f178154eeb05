"""A small benchmark of twelve documents, two per domain, made once by the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from diagrammar.cli.main import program
from diagrammar.metrics.pictures.weights import NETWORKS

PICTURE = "\\documentclass[tikz,border=2pt]{standalone}\n%s\\begin{document}\n%s\n\\end{document}\n"
PLOTS = "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.18}\n"
# Every document has objects, texts, colours and boxes, but for the ring of dots, which has no text.
DOCUMENTS = {
    "bars": (PLOTS, r"""\begin{tikzpicture}\begin{axis}[ybar, width=5cm]
\addplot[fill=red] coordinates {(0,1) (1,3) (2,2) (3,5)};
\end{axis}\end{tikzpicture}"""),
    "lines": (PLOTS, r"""\begin{tikzpicture}\begin{axis}[width=5cm, xlabel=time]
\addplot[blue, mark=*] coordinates {(0,0) (1,2) (2,1)};
\addplot[red, mark=x] coordinates {(0,2) (1,1) (2,3)};
\end{axis}\end{tikzpicture}"""),
    "triangle": ("\\usepackage{tkz-euclide}\n", r"""\begin{tikzpicture}
\tkzDefPoints{0/0/A,3/0/B,1/2/C}
\tkzDrawPolygon[blue](A,B,C)
\tkzDrawPoints[red](A,B,C)
\tkzLabelPoints(A,B)
\tkzLabelPoints[above](C)
\end{tikzpicture}"""),
    "circle": ("\\usepackage{tkz-euclide}\n", r"""\begin{tikzpicture}
\tkzDefPoints{0/0/O,2/0/P}
\tkzDrawCircle[red](O,P)
\tkzDrawSegment[blue](O,P)
\tkzLabelPoints(O,P)
\end{tikzpicture}"""),
    "space": (PLOTS, r"""\begin{tikzpicture}\begin{axis}[width=6cm]
\addplot3[red, mark=*] coordinates {(0,0,0) (1,1,1) (2,0,2) (3,1,0)};
\end{axis}\end{tikzpicture}"""),
    "planes": ("\\usetikzlibrary{3d}\n", r"""\begin{tikzpicture}
\begin{scope}[canvas is xy plane at z=0]
\draw[red] (0,0) rectangle (2,1);
\node at (1,.5) {floor};
\end{scope}
\draw[blue] (0,0,0) -- (0,0,2);
\node at (0,0,2.4) {up};
\end{tikzpicture}"""),
    "graph": ("", r"""\begin{tikzpicture}
\node[circle, draw] (a) {a};
\node[draw=red] (b) at (2,0) {b};
\draw[->] (a) -- (b);
\draw[blue] (a) to[bend left] node[above] {one} (b);
\node at (1,-1) {two ways};
\end{tikzpicture}"""),
    "ring": ("", r"""\begin{tikzpicture}
\draw[red] (0,0) circle (1);
\fill (1,0) circle (2pt);
\fill (-1,0) circle (2pt);
\draw[blue] (-1,0) -- (1,0);
\end{tikzpicture}"""),
    "acid": ("\\usepackage{chemfig}\n", r"\chemfig{H_3C-C(=[:60]O)(-[:-60]OH)}"),
    "star": ("\\usepackage{chemfig}\n", r"\chemfig{C(-[:0]F)(-[:90]Cl)(-[:180]Br)(-[:270]I)}"),
    "divider": ("\\usepackage{circuitikz}\n", r"""\begin{circuitikz}
\draw (0,0) to[R=$R_1$] (2,0) to[R=$R_2$, color=red] (4,0) to[C=$C$] (4,-2);
\node at (1,-1) {in};
\end{circuitikz}"""),
    "loop": ("\\usepackage{circuitikz}\n", r"""\begin{circuitikz}
\draw (0,0) to[V=$U$] (0,2) to[L=$L$] (2,2) to[C=$C$] (2,0) -- (0,0);
\end{circuitikz}"""),
}  # fmt: skip
WITHOUT_TEXT = "ring"


@pytest.fixture(scope="session")
def diagrammar() -> Callable[..., Result]:
    """Calls the program; fails the test where the exit code is not the one wanted."""

    def call(*arguments: object, code: int = 0) -> Result:
        result = CliRunner().invoke(program, [str(argument) for argument in arguments], catch_exceptions=True)
        assert result.exit_code == code, f"{result.output}\n{result.exception!r}"
        return result

    return call


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for name, (packages, body) in DOCUMENTS.items():
        (folder / f"{name}.tex").write_text(PICTURE % (packages, body), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def bench(
    documents: Path, diagrammar: Callable[..., Result], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    diagrammar("build", "--folder", documents, "--out", folder)
    return folder


@pytest.fixture(scope="session")
def no_weights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A machine without the networks' weights, whatever this one has."""
    with pytest.MonkeyPatch.context() as patch:
        for network in NETWORKS.values():
            patch.setenv(network.path_variable, str(tmp_path_factory.mktemp("none") / "none.onnx"))
        yield
