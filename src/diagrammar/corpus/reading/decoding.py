"""Bytes of a TeX file -> its text, or the reason why it is none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from diagrammar.records.corpus import SkipReason

LARGEST_FILE_BYTES = 2_000_000
# The encodings that inputenc knows, as Python calls them.
_DECLARED = {
    "latin1": "latin-1", "latin2": "iso8859-2", "latin3": "iso8859-3", "latin4": "iso8859-4", "latin5": "iso8859-9",
    "latin9": "iso8859-15", "latin10": "iso8859-16", "ansinew": "cp1252", "cp1250": "cp1250", "cp1251": "cp1251",
    "cp1252": "cp1252", "cp437": "cp437", "cp850": "cp850", "cp852": "cp852", "cp866": "cp866",
    "applemac": "mac-roman", "koi8-r": "koi8-r", "koi8-u": "koi8-u",
}  # fmt: skip
_INPUTENC = re.compile(rb"\\usepackage\s*\[\s*([A-Za-z0-9-]+)\s*\]\s*\{inputenc\}")
_CONTROL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
# Western text has few letters beyond ASCII; more of them are another script in an encoding that nobody names.
_MOST_FOREIGN = 0.2


@dataclass(frozen=True)
class Text:
    """What a file holds, line ends as `\\n`. `note` says how it was decoded where that was not UTF-8."""

    text: str
    note: str = ""
    encoding: str = ""  # the one that the file names for inputenc


@dataclass(frozen=True)
class Refused:
    """Why something is not read."""

    reason: SkipReason
    message: str


def decode_tex(blob: bytes, *, encoding: str = "") -> Text | Refused:
    """The text: UTF-8, UTF-16 with its mark, the encoding that the file names for inputenc, or Western.

    `encoding` is what the file's document names, for a file that says nothing itself.
    """
    if len(blob) > LARGEST_FILE_BYTES:
        return too_large(len(blob))
    if blob.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _read_as(blob, "utf-16", "UTF-16")
    if blob.startswith(b"%PDF-") or len(_CONTROL.findall(blob)) > len(blob) / 1000:
        return Refused("binary", "not a text file")
    try:
        return _text(blob.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = blob.count(b"\n", 0, error.start) + 1
    if declared := declared_encoding(blob) or encoding:
        return _read_as(blob, _DECLARED[declared], declared)
    foreign = sum(byte > 127 for byte in blob)
    if foreign <= max(4, _MOST_FOREIGN * len(blob)):
        high = any(0x80 <= byte < 0xA0 for byte in blob)
        return _read_as(blob, "cp1252" if high else "latin-1", "Windows-1252" if high else "Latin-1", line)
    return Refused("invalid_utf8", f"line {line} is neither UTF-8 nor Western text; save it as UTF-8")


def declared_encoding(blob: bytes) -> str:
    """The encoding that the file names for inputenc, "" where it is none but UTF-8."""
    found = _INPUTENC.search(blob)
    name = found[1].decode().lower() if found else ""
    return name if name in _DECLARED else ""


def too_large(size: int) -> Refused:
    """Why a file of that many bytes is not read."""
    return Refused("too_large", f"{size / 1e6:.0f} MB; a file may have {LARGEST_FILE_BYTES / 1e6:.0f} MB")


def _read_as(blob: bytes, codec: str, name: str, line: int | None = None) -> Text | Refused:
    try:
        text = blob.decode(codec)
    except UnicodeDecodeError:
        return Refused("invalid_utf8", f"it is neither UTF-8 nor {name}; save it as UTF-8")
    where = f" (line {line} is not UTF-8)" if line else ""
    return _text(text, f"read as {name}{where}")


def _text(text: str, note: str = "") -> Text | Refused:
    if not text.strip():
        return Refused("empty", "the file is empty")
    if "\0" in text:
        return Refused("binary", "not a text file")
    return Text(text.replace("\r\n", "\n").replace("\r", "\n"), note)
