"""doctor: look for each tool, ask for its version, say what its absence costs. Nothing missing raises."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from diagrammar import catalog, sandbox
from diagrammar.doctor.wanted import LIBRARIES, PROGRAMS, SETUP, TEX_FILES
from diagrammar.manuals.reading.manual import Manual
from diagrammar.manuals.reading.sources import texmf_roots
from diagrammar.metrics.pictures.weights import NETWORKS, find_weights, weights_path
from diagrammar.records.scores import NotComputed
from diagrammar.tex.fontcache import own_cache

Group = Literal["program", "isolation", "tex package", "manual", "python package", "network"]
ANSWER_WITHIN_S = 20
_NUMBER = re.compile(r"\d+(?:\.\d+)+(?:-[\d.]+\d)*(?: \(TeX Live \d+)?")


@dataclass(frozen=True)
class Finding:
    """One tool: found or not, its version, and for what is missing the cost and the remedy."""

    group: Group
    name: str
    found: bool
    needed: bool  # False: only some uses suffer
    version: str = ""
    cost: str = ""
    remedy: str = ""


def examine() -> Iterator[Finding]:
    """A Finding for each tool and package that diagrammar can use, in a fixed order."""
    yield from _programs()
    yield from _isolation()
    yield from _tex_packages()
    yield from _font_names()
    yield from _manuals()
    yield from _libraries()
    yield from _networks()


def _programs() -> Iterator[Finding]:
    for program in PROGRAMS:
        number = _NUMBER.search(_answer([program.name, program.version_option]) or "")
        if number is None:
            remedy = f"{SETUP}, or: apt-get install {program.debian}"
            yield Finding("program", program.name, False, program.needed, cost=program.cost, remedy=remedy)
        else:
            version = number[0].replace("(", "")
            yield Finding("program", program.name, True, program.needed, version)


def _isolation() -> Iterator[Finding]:
    """Whether bubblewrap isolates: by a run, since kernels and containers differ in what they allow."""
    problem = sandbox.bubblewrap_problem()
    user = "root" if os.geteuid() == 0 else f"user {os.geteuid()}"
    if problem is None:
        yield Finding("isolation", "documents in a sandbox", True, True, f"works here for {user}")
        return
    yield Finding(
        "isolation", "documents in a sandbox", False, True,
        cost=f"{problem}: documents are refused; your own compile with --trust, models' answers do not",
        remedy=f"{SETUP} installs bubblewrap; kernel and container must allow namespaces (README, Isolation)",
    )  # fmt: skip


def _tex_packages() -> Iterator[Finding]:
    path_by_file = _tex_paths([wanted.file for wanted in TEX_FILES])
    for wanted in TEX_FILES:
        path = path_by_file.get(wanted.file)
        if path is None:
            remedy = f"{SETUP}, or: apt-get install {wanted.debian}"
            yield Finding("tex package", wanted.name, False, wanted.needed, cost=wanted.cost, remedy=remedy)
            continue
        told = re.search(wanted.version, path.read_text(encoding="utf-8", errors="replace"))
        version = next((group for group in told.groups() if group), "") if told else ""
        yield Finding("tex package", wanted.name, True, wanted.needed, " ".join(version.split()) or "unknown")


def _font_names() -> Iterator[Finding]:
    """LuaTeX's list of fonts: where there is none, each document that loads a system font makes its own."""
    told = _answer(["kpsewhich", "--var-value=TEXMFCACHE"]) or ""
    folders = [own_cache(), *(Path(folder) for folder in told.strip().split(os.pathsep) if folder)]
    found = any(any(folder.glob("luatex-cache/*/names/*")) for folder in folders)
    yield Finding(
        "tex package", "list of system fonts", found, False,
        version="present" if found else "",
        cost="" if found else "LuaTeX documents that load a system font are slow, or pass their time limit",
        remedy="" if found else f"{SETUP}, or: python -m diagrammar.tex.fontcache",
    )  # fmt: skip


def _manuals() -> Iterator[Finding]:
    roots = texmf_roots()
    for manual in catalog.load_all("diagrammar.manuals", Manual).values():
        files = [path for root in roots for pattern in manual.sources for path in root.glob(pattern)]
        if files:
            yield Finding(
                "manual", manual.package, True, False, f"{len(files)} source file{'s' * (len(files) > 1)}"
            )
        else:
            yield Finding(
                "manual", manual.package, False, False,
                cost=f"no {manual.package} examples",
                remedy=manual.remedy,
            )  # fmt: skip


def _libraries() -> Iterator[Finding]:
    for library in LIBRARIES:
        try:
            yield Finding(
                "python package", library.name, True, library.needed, metadata.version(library.name)
            )
        except metadata.PackageNotFoundError:
            remedy = f"{SETUP}, or: pip install 'diagrammar[{library.extra}]'" if library.extra else SETUP
            yield Finding(
                "python package", library.name, False, library.needed, cost=library.cost, remedy=remedy
            )


def _networks() -> Iterator[Finding]:
    """The weights of the networks that compare pictures: no package brings them."""
    for network in NETWORKS.values():
        found = find_weights(network)
        if isinstance(found, NotComputed):
            reason = "" if not weights_path(network).exists() else f" ({found.reason})"
            yield Finding(
                "network", network.title, False, False,
                cost=f"{network.cost}{reason}",
                remedy=f"diagrammar weights fetch {network.name}, or its path in ${network.path_variable}",
            )  # fmt: skip
        else:
            source = f", {found.record.source}" if found.record else ""
            yield Finding("network", network.title, True, False, f"sha256 {found.sha256[:12]}{source}")


def _tex_paths(files: list[str]) -> dict[str, Path]:
    answer = _answer(["kpsewhich", *files])
    paths = [Path(line) for line in (answer or "").splitlines() if line]
    return {path.name: path for path in paths if path.is_file()}


def _answer(argv: list[str]) -> str | None:
    """What the program prints, None where it is not there or does not answer."""
    program = shutil.which(argv[0])
    if program is None:
        return None
    try:
        run = subprocess.run(
            [program, *argv[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=ANSWER_WITHIN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return run.stdout.decode(errors="replace")
