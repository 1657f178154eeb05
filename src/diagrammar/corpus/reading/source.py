"""The types of a source: its options, its parts in a fixed order, and the kind that knows how to open it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diagrammar.records.corpus import Skipped
from diagrammar.records.diagrams import Diagram

Piece = Diagram | Skipped
Given = str | int | bool | tuple[str, ...] | None


@dataclass(frozen=True)
class Part:
    """What is read in one go: a file, an archive, a post. What was read of it is either kept whole or read again."""

    id: str  # unique in the source, the same at every reading
    read: Callable[[], Iterable[Piece]]
    position: int = 0  # how far into the source it is, in the source's measure


@dataclass(frozen=True)
class Opened:
    """A source ready to be read."""

    digest: str  # of the content: changes when anything changes that would be read
    parts: Callable[[], Iterator[Part]]
    size: int | None = None  # in the measure
    measure: str = "files"  # what size and position count
    missing: tuple[str, ...] = ()  # what should be there and is not: a line each


@dataclass(frozen=True)
class Option:
    """One option of a source, as the command line shows it. Its name is `--name` there and `name` to `open`."""

    name: str
    help: str
    kind: Literal["text", "number", "flag", "file", "folders"] = "text"
    default: str | int | None = None


@dataclass(frozen=True)
class SourceKind:
    """How one kind of source is read. One file of `corpus/sources` defines one."""

    name: str
    summary: str  # one sentence, for the command line
    takes: Literal["folder", "path", "nothing"]  # what the command line asks for
    open: Callable[..., Opened]  # (path, **options), without the path where it takes nothing; raises BadInput
    example: Callable[
        [Path], Opened
    ]  # writes a tiny source into the folder and opens it: exactly one diagram
    options: tuple[Option, ...] = ()
