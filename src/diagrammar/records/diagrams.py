"""Diagrams and what TeX makes of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from diagrammar.records.scenes import Frozen

Domain = Literal["charts", "planar_geometry", "3d_shapes", "graph", "chemistry", "circuit"]
DOMAINS: tuple[Domain, ...] = ("charts", "planar_geometry", "3d_shapes", "graph", "chemistry", "circuit")
Engine = Literal["pdflatex", "lualatex", "xelatex"]
ENGINES: tuple[Engine, ...] = ("pdflatex", "lualatex", "xelatex")
Output = Literal["pdf", "svg"]  # what a document is compiled to, and so the way its objects are read

FailureKind = Literal[
    "no_code", "truncated", "timeout", "missing_package", "missing_library", "missing_file",
    "undefined_command", "undefined_environment", "unknown_key", "unknown_shape", "undefined_color",
    "syntax", "math_mode", "dimension_too_large", "arithmetic", "capacity", "option_clash", "engine_required",
    "font", "unicode", "package_error", "resource_limit", "isolation_required", "no_output", "tex_error",
    "reader_failed", "driver_limit", "conversion_failed",
]  # fmt: skip


class Source(Frozen):
    """Where a diagram came from and on what terms."""

    url: str = Field(description="address, or texmf-relative path of an installed manual")
    licence: str
    retrieved: str = Field(default="", description="ISO date, empty for installed files")
    sha256: str = Field(description="of the file it was read from")
    line: int | None = Field(default=None, description="1-based line of the example in that file")
    file: str = Field(
        default="", description="the file inside what url names: an archive's member, a code block"
    )
    author: str = Field(default="", description="who has to be named, with a link where there is one")
    title: str = Field(default="", description="of the post, paper or row it is part of")
    note: str = Field(default="", description="what was odd about reading it, such as its encoding")


class Diagram(Frozen):
    """A diagram as collected: complete document text in `code`."""

    id: str
    code: str
    language: Literal["tikz"] = "tikz"
    packages: tuple[str, ...] = ()
    domain: Domain | None = None
    source: Source
    preamble: str = Field(default="", description="the part of code before \\begin{document}")


@dataclass(frozen=True)
class Compiled:
    """A document that TeX took: exit status 0 under -halt-on-error and a fresh, complete PDF."""

    pdf: bytes
    marks: str  # the side file: one attribute line per mark; "" where compiled without marks
    nonce: str  # tags and side-file lines of this compile carry it
    engine: Engine
    code: str  # what was compiled, after wrapping and repairs
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    isolation: Literal["bubblewrap", "none"] = "bubblewrap"
    marked: bool = True
    seconds: float = 0.0
    cpu_seconds: float = 0.0  # of TeX itself, over all runs; a parent's rusage does not contain it
    ok: Literal[True] = field(default=True, init=False)


@dataclass(frozen=True)
class CompiledSvg:
    """A document that TeX took as DVI and dvisvgm as SVG: what the second reader reads."""

    pages: tuple[bytes, ...]  # an SVG each
    marks: str  # as in Compiled, and a line for each page's size
    nonce: str
    engine: Engine  # named by its PDF twin: pdflatex is latex, lualatex dvilualatex, xelatex xelatex -no-pdf
    code: str
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    isolation: Literal["bubblewrap", "none"] = "bubblewrap"
    marked: bool = True
    seconds: float = 0.0
    cpu_seconds: float = 0.0  # of TeX and dvisvgm
    ok: Literal[True] = field(default=True, init=False)


@dataclass(frozen=True)
class TexFailure:
    """A document that TeX did not take. A model's mistake is this value, never an exception."""

    kind: FailureKind
    message: str  # one line
    line: int | None = None  # 1-based, in the text as the user gave it where that can be told
    hint: str = ""
    engine: Engine | None = None  # the engine whose failure is reported
    repairs: tuple[str, ...] = ()
    log: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    ok: Literal[False] = field(default=False, init=False)
