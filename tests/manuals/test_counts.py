"""Every manual's examples, counted a second time by a pattern that knows no TeX. About five seconds."""

from __future__ import annotations

import re
from functools import cache

import pytest

from diagrammar.catalog import load, load_all
from diagrammar.manuals.reading.manual import Example, Manual, Sources
from diagrammar.manuals.reading.sources import find_sources, texmf_roots

# package: what opens an example, and how many fewer we read than the pattern finds, with the reason.
EXPECTED = {
    # One stands inside \iffalse (library perspective). In the Lua files, strings that begin with a picture are counted;
    # one more example begins with another command.
    "tikz-pgf": (r'\\begin\{codeexample\}|\[\["?\s*\\(?:tikz|begin\{tikzpicture)', 0),
    # One stands inside \iffalse (smithchart); one is written to a file by the preamble's \string\begin{...}.
    "pgfplots": (r"\\begin\{codeexample\}", 2),
    # Two are printed inside listings that show how to write such examples.
    "circuitikz": (r"\\begin\{(?:LTXexample|lstlisting)\}", 2),
    # One listing of marker names begins in the middle of a line of text.
    "tkz-euclide": (r"\\begin\{tkz(?:ltx)?example\}", 1),
    # Eight times the preamble defines the macro or its inner steps.
    "chemfig": (r"\\exemple", 8),
    "tikz-network": (r"\\begin\{lstlisting\}", 0),
    "tkz-base": (r"\\begin\{tkz(?:ltx)?example\}", 0),
    "tkz-graph": (r"\\begin\{tkz(?:ltx)?example\}", 0),
    "tikz-cd": (r"\\begin\{codeexample\}", 0),
    "tikz-qtree": (r"\\begin\{(?:SideBySideExample|Example|Verbatim)\}", 0),
    "tikz-3dplot": (r"\\begin\{verbatim\}", 0),
    "forest": (r"\\begin\{forestexample\}", 0),
    # With scripts/setup.sh --all-manuals:
    # Five are printed inside listings that show how to write such examples.
    "tcolorbox": (r"\\begin\{(?:ex)?disp(?:Example|Listing)\*?\}", 5),
    # The two manuals are documents themselves, and the test for LaTeX 2.09 is no example.
    "comment": (r"\\begin\{verbatim\}|\\document(?:class|style)", 3),
    "amscd": (r"\\begin\{verbatim\}\s*\\begin\{CD\}", 0),
    # 149 more are pictures in the text: of 313 pspictures in all, 164 stand inside these environments.
    "pst-solides3d": (r"\\begin\{(?:LTXexample|verbatim)\}", -149),
}


@cache
def reading(package: str) -> tuple[Sources, list[Example]]:
    manual = load("diagrammar.manuals", package, Manual)
    sources = find_sources(manual)
    return sources, list(manual.read(sources))


def test_there_is_a_manual_for_each_core_package() -> None:
    packages = {manual.package for manual in load_all("diagrammar.manuals", Manual).values()}
    assert set(EXPECTED) <= packages


@pytest.mark.parametrize("package", EXPECTED)
def test_no_example_is_lost_and_none_invented(package: str) -> None:
    sources, examples = reading(package)
    if not sources.files and load("diagrammar.manuals", package, Manual).debian != "texlive-pictures-doc":
        pytest.skip(f"the manual of {package} is not installed; run scripts/setup.sh --all-manuals")
    assert sources.files, f"the manual of {package} is not installed; run scripts/setup.sh"
    pattern, fewer = EXPECTED[package]
    found = sum(len(re.findall(pattern, re.sub(r"(?<!\\)%.*", "", file.text))) for file in sources.files)
    read = len(examples)
    assert abs(found - read) <= 0.03 * found or found - read == fewer
    if "/texlive/" in str(texmf_roots()[-1]) and found in (3130, 1288, 517, 376, 244, 107):  # TeX Live 2022
        assert found - read == fewer


@pytest.mark.parametrize("package", EXPECTED)
def test_each_example_stands_where_it_says(package: str) -> None:
    seen: set[tuple[str, int]] = set()
    for example in reading(package)[1]:
        if not example.code:
            continue
        assert (example.file.name, example.line) not in seen
        seen.add((example.file.name, example.line))
        row = example.file.text.split("\n")[example.line - 1]
        assert row.strip(), f"{example.file.name}:{example.line} is blank"


PAPER = (
    "tikz-pgf pgfplots circuitikz tkz-euclide chemfig tikz-network xspace pst-solides3d fullpage amscd tkz-base"
    " tkz-graph tikz-cd comment tikz-3dplot tikz-qtree soul forest tcolorbox"
)


def test_each_package_of_the_table_has_a_manual_and_a_reason_where_it_has_no_sources() -> None:
    manuals = {manual.package: manual for manual in load_all("diagrammar.manuals", Manual).values()}
    assert sorted(manuals) == sorted(PAPER.split())
    assert {name for name, manual in manuals.items() if not manual.debian} == {"soul", "xspace", "fullpage"}
    assert all(manual.absent for manual in manuals.values() if not manual.debian)
