"""Stage folders: what one step wrote and the next one reads.

    folder/records.jsonl    one record a line, appended as soon as it is made
    folder/manifest.json    which stage, made with what, finished or not, counts
    folder/artefacts/       files named by the SHA-256 of their content

A process killed at any moment leaves a folder that opens again with every record that `append` returned from.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Generic, Protocol, Self, TypeVar

from pydantic import BaseModel, ValidationError

from diagrammar.errors import BadInput, StoreCorrupt

FORMAT = 1
_ANOTHER = "use another folder"
_ARTEFACT = re.compile(r"[0-9a-f]{64}(\.[A-Za-z0-9.]+)?")

Setting = str | int | float


class Identified(Protocol):
    """A record that a stage can hold: a pydantic model with an `id`."""

    @property
    def id(self) -> str: ...
    def model_dump_json(self) -> str: ...
    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, /) -> Self: ...


R = TypeVar("R", bound=Identified)


class Manifest(BaseModel):
    """What a stage folder says of itself."""

    format: int = FORMAT
    stage: str
    record: str
    made_with: dict[str, Setting]
    complete: bool = False
    records: int = 0
    counts: dict[str, Setting] = {}


class Stage(Generic[R]):
    """A stage folder, created or reopened.

    Raises BadInput for a folder that holds something else or was made with other inputs, StoreCorrupt for one
    whose records cannot be read.
    """

    done: set[str]

    def __init__(
        self, folder: Path | str, record_type: type[R], *, stage: str, made_with: Mapping[str, Setting]
    ) -> None:
        self.folder = Path(folder)
        self.record_type = record_type
        self._writer: IO[bytes] | None = None
        wanted = Manifest(stage=stage, record=record_type.__name__, made_with=dict(made_with))
        if _manifest_path(self.folder).exists():
            self.manifest = read_manifest(self.folder)
            _refuse_other_inputs(self.folder, self.manifest, wanted)
        else:
            _refuse_foreign_folder(self.folder)
            self.manifest = wanted
            self._write_manifest()
        self.done = self._read_ids()

    def __iter__(self) -> Iterator[R]:
        """Every record, in the order in which it was appended."""
        for number, line in enumerate(self._lines(), start=1):
            try:
                yield self.record_type.model_validate_json(line)
            except ValidationError as error:
                what = f"not a {self.manifest.record}: {str(error).splitlines()[0]}"
                raise StoreCorrupt(f"{self._records_path}:{number}: {what}") from error

    def __len__(self) -> int:
        return len(self.done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._release()

    def append(self, record: R) -> None:
        """Adds one record; when this returns it is on the disk."""
        if record.id in self.done:
            raise ValueError(f"{self.folder}: record {record.id!r} is there already")
        writer = self._writer or self._open_writer()
        writer.write(record.model_dump_json().encode() + b"\n")
        writer.flush()
        os.fsync(writer.fileno())
        self.done.add(record.id)

    def extend(self, records: Iterable[R]) -> None:
        """Adds many records that are all at hand, with one wait for the disk at the end."""
        fresh = list(records)
        ids = [record.id for record in fresh]
        if len(set(ids)) < len(ids) or not self.done.isdisjoint(ids):
            raise ValueError(f"{self.folder}: some of these records are there already")
        writer = self._writer or self._open_writer()
        for record in fresh:
            writer.write(record.model_dump_json().encode() + b"\n")
        writer.flush()
        os.fsync(writer.fileno())
        self.done.update(ids)

    def put(self, blob: bytes, suffix: str) -> str:
        """The artefact's name: its SHA-256 and suffix. The same content is stored once."""
        name = hashlib.sha256(blob).hexdigest() + suffix
        if not _ARTEFACT.fullmatch(name):
            raise ValueError(f"not a file suffix: {suffix!r}")
        path = self.path(name)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            write_atomically(path, blob)
        return name

    def take(self, name: str, other: Stage[Any]) -> str:
        """Puts an artefact of another stage into this one, without a second copy where the file system can."""
        path = self.path(name)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            try:
                path.hardlink_to(other.path(name))
            except OSError:  # another file system, or one without links
                write_atomically(path, other.get(name))
        return name

    def get(self, name: str) -> bytes:
        """The bytes of an artefact. Raises StoreCorrupt where they are gone or not what the name promises."""
        try:
            blob = self.path(name).read_bytes()
        except FileNotFoundError as error:
            raise StoreCorrupt(f"{self.folder}: artefact {name} is missing; make this stage again") from error
        if hashlib.sha256(blob).hexdigest() != name[:64]:
            raise StoreCorrupt(f"{self.folder}: artefact {name} was changed; make this stage again")
        return blob

    def path(self, name: str) -> Path:
        """Where an artefact lies."""
        if not _ARTEFACT.fullmatch(name):
            raise ValueError(f"not an artefact name: {name!r}")
        return self.folder / "artefacts" / name

    def close(self, **counts: Setting) -> None:
        """Marks the stage as finished, with counts for a reader, and lets the folder go."""
        self.manifest = self.manifest.model_copy(
            update={"complete": True, "records": len(self.done), "counts": counts}
        )
        self._write_manifest()
        self._release()

    @property
    def _records_path(self) -> Path:
        return self.folder / "records.jsonl"

    def _lines(self) -> Iterator[bytes]:
        """Whole lines only: what a killed process left without its newline never was a record."""
        if not self._records_path.exists():
            return
        with self._records_path.open("rb") as lines:
            yield from (line for line in lines if line.endswith(b"\n"))

    def _read_ids(self) -> set[str]:
        ids: set[str] = set()
        for number, line in enumerate(self._lines(), start=1):
            try:
                ids.add(json.loads(line)["id"])
            except (ValueError, KeyError, TypeError) as error:
                where = f"{self._records_path}:{number}"
                raise StoreCorrupt(f"{where}: not a record; make this stage again") from error
        if self.manifest.complete and len(ids) < self.manifest.records:
            raise StoreCorrupt(
                f"{self.folder}: holds {len(ids)} records, its manifest promises {self.manifest.records}; "
                "make this stage again"
            )
        return ids

    def _open_writer(self) -> IO[bytes]:
        writer = self._records_path.open("ab")
        try:
            fcntl.flock(writer, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            writer.close()
            advice = "wait for it or use another folder"
            raise BadInput(f"{self.folder}: another process is writing here; {advice}") from error
        writer.truncate(_whole_length(self._records_path))
        if self.manifest.complete:
            self.manifest = self.manifest.model_copy(update={"complete": False})
            self._write_manifest()
        self._writer = writer
        return writer

    def _write_manifest(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        text = self.manifest.model_dump_json(indent=1) + "\n"
        write_atomically(_manifest_path(self.folder), text.encode())

    def _release(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def open_stage(folder: Path | str, record_type: type[R], *, stage: str | Sequence[str]) -> Stage[R]:
    """An existing stage folder, for reading: whatever it was made with; of several stages any will do.

    Raises BadInput where it is none.
    """
    manifest = read_manifest(Path(folder))
    wanted = [stage] if isinstance(stage, str) else stage
    name = manifest.stage if manifest.stage in wanted else wanted[0]
    return Stage(folder, record_type, stage=name, made_with=manifest.made_with)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a stage folder. Raises BadInput where there is none, StoreCorrupt for a broken one."""
    path = _manifest_path(folder)
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BadInput(f"{folder}: not a stage folder (it has no manifest.json)") from error
    except ValidationError as error:
        raise StoreCorrupt(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error


def _manifest_path(folder: Path) -> Path:
    return folder / "manifest.json"


def _refuse_other_inputs(folder: Path, found: Manifest, wanted: Manifest) -> None:
    if found.format != FORMAT:
        raise BadInput(f"{folder}: written in format {found.format}, this version reads {FORMAT}; {_ANOTHER}")
    if (found.stage, found.record) != (wanted.stage, wanted.record):
        raise BadInput(f"{folder}: holds the stage {found.stage!r}, not {wanted.stage!r}; {_ANOTHER}")
    for key in sorted({*found.made_with, *wanted.made_with}):
        before, now = found.made_with.get(key), wanted.made_with.get(key)
        if before != now:
            raise BadInput(
                f"{folder}: made with {key}={before!r}, not {now!r}; {_ANOTHER} or delete this one"
            )


def _refuse_foreign_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: is a file, a folder is wanted")
    # A process killed before its first manifest was in place leaves that one's temporary file.
    if folder.exists() and any(not entry.name.startswith(".writing-") for entry in folder.iterdir()):
        raise BadInput(f"{folder}: is not empty and not a stage folder; {_ANOTHER}")


def _whole_length(path: Path) -> int:
    """Length in bytes up to and with the last newline."""
    with path.open("rb") as lines:
        return sum(len(line) for line in lines if line.endswith(b"\n"))


def write_atomically(path: Path, blob: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as unfinished:
        unfinished.write(blob)
        unfinished.flush()
        os.fsync(unfinished.fileno())
    Path(unfinished.name).chmod(0o644)
    Path(unfinished.name).replace(path)
