"""Find the installed sources of a manual: kpathsea's trees, plain or gzipped files, members of archives."""

from __future__ import annotations

import bz2
import fnmatch
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from diagrammar.manuals.reading.manual import Manual, SourceFile, Sources

# Larger files are data sets, not something that a document would carry with it.
BESIDE_LIMIT_BYTES = 60_000


def texmf_roots() -> tuple[Path, ...]:
    """The texmf trees of this machine in kpathsea's order; empty where TeX is not installed."""
    kpsewhich = shutil.which("kpsewhich")
    if kpsewhich is None:
        return ()
    answer = subprocess.run(
        [kpsewhich, "--expand-path=$TEXMF"], capture_output=True, text=True, timeout=30, check=False
    )
    return tuple(
        Path(part) for part in answer.stdout.strip().split(os.pathsep) if part and Path(part).is_dir()
    )


def decode(blob: bytes) -> str:
    """The text of a TeX source, line ends as `\\n`: UTF-8, or else Latin-1, the encoding of older manuals."""
    try:
        text = blob.decode("utf-8")
    except UnicodeDecodeError:
        text = blob.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def find_sources(manual: Manual, roots: Sequence[Path] | None = None) -> Sources:
    """The manual's sources from the first tree that has any, in the order of its patterns, then by name."""
    for root in texmf_roots() if roots is None else roots:
        files: list[SourceFile] = []
        beside: dict[str, str] = {}
        for pattern in manual.sources:
            for path in _matches(root, pattern):
                files.extend(_texts(path, root, manual, beside))
        for pattern in manual.beside:
            for path in _matches(root, pattern):
                if path.stat().st_size <= BESIDE_LIMIT_BYTES:
                    beside.setdefault(_plain_name(path), decode(_blob(path)))
        if files:
            return Sources(tuple(files), beside)
    return Sources(())


def _texts(path: Path, root: Path, manual: Manual, beside: dict[str, str]) -> Iterator[SourceFile]:
    blob = path.read_bytes()
    sha256 = hashlib.sha256(blob).hexdigest()
    name = path.relative_to(root).as_posix()
    if not path.name.endswith((".tar.bz2", ".tar.gz", ".tar")):
        yield SourceFile(name, decode(_unpacked(path.name, blob)), sha256)
        return
    for member, content in sorted(_members(path.name, blob)):
        if any(fnmatch.fnmatch(member, pattern) for pattern in manual.members):
            yield SourceFile(f"{name}!{member}", decode(content), sha256)
        elif len(content) <= BESIDE_LIMIT_BYTES and b"\0" not in content:
            # Examples name a file by its path in the manual's folder or through a search path.
            beside.setdefault(Path(member).name, decode(content))


def _members(name: str, blob: bytes) -> Iterator[tuple[str, bytes]]:
    plain = bz2.decompress(blob) if name.endswith(".bz2") else _unpacked(name, blob)
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.isfile() else None
            if stream is not None:
                yield member.name.removeprefix("./"), stream.read()


def _matches(root: Path, pattern: str) -> list[Path]:
    # Debian's doc folder is a symbolic link, which a recursive glob from the root would not enter:
    # the fixed part of the pattern is joined first.
    return sorted(path for path in root.glob(pattern) if path.is_file())


def _blob(path: Path) -> bytes:
    return _unpacked(path.name, path.read_bytes())


def _unpacked(name: str, blob: bytes) -> bytes:
    return gzip.decompress(blob) if name.endswith(".gz") else blob


def _plain_name(path: Path) -> str:
    return path.name.removesuffix(".gz")
