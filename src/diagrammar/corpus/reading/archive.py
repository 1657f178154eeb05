"""An archive's bytes -> the TeX files in it, in memory: nothing is written, and nothing is unpacked without limits."""

from __future__ import annotations

import io
import posixpath
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from diagrammar.corpus.reading.decoding import LARGEST_FILE_BYTES, Refused, too_large
from diagrammar.corpus.reading.tree import is_read
from diagrammar.records.corpus import Skipped, SkipReason

LARGEST_ARCHIVE_BYTES = 200_000_000
LARGEST_UNPACKED_BYTES = 500_000_000
LARGEST_TEXTS_BYTES = 60_000_000
# Text of TeX shrinks to a tenth; a plot's table, to a fiftieth.
LARGEST_RATIO = 200
RATIO_FROM_BYTES = 20_000_000
MOST_MEMBERS = 5_000
_CHUNK_BYTES = 1 << 18
_PACKED = (".tar", ".tgz", ".gz", ".zip", ".bz2", ".xz", ".7z", ".rar", ".z")


@dataclass(frozen=True)
class Unpacked:
    """The texts of an archive by their path in it, and the members that were refused."""

    files: dict[str, bytes]
    skipped: tuple[Skipped, ...] = ()


def unpack(blob: bytes, name: str) -> Unpacked | Refused:
    """The archive's texts: a .tar, a .tar.gz, or a single gzipped TeX file, which is called `main.tex`.

    Refused as a whole: what is no archive, broken or cut off, a bomb, a PDF. Refused by member: paths that lead out,
    links, devices, archives in the archive.
    """
    if len(blob) > LARGEST_ARCHIVE_BYTES:
        size = f"{len(blob) / 1e6:.0f} MB; an archive may have {LARGEST_ARCHIVE_BYTES / 1e6:.0f} MB"
        return Refused("too_large", size)
    if blob.startswith(b"%PDF-"):
        return Refused("pdf_only", "a PDF without its source")
    if blob.startswith(b"\x1f\x8b"):
        plain = _inflated(blob)
        if isinstance(plain, Refused):
            return plain
    else:
        plain = blob
    if plain.startswith(b"%PDF-"):
        return Refused("pdf_only", "a PDF without its source")
    if plain[257:262] == b"ustar" or _is_old_tar(plain):
        return _members(plain, name)
    if plain is blob:
        return Refused("not_an_archive", "no .tar, .tar.gz or .gz file")
    if plain.startswith((b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf")):
        return Refused("nested_archive", "an archive in an archive; unpack the outer one first")
    if len(plain) > LARGEST_FILE_BYTES:
        return too_large(len(plain))
    return Unpacked({"main.tex": plain})


def _inflated(blob: bytes) -> bytes | Refused:
    """The gzipped bytes, within the limits; Refused where they are more, or broken."""
    pieces: list[bytes] = []
    size = 0
    rest = blob
    try:
        while rest.startswith(b"\x1f\x8b"):  # gzip files may follow one another
            inflater = zlib.decompressobj(wbits=31)
            while not inflater.eof:
                piece = inflater.decompress(rest, _CHUNK_BYTES)
                rest = inflater.unconsumed_tail
                size += len(piece)
                pieces.append(piece)
                if size > LARGEST_UNPACKED_BYTES or (
                    size > RATIO_FROM_BYTES and size > LARGEST_RATIO * len(blob)
                ):
                    return Refused(
                        "archive_bomb", f"{len(blob):,} bytes unpack to more than {size / 1e6:.0f} MB"
                    )
                if not piece and not rest and not inflater.eof:
                    return Refused("broken_archive", "it is cut off; download it again")
            rest = inflater.unused_data
    except zlib.error as error:
        return Refused("broken_archive", f"not whole: {error}")
    return b"".join(pieces)


def _is_old_tar(plain: bytes) -> bool:
    """Whether the bytes are a tar without the mark of newer ones: the header's sum is right."""
    if len(plain) < 512:
        return False
    try:
        header = tarfile.TarInfo.frombuf(plain[:512], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return bool(header.name)


def _members(plain: bytes, name: str) -> Unpacked | Refused:
    files: dict[str, bytes] = {}
    skipped: list[Skipped] = []
    size = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
            for number, member in enumerate(archive, start=1):
                if number > MOST_MEMBERS:
                    return Refused("archive_bomb", f"more than {MOST_MEMBERS:,} members")
                why = _unsafe(member)
                if why is None and member.isfile() and is_read(member.name):
                    if member.size > LARGEST_FILE_BYTES:
                        why = too_large(member.size)
                    elif (stream := archive.extractfile(member)) is not None:
                        content = stream.read(LARGEST_FILE_BYTES)
                        if len(content) < member.size:
                            return Refused(
                                "broken_archive", f"{member.name[:80]!r} is cut off; download it again"
                            )
                        size += len(content)
                        files[posixpath.normpath(member.name)] = content
                if why is not None:
                    where = f"{name}!{member.name[:200]}".encode("utf-8", "surrogateescape").decode(
                        "utf-8", "replace"
                    )
                    skipped.append(Skipped(where=where, reason=why.reason, message=why.message))
                if size > LARGEST_TEXTS_BYTES:
                    return Refused("archive_bomb", f"more than {LARGEST_TEXTS_BYTES / 1e6:.0f} MB of text")
    except (tarfile.TarError, EOFError, ValueError, OverflowError) as error:
        return Refused("broken_archive", f"not whole: {error}")
    return Unpacked({path: files[path] for path in _texts(files)}, tuple(skipped))


def _texts(files: dict[str, bytes]) -> Iterator[str]:
    """The visible ones, by path."""
    return (path for path in sorted(files) if not any(part.startswith(".") for part in path.split("/")))


def _unsafe(member: tarfile.TarInfo) -> Refused | None:
    """Why a member is not looked at, whatever it holds."""
    reason: SkipReason = "unsafe_member"
    parts = member.name.split("/")
    if member.name.startswith(("/", "\\")) or ".." in parts or "\\" in member.name or "\0" in member.name:
        return Refused(reason, "its path leads out of the archive")
    if member.issym() or member.islnk():
        return Refused(reason, "a link")
    if not member.isfile() and not member.isdir():
        return Refused(reason, "neither a file nor a folder")
    if member.isfile() and member.name.lower().endswith(_PACKED):
        return Refused("nested_archive", "an archive in an archive is not opened")
    return None
