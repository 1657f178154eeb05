"""The files a user gives to a command, read with one clear line for each that cannot be used."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from diagrammar.errors import BadInput

MAX_BYTES = 8 << 20
BINARY = bytes(code for code in range(32) if code not in b"\t\n\f\r\x1b")


@dataclass(frozen=True)
class SourceFile:
    """A text as its file holds it. `warnings` say what was odd about it."""

    path: str  # as the user gave it
    text: str
    warnings: tuple[str, ...] = ()


def shown(path: str) -> str:
    """The path for people and for JSON: bytes that are no UTF-8, and what no file name can hold, as question marks."""
    return path.encode("utf-8", "surrogateescape" if _is_file_name(path) else "replace").decode(
        "utf-8", "replace"
    )


def on_one_line(path: str) -> str:
    """The path as `shown`, line ends and other controls escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in path)


def _is_file_name(path: str) -> bool:
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def read_source_file(path: str) -> SourceFile:
    """The file's text. Not UTF-8: read as Latin-1, with a warning. Raises BadInput, whose text names the file."""
    name = shown(path)
    content = _read(path, name)
    if not content.strip():
        raise BadInput(f"{name}: the file is empty")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return SourceFile(path, _decoded(content, "utf-16", name), (f"{name}: read as UTF-16",))
    if _is_binary(content):
        raise BadInput(f"{name}: the file is binary; give the TeX source")
    try:
        return SourceFile(path, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return SourceFile(
            path, content.decode("latin-1"), (f"{name}: not UTF-8 (line {line}); read as Latin-1",)
        )


def output_stems(paths: list[str]) -> list[str]:
    """A file name without suffix for each path: its own stem, with -2, -3, ... where that is taken."""
    taken: set[str] = set()
    stems: list[str] = []
    for path in paths:
        stem = os.path.splitext(os.path.basename(os.path.normpath(path)))[0] or "document"
        unique, number = stem, 1
        while unique.casefold() in taken:  # some file systems do not tell A from a
            number += 1
            unique = f"{stem}-{number}"
        taken.add(unique.casefold())
        stems.append(unique)
    return stems


def _read(path: str, name: str) -> bytes:
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
        )  # a pipe must not keep us waiting
    except FileNotFoundError:
        raise BadInput(f"{name}: no such file") from None
    except PermissionError:
        raise BadInput(f"{name}: no permission to read it") from None
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror or error}") from None
    except ValueError:
        raise BadInput(f"{name}: no file can have this name") from None
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise BadInput(f"{name}: this is a folder; give the .tex files in it")
        if not stat.S_ISREG(status.st_mode):
            raise BadInput(f"{name}: this is no regular file")
        if status.st_size > MAX_BYTES:
            raise BadInput(
                f"{name}: {status.st_size / 1e6:.0f} MB; a document may have {MAX_BYTES / 1e6:.0f} MB"
            )
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror or error}") from None
    finally:
        os.close(descriptor)


def _is_binary(content: bytes) -> bool:
    controls = len(content) - len(content.translate(None, BINARY))
    return content.startswith(b"%PDF-") or b"\0" in content or controls > len(content) / 100


def _decoded(content: bytes, encoding: str, name: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise BadInput(f"{name}: neither UTF-8 nor {encoding.upper()}; save it as UTF-8") from None
