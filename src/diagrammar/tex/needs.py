"""Which packages and libraries a piece of code needs, read off its commands, environments and keys.

A picture without preamble gets them in its wrapper; a document that fails for want of one gets that one. Too many do
no harm to a wrapper but cost time; so the patterns are narrow where a word is common.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from diagrammar.tex.document import without_comments
from diagrammar.tex.providers import (
    GRAPH_DRAWING,
    ONLY_WITHIN,
    PACKAGE_KEYS,
    PACKAGES,
    PGFPLOTS_LIBRARIES,
    TIKZ_LIBRARIES,
    TIKZ_LIBRARY_SIGNS,
)


@dataclass(frozen=True)
class Needs:
    """Names as \\usepackage, \\usetikzlibrary, \\usepgfplotslibrary and \\usegdlibrary take them, in loading order."""

    packages: tuple[str, ...] = ()
    tikz: tuple[str, ...] = ()
    pgfplots: tuple[str, ...] = ()
    graph_drawing: tuple[str, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """The preamble lines that load all this."""
        lines = [rf"\usepackage{{{package}}}" for package in self.packages]
        if "pgfplots" in self.packages:
            lines.append(r"\pgfplotsset{compat=newest}")
        for command, names in (
            ("usetikzlibrary", self.tikz), ("usepgfplotslibrary", self.pgfplots), ("usegdlibrary", self.graph_drawing),
        ):  # fmt: skip
            if names:
                lines.append(rf"\{command}{{{','.join(names)}}}")
        return tuple(lines)


LOOKED_AT = 200_000  # characters: a longer picture shows its needs in these
BRACKETS = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
SETTINGS = re.compile(r"\\(?:tikzset|pgfplotsset|tikzstyle|ctikzset)\b[^\n]*(?:\n(?!\s*\n)[^\n]*)*")
ENVIRONMENT = re.compile(r"\\begin\s*\{([^}]+)\}")
COMMAND = re.compile(r"\\([A-Za-z]+)")


def package_of_environment(name: str) -> str | None:
    """The package that defines the environment `name`, where the table knows one."""
    return next((p for p, (pattern, _) in PACKAGES.items() if pattern and re.fullmatch(pattern, name)), None)


def package_of_command(name: str) -> str | None:
    """The package that defines the command `name` (no backslash), where the table knows one."""
    if name in ("Vertex", "Edge"):
        return "tikz-network"
    return next((p for p, (_, pattern) in PACKAGES.items() if pattern and re.fullmatch(pattern, name)), None)


def needs_of(code: str) -> Needs:
    """What `code` needs loaded to compile, as far as the tables tell."""
    code = without_comments(code[:LOOKED_AT])
    environments, commands = set(ENVIRONMENT.findall(code)), set(COMMAND.findall(code))
    packages = [
        package for package, (environment, command) in PACKAGES.items()
        if (_any(environment, environments) or _any(command, commands) or _signed(package, code))
        and (package not in ONLY_WITHIN or re.search(ONLY_WITHIN[package], code))
    ]  # fmt: skip
    packages = _settle(packages, commands)
    keys = _keys(code)
    pictures = {
        "tikz",
        "pgfplots",
        "circuitikz",
        "tkz-euclide",
        "tikz-3dplot",
        "tikz-cd",
        "forest",
        "chemfig",
    }
    if not pictures & set(packages):
        return Needs(packages=tuple(packages))
    tikz = [library for library, pattern in TIKZ_LIBRARIES.items() if _has_key(pattern, keys)]
    tikz += [library for library, sign in TIKZ_LIBRARY_SIGNS.items() if re.search(sign, code, re.MULTILINE)]
    plots = (
        [library for library, sign in PGFPLOTS_LIBRARIES.items() if re.search(sign, code)]
        if "pgfplots" in packages
        else []
    )
    drawing = (
        [library for library, sign in GRAPH_DRAWING.items() if re.search(sign, code)]
        if "graphdrawing" in tikz
        else []
    )
    return Needs(
        packages=tuple(packages),
        tikz=tuple(dict.fromkeys(tikz)),
        pgfplots=tuple(plots),
        graph_drawing=tuple(drawing),
    )


def libraries_of_key(key: str) -> tuple[str, ...]:
    """The TikZ libraries whose keywords `key` is (without its path), the likeliest first."""
    name = key.rsplit("/", 1)[-1].strip()
    forms = (name, f"{name}=")
    return tuple(
        library
        for library, pattern in TIKZ_LIBRARIES.items()
        if any(re.fullmatch(pattern, form) for form in forms)
    )


def _signed(package: str, code: str) -> bool:
    return package in PACKAGE_KEYS and re.search(PACKAGE_KEYS[package], code) is not None


def _settle(packages: list[str], commands: set[str]) -> list[str]:
    """`packages` with those that include or exclude one another sorted out."""
    chosen = set(packages)
    if {"Vertex", "Edge"} & commands and "tkz-graph" not in chosen:
        chosen.add("tikz-network")
    if "tikz-network" in chosen:
        chosen.discard("tkz-graph")
    if chosen & {"pgfplots", "circuitikz", "chemfig", "tikz-cd", "forest"} and "tikz" not in chosen:
        chosen.add("tikz")
    if "physics" in chosen and "siunitx" in chosen:
        chosen.discard("physics")  # both define \qty
    if "tikz" in chosen:
        chosen -= {"graphicx", "xcolor"}  # tikz loads both
    return [package for package in PACKAGES if package in chosen]


def _keys(code: str) -> str:
    """All that stands in brackets or in settings: where keys are."""
    return "\n".join([*BRACKETS.findall(code), *SETTINGS.findall(code)])


def _has_key(pattern: str, keys: str) -> bool:
    if pattern.startswith((r"(?<", r"\b", r"\(", "[")):  # brings its own borders
        return re.search(pattern, keys) is not None
    return re.search(rf"(?<![\w\\-])(?:{pattern})(?:(?<==)|(?![\w-]))", keys) is not None


def _any(pattern: str, names: Iterable[str]) -> bool:
    return bool(pattern) and any(re.fullmatch(pattern, name) for name in names)
