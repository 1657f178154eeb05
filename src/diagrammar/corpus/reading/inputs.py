"""A TeX file -> its text with what it inputs in place, and for every character the file and line it came from.

Followed are \\input and its like, and the tree's own packages and classes. What lies outside the
tree is never read: that TeX finds it elsewhere is left to TeX.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from diagrammar.corpus.reading.decoding import Refused, declared_encoding
from diagrammar.corpus.reading.tree import Tree, folders_above
from diagrammar.corpus.reading.visible import visible
from diagrammar.records.corpus import Skipped, SkipReason

MAX_DEPTH = 20
MAX_INPUTS = 2_000
MAX_CHARACTERS = 8_000_000
_FILES = "input|include|subfile|subfileinclude|includestandalone"
_FOLDERS = "import|subimport|inputfrom|subinputfrom|includefrom|subincludefrom"
_STYLES = "usepackage|RequirePackage|documentclass|LoadClass"
ASKS = re.compile(
    rf"\\(?P<command>{_FILES}|{_FOLDERS}|{_STYLES})(?![A-Za-z@])\*?[ \t]*(?P<options>(?:\[[^\]]*\]\s*)*)"
    r"(?:\{(?P<first>[^{}]*)\}(?:[ \t]*\{(?P<second>[^{}]*)\})?|(?P<bare>[^\s{}\\%\[\]]+))"
)
_CLASS = re.compile(r"\\document(?:class|style)(?![A-Za-z])")
_BEGIN = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}")
_ENDINPUT = re.compile(r"\\endinput(?![A-Za-z@])[^\n]*")
_BASE_CLASS = re.compile(r"\\LoadClass(?:WithOptions)?\s*(?:\[[^\]]*\])?\s*\{([^}]*)\}")
_LIBRARY = re.compile(r"\\use(?:tikz|pgf|pgfplots)library\s*\{([^{}]*)\}")
_LIBRARY_FILES = (
    "tikzlibrary{}.code.tex",
    "pgflibrary{}.code.tex",
    "pgflibrarypgfplots.{}.code.tex",
    "tikzlibrarypgfplots.{}.code.tex",
)


@dataclass
class Expanded:
    """The text with its inputs in place. `skipped` are the inputs that were refused."""

    text: str = ""
    skipped: list[Skipped] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)  # file -> how it was decoded
    own_styles: bool = False  # packages or a class of the tree were put in place
    _starts: list[int] = field(default_factory=list)
    _places: list[tuple[str, int, int]] = field(default_factory=list)  # file, offset in it, line of that

    def place(self, offset: int) -> tuple[str, int, int]:
        """The file, the offset in it and the 1-based line of the character at `offset`."""
        index = bisect_right(self._starts, offset) - 1
        file, start, line = self._places[index]
        begin = self._starts[index]
        return file, start + offset - begin, line + self.text.count("\n", begin, offset)


@dataclass(frozen=True)
class Ask:
    """One place where a file asks for others: the files of the tree that it means, in order."""

    start: int
    end: int
    match: re.Match[str]
    files: tuple[str, ...]  # of the tree
    elsewhere: tuple[str, ...]  # names of the list that the tree has not
    refused: Refused | None = None
    folder: str | None = None  # that the files' own names are relative to, where the command says so


def asks_of(tree: Tree, code: str, *, folders: tuple[str, ...]) -> Iterator[Ask]:
    """Where the code, comments blanked out, asks for files, and which ones of the tree these are."""
    for match in ASKS.finditer(code):
        command = match["command"]
        if match["bare"] and command != "input":
            continue
        first = (match["first"] if match["bare"] is None else match["bare"]) or ""
        if "#" in first or "\\" in first or not first.strip():
            continue
        if re.fullmatch(_STYLES, command):
            found, elsewhere = _styles(tree, command, first, folders)
            if found:
                yield Ask(match.start(), _end(match), match, tuple(found), tuple(elsewhere))
            continue
        folder = None
        if re.fullmatch(_FOLDERS, command):
            if match["second"] is None:
                continue
            folder = posixpath.normpath(first.strip() or ".")
            first = posixpath.join(folder, match["second"])
        end = match.end() if folder is not None else _end(match)
        file = tree.find(first, folders=folders, suffixes=("", ".tex", ".tikz", ".pgf"))
        if isinstance(file, Refused):
            yield Ask(match.start(), end, match, (), (), refused=file)
        elif file is not None:
            inner = posixpath.dirname(file) if folder is not None or command.startswith("subfile") else None
            yield Ask(match.start(), end, match, (file,), (), folder=inner)


def expand(tree: Tree, name: str) -> Expanded | Refused:
    """The file with what it inputs in place; Refused where it cannot be read itself."""
    root = tree.text(name)
    if isinstance(root, Refused):
        return root
    expansion = _Expansion(tree, declared_encoding(root.text.encode()))
    expansion.notes[name] = root.note
    expansion.file(name, root.text, (), folders_above(name))
    return Expanded(
        "".join(expansion.pieces), expansion.skipped, expansion.notes, expansion.own_styles, expansion.starts,
        expansion.places,
    )  # fmt: skip


class _Expansion:
    """One expansion under way: the pieces so far and where each came from."""

    def __init__(self, tree: Tree, encoding: str) -> None:
        self.tree, self.encoding = tree, encoding
        self.pieces: list[str] = []
        self.starts: list[int] = []
        self.places: list[tuple[str, int, int]] = []
        self.skipped: list[Skipped] = []
        self.notes: dict[str, str] = {}
        self.own_styles = False
        self.has_class = False  # a class was met, so that another one is that of a document in the document
        self.styles: set[str] = set()
        self.length = self.inputs = 0

    def put(self, text: str, name: str, offset: int, line: int) -> None:
        self.starts.append(self.length)
        self.places.append((name, offset, line))
        self.pieces.append(text)
        self.length += len(text)

    def refuse(self, name: str, line: int, reason: SkipReason, message: str) -> None:
        self.skipped.append(Skipped(where=f"{name}:{line}", reason=reason, message=message))

    def file(self, name: str, text: str, above: tuple[str, ...], folders: tuple[str, ...]) -> None:
        code = visible(text)
        start, end = 0, len(text)
        begin = _BEGIN.search(code)
        class_ = _CLASS.search(code, 0, begin.start() if begin else len(code))
        if self.has_class and begin and class_:
            start = begin.end()  # a document of its own: what it shows
            ending = _END.search(code, start)
            end = ending.start() if ending else end
        self.has_class = self.has_class or class_ is not None
        if stop := _ENDINPUT.search(code, start, end):
            end = stop.start()
        line_at = _LineCounter(text)
        offset = start
        for ask in asks_of(self.tree, code[:end], folders=folders):
            if ask.start < offset:
                continue
            self.put(text[offset : ask.start], name, offset, line_at(offset))
            line = line_at(ask.start)
            offset = ask.end
            if ask.refused:
                self.refuse(name, line, ask.refused.reason, ask.refused.message)
            elif re.fullmatch(_STYLES, ask.match["command"]):
                self._styles(ask, name, line, above, folders)
            else:
                inner = (ask.folder, *folders) if ask.folder is not None else folders
                self._input(ask.files[0], name, ask.start, line, (*above, name), inner)
        self.put(text[offset:end], name, offset, line_at(offset))

    def _input(
        self, file: str, name: str, offset: int, line: int, above: tuple[str, ...], folders: tuple[str, ...]
    ) -> None:
        if file in above:
            round_ = " -> ".join([*above[above.index(file) :], file])
            self.refuse(name, line, "cyclic_input", f"the files ask for one another: {round_}")
            return
        self.inputs += 1
        if len(above) > MAX_DEPTH or self.inputs > MAX_INPUTS or self.length > MAX_CHARACTERS:
            limit = f"{MAX_DEPTH} deep, {MAX_INPUTS:,} inputs, {MAX_CHARACTERS / 1e6:.0f} million characters"
            self.refuse(name, line, "input_limit", f"{file} is not read: a document may go {limit}")
            return
        read = self.tree.text(file, encoding=self.encoding)
        if isinstance(read, Refused):
            if read.reason != "empty":
                self.refuse(name, line, read.reason, f"{file} is not read: {read.message}")
            return
        self.notes[file] = read.note
        self.put(" ", name, offset, line)
        self.file(file, read.text, above, folders)
        self.put(" ", name, offset, line)

    def _styles(
        self, ask: Ask, name: str, line: int, above: tuple[str, ...], folders: tuple[str, ...]
    ) -> None:
        command, options = ask.match["command"], ask.match["options"]
        self.own_styles = True
        if command in ("documentclass", "LoadClass"):
            base = self._base_class(ask.files[0], folders)
            self.put(f"\\{command}{options.strip()}{{{base}}}\n", name, ask.start, line)
        elif ask.elsewhere:
            self.put(f"\\{command}{options.strip()}{{{','.join(ask.elsewhere)}}}\n", name, ask.start, line)
        for file in ask.files:
            if file in self.styles:
                continue
            self.styles.add(file)
            self.put("\n\\makeatletter\n", name, ask.start, line)
            self._input(file, name, ask.start, line, (*above, name), (*folders, posixpath.dirname(file)))
            self.put("\n\\makeatother\n", name, ask.start, line)

    def _base_class(self, file: str, folders: tuple[str, ...]) -> str:
        """The class outside the tree that a class of the tree builds on."""
        for _ in range(MAX_DEPTH):
            read = self.tree.text(file)
            found = None if isinstance(read, Refused) else _BASE_CLASS.search(visible(read.text))
            if found is None:
                return "article"
            inner = self.tree.find(found[1], folders=folders, suffixes=(".cls",))
            if not isinstance(inner, str):
                return found[1].strip()
            file = inner
        return "article"


class _LineCounter:
    """Line numbers of offsets that come in order."""

    def __init__(self, text: str) -> None:
        self._text, self._offset, self._line = text, 0, 1

    def __call__(self, offset: int) -> int:
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = max(self._offset, offset)
        return self._line


def _styles(tree: Tree, command: str, names: str, folders: tuple[str, ...]) -> tuple[list[str], list[str]]:
    found: list[str] = []
    elsewhere: list[str] = []
    for name in (name.strip() for name in names.split(",")):
        suffix = ".cls" if "lass" in command else ".sty"
        # A path of a package that leaves the tree is TeX's to look for, where it may not leave its folder either.
        file = tree.find(name, folders=folders, suffixes=(suffix,)) if name else None
        if isinstance(file, str):
            found.append(file)
        elif name:
            elsewhere.append(name)
    return found, elsewhere


def libraries_of(tree: Tree, document: str, folders: tuple[str, ...]) -> list[str]:
    """The files of the tree that are TikZ libraries which the document loads, in its order."""
    names = [name.strip() for found in _LIBRARY.findall(document) for name in found.split(",")]
    wanted = [pattern.format(name) for name in names if name for pattern in _LIBRARY_FILES]
    files = [tree.find(target, folders=folders, suffixes=("",)) for target in wanted]
    return list(dict.fromkeys(file for file in files if isinstance(file, str)))


def _end(match: re.Match[str]) -> int:
    """The end behind the first argument: the second one belongs to what follows."""
    return match.end() if match["bare"] is not None else match.end("first") + 1
