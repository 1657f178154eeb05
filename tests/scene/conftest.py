"""Golden documents: a .tex file, and beside it a .toml file with the facts that hold of its scene.

The facts follow from the document's source and docs/scene.md, never from what the reader gives.
tests/documents/README.md says what each key means.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from diagrammar.records.diagrams import ENGINES
from diagrammar.records.scenes import CONTAINERS, Scene, SceneObject

DOCUMENTS = Path(__file__).parent.parent / "documents"
KEYS = frozenset(
    {
        "proves", "hooks", "engines", "every_engine", "types", "types_at_least", "texts", "containers",
        "containers_at_least", "pages", "size_pt", "tol", "object",
    }
)  # fmt: skip
OBJECT_KEYS = frozenset(
    {
        "find", "count", "tol", "kind", "subtype", "name", "name_prefix", "text", "stroke", "fill",
        "fill_near", "opacity", "parent", "within", "box_pt", "width", "height", "has_box", "runs", "data", "data_near",
    }
)  # fmt: skip
BOX_TOL_PT = 0.5
FOUND_TOL = 0.3  # sizes and numbers that only pick out an object


@dataclass(frozen=True)
class Golden:
    """A document and what is true of it."""

    name: str
    code: str
    facts: Mapping[str, Any]

    @property
    def engines(self) -> tuple[str, ...]:
        return tuple(self.facts.get("engines", ENGINES))


def load(name: str) -> Golden:
    """The golden document of that name, `folder/stem`."""
    path = DOCUMENTS / f"{name}.tex"
    facts = tomllib.loads(path.with_suffix(".toml").read_text(encoding="utf-8"))
    if unknown := set(facts) - KEYS:
        raise ValueError(f"{name}.toml: no such key: {', '.join(sorted(unknown))}")
    for entry in facts.get("object", []):
        if unknown := set(entry) - OBJECT_KEYS:
            raise ValueError(f"{name}.toml: no such key of an object: {', '.join(sorted(unknown))}")
    return Golden(name=name, code=path.read_text(encoding="utf-8"), facts=facts)


def compare(golden: Golden, scene: Scene) -> list[str]:
    """What is not as the golden says, a line each; empty where all holds."""
    facts = golden.facts
    counted = scene.counted
    types = Counter(o.type_key for o in counted if o.kind != "text")
    types["text"] = sum(bool(o.text) for o in counted if o.kind != "data_point")
    types += Counter()  # drops the zeros
    kept = Counter(o.kind for o in scene.objects if o.kind in CONTAINERS)
    found = [] if scene.marked else ["compiled without marks"]
    if "types" in facts:
        found += _counts("types", facts["types"], types)
    found += _at_least("types", facts.get("types_at_least", {}), types)
    if "texts" in facts:
        found += _counts("texts", Counter(facts["texts"]), Counter(o.text for o in counted if o.text))
    if "containers" in facts:
        found += _counts("containers", facts["containers"], kept)
    found += _at_least("containers", facts.get("containers_at_least", {}), kept)
    if "pages" in facts and facts["pages"] != scene.pages:
        found.append(f"pages: {facts['pages']} expected, {scene.pages} read")
    if "size_pt" in facts and not _near(scene.size_pt, facts["size_pt"], facts.get("tol", BOX_TOL_PT)):
        found.append(f"size_pt: {facts['size_pt']} expected, {_rounded(scene.size_pt)} read")
    for entry in facts.get("object", []):
        found += _compare_object(entry, scene)
    return found


def _counts(what: str, expected: Mapping[str, int], read: Mapping[str, int]) -> list[str]:
    return [
        f"{what}: {expected.get(key, 0)} {key!r} expected, {read.get(key, 0)} read"
        for key in sorted({*expected, *read})
        if expected.get(key, 0) != read.get(key, 0)
    ]


def _at_least(what: str, expected: Mapping[str, int], read: Mapping[str, int]) -> list[str]:
    return [
        f"{what}: at least {number} {key!r} expected, {read.get(key, 0)} read"
        for key, number in expected.items()
        if read.get(key, 0) < number
    ]


def _compare_object(entry: Mapping[str, Any], scene: Scene) -> list[str]:
    """What differs in the objects that `find` picks out."""
    by_id = {o.id: o for o in scene.objects}
    find = entry.get("find", {})
    chosen = [
        o
        for o in scene.objects
        if o.kind != "ink"
        and all(_same(_value(o, key, by_id), want, FOUND_TOL) for key, want in find.items())
    ]
    expected = entry.get("count", 1)
    found = []
    if len(chosen) != expected:
        found.append(f"object {find}: {expected} expected, {len(chosen)} read")
    tol = entry.get("tol", BOX_TOL_PT)
    asserted = {
        key: want for key, want in entry.items() if key not in {"find", "count", "tol", "data", "data_near"}
    }
    for o in chosen:
        for key, want in asserted.items():
            read = _value(o, key, by_id)
            if not _holds(key, read, want, tol):
                found.append(f"object {find}: {key} {want!r} expected, {_rounded(read)!r} read")
        for part, allowed in (("data", 0.02), ("data_near", tol)):
            for key, want in entry.get(part, {}).items():
                read = getattr(o.data, key, None)
                if not _same(read, want, allowed):
                    found.append(f"object {find}: data.{key} {want!r} expected, {_rounded(read)!r} read")
    return found


def _value(o: SceneObject, key: str, by_id: Mapping[str, SceneObject]) -> Any:
    above = by_id.get(o.parent or "")
    if key == "parent":
        return above.kind if above else None
    if key == "within":
        return {above.kind, *_value(above, key, by_id)} if above else set()
    if key in {"width", "height"}:
        return getattr(o.box_pt, key, None)
    if key == "has_box":
        return o.box_pt is not None
    if key == "fill_near":
        return o.fill
    if key == "name_prefix":
        return o.name
    if key == "runs":
        return [[run.text.strip(), run.color] for run in o.runs if run.text.strip()]
    return getattr(o, key) if key in type(o).model_fields else getattr(o.data, key, None)


def _holds(key: str, read: Any, want: Any, tol: float) -> bool:
    if key == "name_prefix":
        return str(read).startswith(want)
    if key == "within":
        return want in read
    if key == "fill_near":
        return read is not None and all(
            abs(int(read[i : i + 2], 16) - int(want[i : i + 2], 16)) <= 12 for i in (1, 3, 5)
        )
    return _same(read, want, 0.01 if key == "opacity" else tol)


def _same(read: Any, want: Any, tol: float) -> bool:
    if want == "none":
        return read is None
    if isinstance(want, list) and want and isinstance(want[0], int | float):
        return _near(read, want, tol)
    if isinstance(want, int | float) and not isinstance(want, bool):
        return isinstance(read, int | float) and abs(read - want) <= tol
    return bool(read == want)


def _near(read: Any, want: Any, tol: float) -> bool:
    return (
        read is not None
        and len(read) == len(want)
        and all(abs(a - b) <= tol for a, b in zip(read, want, strict=True))
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3)
    return [_rounded(part) for part in value] if isinstance(value, tuple) else value


@pytest.fixture
def golden() -> Callable[[str], Golden]:
    return load


@pytest.fixture
def differences() -> Callable[[Golden, Scene], list[str]]:
    return compare
