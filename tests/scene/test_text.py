"""Strings as a person reads them: what is folded, whichever engine wrote the glyphs."""

from __future__ import annotations

import pytest

from diagrammar.scene.text import fold


@pytest.mark.parametrize(
    ("decoded", "read"),
    [
        ("a\x02 b", "a- b"),  # a hyphen at the end of a line
        ("−1", "-1"),
        ("–", "-"),
        ("ﬁne", "fine"),
        ("µ", "μ"),
        ("Ω", "Ω"),
        ("90◦", "90°"),
        ("  two \n words ", "two words"),
        ("f′", "f'"),
    ],
)
def test_look_alikes_read_as_one_character(decoded: str, read: str) -> None:
    assert fold(decoded) == read
