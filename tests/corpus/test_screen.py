"""What is not even compiled: programs that run, write or read more than a picture needs, and long ones."""

from __future__ import annotations

import pytest

from diagrammar.corpus.refine import Job, refine_one
from diagrammar.corpus.screen import MAX_CHARACTERS, MAX_LINES, screen
from diagrammar.records.corpus import Rejected
from diagrammar.records.diagrams import Diagram, Source

DRAWING = r"\begin{tikzpicture}\draw (0,0) -- (1,1);\end{tikzpicture}"


def document(body: str, preamble: str = "") -> str:
    head = f"\\documentclass{{standalone}}\n\\usepackage{{tikz}}\n{preamble}\n"
    return f"{head}\\begin{{document}}\n{body}\n{DRAWING}\n\\end{{document}}\n"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (r"\immediate\write18{ls}", "runs a program"),
        (r"\write 18{ls}", "runs a program"),
        (r"\ShellEscape{ls}", "runs a program"),
        (r"\input|ls", "runs a program"),
        (r'\input{"|ls"}', "runs a program"),
        (r"\openin5=|ls", "runs a program"),
        (r"\tikzexternalize", "runs a program"),
        (r"\usepackage[cache=false]{minted}", "runs a program"),
        (r"\newwrite\f\immediate\openout\f=notes.txt", "writes a file"),
        ("\\begin{filecontents*}[overwrite]{../notes.txt}\nx\n\\end{filecontents*}", "writes a file outside"),
        (r"\input{/etc/passwd}", "reads outside"),
        (r"\input ../secret", "reads outside"),
        (r"\openin5=/etc/passwd", "reads outside"),
        (r"\includegraphics[width=2cm]{~/picture.png}", "reads outside"),
        (r"\addplot table [x=a, y=b] {../numbers.dat};", "reads outside"),
        (r"\pgfplotstableread[col sep=comma]{/data/numbers.csv}\loaded", "reads outside"),
        (r"\directlua{os.execute('ls')}", "Lua on the system: os"),
        (r"\directlua{local f = io.open('x', 'w')}", "Lua on the system: io"),
        ("\\begin{luacode}\nrequire('lfs')\n\\end{luacode}", "Lua on the system: require"),
        (r"\pdfobj stream file {notes.txt}", "into the PDF"),
        (r"\embedfile{notes.txt}", "into the PDF"),
        (r"\special{pdf: fstream @name (notes.txt)}", "into the PDF"),
        (r"\pdfcatalog{/OpenAction << /S /JavaScript /JS (x) >>}", "into the PDF"),
        (r"^^5cwrite18{ls}", "runs a program"),
        (r"\csname openout\endcsname", "hides a command"),
        ("\\catcode`\\%=12\n% \\write18{ls}", "runs a program"),
    ],
)
def test_what_reaches_out_is_unsafe(code: str, why: str) -> None:
    found = screen(document(code))
    assert found is not None
    assert found[0] == "unsafe" and why in found[1]


@pytest.mark.parametrize(
    "code",
    [
        "% \\write18{ls} would run a program",
        r"\write-1{a line in the log}",
        r"\typeout{a line in the log}",
        "\\begin{filecontents*}{numbers.dat}\n1 2\n\\end{filecontents*}",
        r"\addplot table {numbers.dat};",
        r"\input{styles}",
        r"\includegraphics{pictures/a.png}",
        r"\directlua{tex.print(math.sqrt(2))} radio.loads are no Lua",
        r"\node {read/write18 pins, os and io};",
        r"\pgfkeys{/tikz/my style/.style={draw}}",
        r"\draw (0,0) -- (../2,1);",
        r"\csname tikz@mode\endcsname",
    ],
)
def test_what_stays_at_home_passes(code: str) -> None:
    assert screen(document(code)) is None


def test_the_message_says_the_line() -> None:
    found = screen(document(r"\openout5=x"))
    assert found == ("unsafe", r"writes a file: \openout (line 5)")


def test_the_last_length_that_passes() -> None:
    assert screen("x\n" * MAX_LINES) is None
    assert screen("x\n" * MAX_LINES + "x") == ("too_long", "301 lines; at most 300")
    assert screen("x" * MAX_CHARACTERS) is None
    assert screen("x" * (MAX_CHARACTERS + 1)) == ("too_long", "12,001 characters; at most 12,000")


def test_refine_asks_the_screen_before_tex() -> None:
    source = Source(url="x.tex", licence="unknown", sha256="0" * 64)
    diagram = Diagram(id="x", code=document(r"\write18{ls}"), source=source)
    outcome = refine_one(Job(diagram, timeout_s=60, trust=False))
    assert isinstance(outcome, Rejected)
    assert (outcome.reason, outcome.engine, outcome.seconds) == ("unsafe", None, 0.0)
