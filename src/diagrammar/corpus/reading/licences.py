"""The licence that a project states in its own file."""

from __future__ import annotations

import re
from pathlib import Path

_NAMES = re.compile(r"(?:un)?licen[sc]e|copying", re.IGNORECASE)
# The first that matches names it; SPDX identifiers.
_BY_WORDS = (
    ("LPPL-1.3c", r"LaTeX Project Public License"),
    ("CC0-1.0", r"CC0 1\.0|Creative Commons Zero"),
    ("CC-BY-NC-SA-4.0", r"Attribution-NonCommercial-ShareAlike 4\.0"),
    ("CC-BY-NC-4.0", r"Attribution-NonCommercial 4\.0"),
    ("CC-BY-SA-4.0", r"Attribution-ShareAlike 4\.0"),
    ("CC-BY-4.0", r"Attribution 4\.0 International"),
    ("AGPL-3.0", r"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3"),
    ("LGPL-3.0", r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-3.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GPL-2.0", r"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("MPL-2.0", r"Mozilla Public License Version 2\.0"),
    ("Apache-2.0", r"Apache License\s+Version 2\.0"),
    ("Unlicense", r"free and unencumbered software released into the public domain"),
    ("BSD-3-Clause", r"Redistribution and use in source and binary forms[\s\S]*Neither the name"),
    ("BSD-2-Clause", r"Redistribution and use in source and binary forms"),
    ("ISC", r"Permission to use, copy, modify, and/or distribute this software"),
    ("MIT", r"Permission is hereby granted, free of charge"),
)


def licence_of_folder(folder: Path) -> str:
    """The SPDX name of the licence file's text at the top of the folder; "unknown" where there is none."""
    for path in sorted(folder.iterdir()):
        if _NAMES.match(path.name) and path.is_file() and not path.is_symlink():
            named = licence_in(path.read_bytes()[:40_000].decode("utf-8", "replace"))
            if named:
                return named
    return "unknown"


def licence_in(text: str) -> str:
    """The SPDX name of the licence that the text is; "" where it is none of the usual ones."""
    return next((name for name, words in _BY_WORDS if re.search(words, text, re.IGNORECASE)), "")
