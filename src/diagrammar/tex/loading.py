"""Repairs that load something: the package or library that a failure names, or that defines what it names."""

from __future__ import annotations

import re
from functools import partial

from diagrammar.tex.document import Document
from diagrammar.tex.failures import Reading
from diagrammar.tex.installed import is_installed, library_defining
from diagrammar.tex.needs import Needs, libraries_of_key, needs_of, package_of_command, package_of_environment
from diagrammar.tex.providers import PGFPLOTS_LIBRARIES

USEPACKAGE = (
    r"\\(?P<command>usepackage|RequirePackage)\s*(?:\[(?P<options>(?:[^\[\]{{}}]|\{{[^{{}}]*\}})*)\])?"
    r"\s*\{{(?P<names>[^}}]*\b{name}\b[^}}]*)\}}"
)
ASKS_FOR_LIBRARY = re.compile(
    r"[Yy]ou need to (?:say|load|use)[^{}]*\\use(?P<owner>tikz|pgfplots)library\s*\{(?P<library>[\w., ]+)\}"
)


def library_asked_for(document: Document, failure: Reading) -> Document | None:
    """TikZ or pgfplots says which library to load."""
    said = ASKS_FOR_LIBRARY.search(failure.message)
    if said is not None and said["owner"] == "pgfplots":
        return _with_plot_libraries(document, said["library"])
    if said is not None:
        return _with_libraries(document, said["library"])
    if "load a decoration library" in failure.message:
        return _with_decorations(document)
    return None


def library_of_key(document: Document, failure: Reading) -> Document | None:
    """An unknown key, shape, decoration or pattern: the library that defines it."""
    name = failure.culprit
    if name.rsplit("/", 1)[-1].startswith('"'):
        return _with_libraries(document, "quotes")
    if name.startswith("/pgf/decoration/"):
        return _with_decorations(document)
    for library in (*libraries_of_key(name), *library_defining(name.rsplit("/", 1)[-1])):
        repaired = _with_libraries(document, library)
        if repaired is not None:
            return repaired
    if re.search(USEPACKAGE.format(name="pgfplots"), document.code) is None:
        return None
    keyword = name.rsplit("/", 1)[-1]
    plots = [library for library, sign in PGFPLOTS_LIBRARIES.items() if re.search(sign, f"{keyword}=")]
    return _with_plot_libraries(document, *plots)


def library_of_the_other(document: Document, failure: Reading) -> Document | None:
    """A pgfplots library asked of TikZ, or the other way round: asked of the one that has it."""
    name = failure.culprit
    for command, other, files in (
        ("usetikzlibrary", "usepgfplotslibrary", (f"tikzlibrarypgfplots.{name}", f"pgflibrarypgfplots.{name}")),
        ("usepgfplotslibrary", "usetikzlibrary", (f"tikzlibrary{name}", f"pgflibrary{name}")),
    ):  # fmt: skip
        listed = re.compile(rf"(\\{command}\s*\{{[^}}]*?)(?<![\w.]){re.escape(name)}(?![\w.])\s*,?")
        if not listed.search(document.code) or not any(is_installed(f"{file}.code.tex") for file in files):
            continue
        dropped = document.with_each_line(partial(listed.sub, r"\1"))
        return dropped.with_last_in_preamble([rf"\{other}{{{name}}}"]).noted(
            f"loaded the library {name} by \\{other} instead of \\{command}"
        )
    return None


def arrow_library(document: Document, failure: Reading) -> Document | None:
    """An unknown arrow tip: arrows.meta, and the older arrows where that is loaded already."""
    if not failure.message.startswith("Package pgf Error: Unknown arrow tip"):
        return None
    return _with_libraries(document, "arrows.meta") or _with_libraries(document, "arrows")


def positioning_library(document: Document, failure: Reading) -> Document | None:
    """`right=of a` read as a formula: the library positioning."""
    return _with_libraries(document, "positioning") if failure.culprit in ("o", "of") else None


def package_of_name(document: Document, failure: Reading) -> Document | None:
    """An undefined environment or command: the package that defines it."""
    if failure.kind == "undefined_environment":
        package = package_of_environment(failure.culprit)
    else:
        package = package_of_command(failure.culprit.removeprefix("\\"))
    if package is None or not is_installed(f"{package}.sty"):
        return None
    if re.search(USEPACKAGE.format(name=re.escape(package)), document.code):
        return _with_plot_libraries(document, *needs_of(document.code).pgfplots)
    lines = Needs(packages=(package,)).lines()
    return document.with_last_in_preamble(lines).noted(
        f"loaded the package {package}, which defines {failure.culprit}"
    )


def package_of_key(document: Document, failure: Reading) -> Document | None:
    """A component in a tikzpicture (`to[R=...]`): the package whose key it is."""
    loaded = re.search(USEPACKAGE.format(name="circuitikz"), document.code)
    if loaded or "circuitikz" not in needs_of(document.code).packages or failure.culprit.count("/") != 2:
        return None
    added = document.with_last_in_preamble([r"\usepackage{circuitikz}"])
    return added.noted(f"loaded the package circuitikz, which defines {failure.culprit.rsplit('/', 1)[-1]}")


def _with_libraries(document: Document, *libraries: str) -> Document | None:
    """The document with those libraries that it does not load yet; None where there is none."""
    code = document.code
    loaded = {
        name.strip()
        for found in re.finditer(r"\\usetikzlibrary\s*\{([^}]*)\}", code)
        for name in found[1].split(",")
    }
    new = [name for name in libraries if name not in loaded]
    if not new:
        return None
    has_tikz = re.search(r"\{[^}]*\b(?:tikz|pgfplots|circuitikz|tkz-\w+|chemfig|forest)\b[^}]*\}", code)
    packages = () if has_tikz else ("tikz",)
    lines = Needs(packages=packages, tikz=tuple(new)).lines()
    said = "library" if len(new) == 1 else "libraries"
    return document.with_last_in_preamble(lines).noted(f"loaded the TikZ {said} {', '.join(new)}")


def _with_decorations(document: Document) -> Document | None:
    """The document with the libraries of all its decorations."""
    needed = needs_of(document.code).tikz
    return _with_libraries(document, *[name for name in needed if name.startswith("decorations.")])


def _with_plot_libraries(document: Document, *libraries: str) -> Document | None:
    code = document.code
    new = [
        name for name in libraries
        if not re.search(rf"\\usepgfplotslibrary\s*\{{[^}}]*\b{re.escape(name)}\b", code)
    ]  # fmt: skip
    if not new:
        return None
    added = document.with_last_in_preamble(Needs(pgfplots=tuple(new)).lines())
    return added.noted(f"loaded the pgfplots library {', '.join(new)}")
