from __future__ import annotations

import sys
from pathlib import Path

import pytest

from diagrammar import catalog
from diagrammar.errors import BadInput

FILES = {
    "__init__.py": "class Rule:\n    def __init__(self, name): self.name = name\n",
    "_private.py": "raise RuntimeError('never imported')\n",
    "two_words.py": "from plugins import Rule\nRULE = DEFAULT = Rule('two words')\n",
    "abc.py": "from plugins import Rule\nRULE = Rule('abc')\n",
    "shared.py": "from plugins import Rule\nLIMIT = 3\n",
}


@pytest.fixture
def rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type:
    (tmp_path / "plugins").mkdir()
    for name, text in FILES.items():
        (tmp_path / "plugins" / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.split(".")[0] == "plugins"]:
        monkeypatch.delitem(sys.modules, name)
    import plugins  # type: ignore[import-not-found]

    return plugins.Rule  # type: ignore[no-any-return]


def test_a_file_name_gives_the_object_that_the_file_defines(rule: type) -> None:
    assert catalog.load("plugins", "abc", rule).name == "abc"  # type: ignore[attr-defined]
    assert catalog.load("plugins", "two-words", rule).name == "two words"  # type: ignore[attr-defined]


def test_all_plug_ins_come_sorted_and_files_without_one_are_left_out(rule: type) -> None:
    assert list(catalog.load_all("plugins", rule)) == ["abc", "two_words"]


def test_an_unknown_name_is_answered_with_the_names_there_are(rule: type) -> None:
    with pytest.raises(BadInput, match=r"no Rule named 'abd'.*mean abc\? There are: abc, two_words"):
        catalog.load("plugins", "abd", rule)
    with pytest.raises(BadInput, match="There are: abc, two_words"):
        catalog.load("plugins", "shared", rule)


def test_a_file_that_defines_two_is_a_mistake_of_its_author(rule: type, tmp_path: Path) -> None:
    (tmp_path / "plugins" / "both.py").write_text("from plugins import Rule\nA = Rule('a')\nB = Rule('b')\n")
    with pytest.raises(TypeError, match=r"plugins\.both defines 2 Rules"):
        catalog.load_all("plugins", rule)
