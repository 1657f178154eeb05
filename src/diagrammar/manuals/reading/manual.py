"""The types of this room: an Example as a manual displays it, and the Manual that knows how to read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from diagrammar.records.diagrams import Domain

if TYPE_CHECKING:
    from diagrammar.manuals.reading.items import Item

Role = Literal["shown", "listing", "setup"]


LIGHT = "texlive-pictures-doc"  # what scripts/setup.sh installs unasked


@dataclass(frozen=True)
class SourceFile:
    """One text file of a manual. `name` is texmf-relative; an archive's member follows after `!`."""

    name: str
    text: str
    sha256: str  # of the file on disk: for a member, of its archive


@dataclass(frozen=True)
class Sources:
    """All that a manual ships: the texts to be read, and by base name the small files that examples load."""

    files: tuple[SourceFile, ...]
    beside: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Example:
    """One example.

    role: `shown` is code with its picture beside it, `listing` is code that the manual prints only,
    `setup` is code that it runs without a picture.
    """

    code: str  # as displayed, without common indentation
    file: SourceFile
    line: int  # 1-based line of the example's first line of code
    options: str = ""  # as written, without the brackets
    role: Role = "shown"
    setup: str = ""  # definitions made earlier in the manual that the code uses
    preamble: str = ""  # what the manual says belongs in the preamble
    title: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)  # files that the code loads: name -> text


@dataclass(frozen=True)
class Manual:
    """How one package's manual is found and read. One file of this room defines one."""

    package: str
    domain: Domain  # of an example that nothing in the code says otherwise about
    licence: str
    sources: tuple[str, ...]  # globs below a texmf root; what an archive holds is matched by `members`
    read: Callable[[Sources], Iterator[Example]]
    document: Callable[[Example], str]  # a complete document that draws the example
    sample: str  # a source of a few lines in this manual's own markup: exactly one shown example
    members: tuple[str, ...] = ()  # globs inside archives
    beside: tuple[str, ...] = ()  # globs of small text files that examples load
    domain_of: Callable[[Example], Domain] | None = None
    items: Callable[[Sources], Iterator[Item]] | None = None  # what the manual defines, where it says so
    debian: str = LIGHT  # the package of Debian that has the sources; "" where none has
    absent: str = ""  # why there may be no sources where the package itself is installed

    @property
    def remedy(self) -> str:
        """What brings the sources where they are missing, or why nothing does."""
        if not self.debian:
            return self.absent
        setup = f"run scripts/setup.sh{'' if self.debian == LIGHT else ' --all-manuals'}"
        return f"{setup}, or: apt-get install {self.debian} (no path-exclude may drop it)"

    def classify(self, example: Example) -> Domain:
        """The example's domain: the manual's, unless `domain_of` sees another one in the code."""
        return self.domain_of(example) if self.domain_of else self.domain
