"""The page: what models write stays text, and the page works in a browser from a folder."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from itertools import cycle

import pytest

from diagrammar.bench.make import open_tasks
from diagrammar.bench.report.overlay import label, overlay
from diagrammar.bench.report.tables import as_markdown, as_text
from diagrammar.records.scenes import Box, Scene, SceneObject

# Each would do harm if it were taken for markup: in the drawing's text, in the program, in a failure's message.
IN_TEXT = "<script>document.title='broken'</script>"
IN_CODE = "% </script></pre><img src=x onerror=document.title='broken'> {{ 7 * 7 }} <!--"
DRAWS = rf"""\documentclass[tikz]{{standalone}}
{IN_CODE}
\usepackage[T1]{{fontenc}}
\begin{{document}}
\begin{{tikzpicture}}
\node[draw] {{{IN_TEXT}}};
\end{{tikzpicture}}
\end{{document}}
"""
FAILS = rf"""\documentclass{{article}}
{IN_CODE}
\begin{{document}}
\errmessage{{{IN_TEXT}}}
\end{{document}}
"""
NO_CODE = f"{IN_TEXT} I would rather not. {IN_CODE}"
MODEL = "evil/<b>model</b>\"'&"


class Page(HTMLParser):
    """The elements of a page as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.handlers: list[str] = []
        self.addresses: set[str] = set()
        self.blocks: list[str] = []
        self._block: str | None = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        for name, value in attrs:
            if name.startswith("on"):
                self.handlers.append(name)
            if name in ("src", "href"):
                self.addresses.add(value or "")
        self._block = "" if tag == "script" and dict(attrs).get("type") == "application/json" else None

    def handle_data(self, data):
        if self._block is not None:
            self._block += data

    def handle_endtag(self, tag):
        if tag == "script" and self._block is not None:
            self.blocks.append(self._block)
        self._block = None


@pytest.fixture(scope="module")
def report(bench, diagrammar, tmp_path_factory):
    """A page of a model that wants to break it, beside one that draws the truth."""
    from diagrammar.bench import run as stage
    from diagrammar.bench.setting import find_setting
    from diagrammar.records.outputs import Prompt, Reply

    replies = cycle([DRAWS, FAILS, NO_CODE, ""])

    class Evil:
        name = MODEL

        async def reply(self, prompt: Prompt, *, sample_id: str) -> Reply:
            text = next(replies)
            return Reply(text=text, status="ok" if text else "timeout", error="" if text else IN_TEXT)

        async def close(self) -> None:
            pass

    folder = tmp_path_factory.mktemp("report")
    tasks = open_tasks(bench)
    asking = stage.Asking(setting=find_setting("S1"))
    about = stage.About(bench=str(tasks.folder), date="2026-01-01", version="0")
    stage.run(tasks, list(tasks), model=Evil(), asking=asking, out=folder / "evil", about=about)
    diagrammar("run", bench, "--model", "reference/oracle", "--out", folder / "oracle", "--attempts", 2)
    diagrammar("report", folder / "evil", folder / "oracle", "--out", folder / "page", "--title", IN_TEXT)
    return folder / "page"


def test_each_way_to_do_harm_is_on_the_page(report):
    models = json.loads((report / "report.json").read_text())["models"]
    evil = next(model for model in models if model["model"] == MODEL)
    assert evil["outcomes"] == {"drawn": 3, "tex_error": 3, "no_code": 3, "timeout": 3}
    messages = {answer["failure"]["message"] for answer in evil["answers"] if answer["failure"]}
    assert sum(IN_TEXT in message for message in messages) >= 2


def test_what_models_write_never_becomes_markup(report):
    text = (report / "index.html").read_text()
    page = Page(text)
    assert page.handlers == []
    assert page.tags["script"] == len(page.blocks) + 1  # the page's own
    assert page.tags["b"] <= 4 + 2 * page.tags["li"]  # none of the model's name
    outside = {address for address in page.addresses if not address.startswith(("#", "pictures/", "data:,"))}
    assert outside == set()
    assert IN_TEXT not in text and "{{ 7 * 7 }}" in text


def test_the_scores_of_all_attempts_are_on_the_card(report):
    text = (report / "index.html").read_text()
    shown = '<span class="this" title="attempt 1: drawn, shown here">100</span>'
    assert text.count(f'{shown}<span title="attempt 2: drawn">100</span>') == 12
    assert Page(text).tags["figure"] >= 12 * 3  # one tile for both
    assert "Several attempts</h2>" in text


def test_the_objects_of_each_picture_are_data(report):
    blocks = [json.loads(block) for block in Page((report / "index.html").read_text()).blocks]
    labels = {row[4] for block in blocks for row in block["c"]}
    assert any("document.title" in words for words in labels)  # the hostile label, as text
    for block in blocks:
        for rows, others in ((block["t"], block["c"]), (block["c"], block["t"])):
            assert all(len(row) == 7 and len(row[5]) == 5 and -1 <= row[6] < len(others) for row in rows)


def test_the_policy_of_the_page_names_its_own_script_only(report):
    text = (report / "index.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy and "script-src &#39;sha256-" in policy[1].replace("'", "&#39;")
    assert "default-src 'none'" in policy[1] and "unsafe-eval" not in policy[1] and "http" not in policy[1]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_a_browser_shows_the_page_from_its_folder(report, tmp_path):
    browser = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
    ask = [
        "--virtual-time-budget=4000",
        "--window-size=1200,20000",
        "--dump-dom",
        f"file://{report / 'index.html'}",
    ]
    shown = subprocess.run([*browser, *ask], capture_output=True, text=True, timeout=120)
    dom = shown.stdout
    assert '<output id="count">12 diagrams</output>' in dom  # its script runs under its policy
    assert "<title>broken" not in dom
    # objects are drawn: in every overlay of the oracle, and matched
    assert dom.count('class="o a-m') >= 12
    assert "Refused to" not in shown.stderr


def box(name: str, left: float, *, text: str = "") -> SceneObject:
    where = Box(left, 0, left + 10, 10)
    return SceneObject(id=name, kind="node", subtype="rectangle", text=text, stroke="#000000", box_pt=where)


def test_objects_are_marked_by_dimension():
    truth = Scene(size_pt=(100, 10), objects=(box("a", 0, text="A"), box("b", 50, text="B"), box("c", 90)))
    candidate = Scene(size_pt=(100, 10), objects=(box("x", 0, text="A"), box("y", 20, text="B")))
    drawn = overlay(truth, candidate, most=10)
    # all, type, text, colour, box; the third has no text and no partner, though its colour is as black as any
    states = {row[4]: row[5] for row in drawn.truth}
    assert states == {
        "node:rectangle “A” stroke #000000": "mmmmm",
        "node:rectangle “B” stroke #000000": "pmmmx",
        "node:rectangle stroke #000000": "xx-xx",
    }
    assert drawn.missed == ("node:rectangle",) and drawn.extra == ()
    assert [drawn.candidate[row[6]][4] for row in drawn.truth[:2]] == [row[4] for row in drawn.truth[:2]]


def test_a_picture_of_very_many_objects_shows_the_largest():
    wide = box("wide", 0).model_copy(update={"box_pt": Box(0, 0, 700, 10)})
    scene = Scene(size_pt=(900, 10), objects=(*(box(str(at), at * 12) for at in range(50)), wide))
    drawn = overlay(scene, scene, most=7)
    assert len(drawn.truth) == len(drawn.candidate) == 7 and drawn.truth[0][2] == 700


def test_a_label_is_short():
    assert len(label(box("a", 0, text="x" * 500))) < 120


def test_tables_are_aligned_and_escaped():
    rows = [["model", "n"], ["a|b", "12"], ["longer name", "3"]]
    assert as_text(rows).splitlines() == [
        "model         n",
        "───────────  ──",
        "a|b          12",
        "longer name   3",
    ]
    assert as_markdown(rows).splitlines()[2] == "| a\\|b | 12 |"
