"""Plug-in folder + file name -> the one object that file defines. A new plug-in is a new file, no more."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterator
from typing import TypeVar

from diagrammar.errors import BadInput

T = TypeVar("T")


def load(package: str, name: str, kind: type[T]) -> T:
    """The `kind` that file `name` of `package` defines; `tikz-pgf` names `tikz_pgf.py`.

    Raises BadInput, with the names there are, for a name that has no file or whose file defines none.
    """
    stem = name.replace("-", "_")
    found = _defined(f"{package}.{stem}", kind) if stem in set(_stems(package)) else None
    if found is None:
        known = sorted(load_all(package, kind))
        close = difflib.get_close_matches(stem, known, n=1)
        meant = f"; did you mean {close[0]}?" if close else ""
        raise BadInput(f"no {kind.__name__} named {name!r} in {package}{meant} There are: {', '.join(known)}")
    return found


def load_all(package: str, kind: type[T]) -> dict[str, T]:
    """Every `kind` of a plug-in folder by file name, sorted; files that define none are no plug-ins."""
    found_by_stem = {stem: _defined(f"{package}.{stem}", kind) for stem in sorted(_stems(package))}
    return {stem: found for stem, found in found_by_stem.items() if found is not None}


def _stems(package: str) -> Iterator[str]:
    folder = importlib.import_module(package)
    return (entry.name for entry in pkgutil.iter_modules(folder.__path__) if not entry.name.startswith("_"))


def _defined(module_name: str, kind: type[T]) -> T | None:
    module = importlib.import_module(module_name)
    # By identity: `METRIC = DEFAULT = Metric(...)` is one object under two names.
    found = {id(value): value for value in vars(module).values() if isinstance(value, kind)}
    if len(found) > 1:
        raise TypeError(f"{module_name} defines {len(found)} {kind.__name__}s; a plug-in file defines one")
    return next(iter(found.values()), None)
