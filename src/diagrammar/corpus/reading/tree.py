"""A tree of TeX files, in a folder or in memory: which files there are, their texts, and which one a name means."""

from __future__ import annotations

import os
import posixpath
import stat
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from diagrammar.corpus.reading.decoding import LARGEST_FILE_BYTES, Refused, Text, decode_tex, too_large

DOCUMENTS = (".tex", ".ltx", ".latex", ".tikz", ".pgf")
STYLES = (".sty", ".cls", ".code.tex")
TABLES = (".csv", ".tsv", ".dat", ".data", ".txt", ".table")
_READ = (*DOCUMENTS, *STYLES, *TABLES)
_KEPT_TEXTS = 64


class Tree:
    """Files by their path below the root, with `/`; whatever is hidden or no text is not in it."""

    def __init__(self, names: Sequence[str], blob: Callable[[str], bytes | Refused]) -> None:
        self.names = tuple(sorted(name for name in names if is_read(name)))
        self.blob = blob
        self._known = frozenset(self.names)
        self._texts: OrderedDict[tuple[str, str], Text | Refused] = OrderedDict()

    @property
    def documents(self) -> list[str]:
        """The files that may hold pictures of their own, sorted."""
        return [
            name for name in self.names if name.lower().endswith(DOCUMENTS) and not name.endswith(".code.tex")
        ]

    def text(self, name: str, *, encoding: str = "") -> Text | Refused:
        """The file's text, or why it has none. `encoding` is that of the document which asks for it."""
        key = (name, encoding)
        if key not in self._texts:
            blob = self.blob(name)
            self._texts[key] = blob if isinstance(blob, Refused) else decode_tex(blob, encoding=encoding)
            if len(self._texts) > _KEPT_TEXTS:
                self._texts.popitem(last=False)
        else:
            self._texts.move_to_end(key)
        return self._texts[key]

    def find(self, target: str, *, folders: Sequence[str], suffixes: Sequence[str]) -> str | Refused | None:
        """The file that `target` means as seen from one of the folders; None where the tree has none.

        Refused where it can only lie outside the tree: an absolute path, a pipe, too many `..`.
        """
        target = target.strip().strip('"').strip()
        if target.startswith(("/", "~", "|", "\\")) or target[1:2] == ":":
            return Refused(
                "unsafe_input", f"{target[:80]!r} lies outside; only files below the folder are read"
            )
        outside = False
        for place, folder in enumerate(folders):
            path = posixpath.normpath(posixpath.join(folder, target))
            if path.startswith("../") or path == "..":
                outside = outside or place == 0
                continue
            for suffix in suffixes:
                if path + suffix in self._known:
                    return path + suffix
        if outside:
            return Refused("unsafe_input", f"{target[:80]!r} leaves the folder; only files below it are read")
        return None


def folders_above(name: str) -> tuple[str, ...]:
    """The folders that a file's paths may be relative to: its own, and those above it, where TeX may be run."""
    folder = posixpath.dirname(name)
    above = [folder]
    while folder:
        folder = posixpath.dirname(folder)
        above.append(folder)
    return tuple(above)


def is_read(name: str) -> bool:
    """Whether a file of that name is looked at: TeX, a style, or a table that a plot may read."""
    return name.lower().endswith(_READ)


def tree_in_memory(files: Mapping[str, bytes]) -> Tree:
    """The tree of these files."""
    return Tree(list(files), lambda name: files[name])


def tree_of_folder(folder: Path) -> Tree:
    """The tree below the folder. A link that leads out of it is refused when it is read."""
    root = os.path.realpath(folder)
    return Tree(list(_walk(folder)), lambda name: _blob(folder, root, name))


def _walk(folder: Path) -> Iterator[str]:
    """The paths below the folder; each real file and folder once, so that link loops end; nothing hidden."""
    seen: set[tuple[int, int]] = set()
    root = os.path.realpath(folder)
    for parent, folders, files in os.walk(folder, followlinks=True):
        identity = os.stat(parent)
        key = (identity.st_dev, identity.st_ino)
        if key in seen or not _inside(os.path.realpath(parent), root):
            folders.clear()
            continue
        seen.add(key)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.startswith(".") or not is_read(name):
                continue
            path = Path(parent, name)
            try:
                file = path.stat()
            except OSError:  # a broken link: reading it will say so
                yield path.relative_to(folder).as_posix()
                continue
            if (file.st_dev, file.st_ino) not in seen:
                seen.add((file.st_dev, file.st_ino))
                yield path.relative_to(folder).as_posix()


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def _blob(folder: Path, root: str, name: str) -> bytes | Refused:
    path = folder / name
    if path.is_symlink() and not _inside(os.path.realpath(path), root) and path.exists():
        return Refused("unsafe_path", "a link that leads out of the folder")
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        )  # a pipe must not keep us waiting
    except OSError as error:
        return Refused("unreadable", error.strerror or str(error))
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Refused("unreadable", "no regular file")
        if status.st_size > LARGEST_FILE_BYTES:
            return too_large(status.st_size)
        try:
            return file.read(LARGEST_FILE_BYTES + 1)
        except OSError as error:
            return Refused("unreadable", error.strerror or str(error))
