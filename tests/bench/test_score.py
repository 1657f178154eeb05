"""The score of real documents, by hand from their source."""

import pytest

from diagrammar import score
from diagrammar.bench.score import read_side, score_case
from diagrammar.metrics.choose import FIRST
from diagrammar.records.scores import Case


def document(*lines):
    body = "\n".join(lines)
    return (
        "\\documentclass[tikz]{standalone}\n\\begin{document}\n\\begin{tikzpicture}\n"
        f"{body}\n\\end{{tikzpicture}}\n\\end{{document}}\n"
    )


CIRCLE, BOX, EDGE = (
    "\\node[circle,draw=red,minimum size=1cm] (a) {A};",
    "\\node[draw=red,fill=blue,text=white] (b) at (3,0) {B};",
    "\\draw (0,-1) -- (3,-1);",
)
TRUTH = document(CIRCLE, BOX, EDGE)


def numbers(pair):
    return dict(pair.values)


def test_the_papers_numbers_of_objects_and_code_are_computed_unasked():
    assert tuple(score(TRUTH, "").values) == FIRST


def test_a_document_compiled_twice_scores_exactly_one_on_everything():
    pair = score_case(Case(truth=read_side(TRUTH), candidate=read_side(TRUTH)))
    assert numbers(pair) == dict.fromkeys(FIRST, 1.0)
    assert pair.compiled.truth and pair.compiled.candidate
    assert set(pair.signatures) == set(FIRST)


@pytest.mark.parametrize(
    "lines",
    [
        ["\\draw (0,0) -- (3,0);"],
        ["\\draw[line width=0pt] (0,0) -- (3,0);", "\\draw (0,1) -- (0,2);"],
        ["\\node {$-$};", "\\node at (1,0) {$-1$};", "\\node at (2,0) {$|$};"],
        ["\\fill (0,0) circle (0.2pt);"],
        ["\\foreach \\x in {1,...,9} \\draw[red!\\x 0!blue] (\\x,0) -- (\\x,1);"],
        [],
    ],
    ids=["line", "hairline", "minus signs", "dot", "nine colours", "blank page"],
)
def test_things_without_area_score_exactly_one_against_themselves(lines):
    text = document(*lines, "\\path (-1,-1) rectangle (5,3);")
    pair = score_case(Case(truth=read_side(text), candidate=read_side(text)))
    assert numbers(pair) == dict.fromkeys(FIRST, 1.0)


def test_a_dropped_line_costs_what_it_counts_for():
    pair = score(TRUTH, document(CIRCLE, BOX))
    # Types: circle, text, rectangle, text of those and the path: 2*4/9. Texts: both. Colours: red and black; red,
    # blue and white; the path's black is missed: 2*5/11. Boxes: two nodes of three objects: 2*2/5.
    assert pair.f1_type == pytest.approx(8 / 9)
    assert pair.f1_text == 1.0
    assert pair.f1_color == pytest.approx(10 / 11)
    assert pair.f1_bbox == pytest.approx(4 / 5)
    assert pair.f1_avg == pytest.approx((8 / 9 + 1 + 10 / 11 + 4 / 5) / 4)
    assert 0 < pair.crystalbleu < 1


def test_a_changed_label_lowers_text_only():
    pair = score(TRUTH, TRUTH.replace("{A}", "{V}"))
    assert (pair.f1_type, pair.f1_text, pair.f1_color, pair.f1_bbox) == (1.0, 0.5, 1.0, 1.0)


def test_a_changed_color_lowers_color_only():
    pair = score(TRUTH, TRUTH.replace("draw=red,minimum", "draw=red!90,minimum"))
    assert (pair.f1_type, pair.f1_text, pair.f1_bbox) == (1.0, 1.0, 1.0)
    assert 0.95 < pair.f1_color < 1.0


def test_where_on_the_page_a_drawing_stands_does_not_matter():
    moved = TRUTH.replace("\\begin{tikzpicture}", "\\begin{tikzpicture}[shift={(20,-7)}]")
    assert score(TRUTH, moved).f1_avg == 1.0


def test_prose_and_fences_around_a_reply_do_not_lower_its_code_score():
    reply = f"Here it is: two nodes and a line.\n\n```latex\n{TRUTH}```\nI hope that helps!"
    assert numbers(score(TRUTH, reply)) == dict.fromkeys(FIRST, 1.0)


def test_a_bare_picture_scores_as_the_objects_it_draws():
    picture = TRUTH[TRUTH.index("\\begin{tikzpicture}") : TRUTH.index("\\end{document}")]
    pair = score(TRUTH, picture)
    assert pair.f1_avg == 1.0
    assert pair.crystalbleu < 1.0  # the wrapper that makes it compile is not its code


@pytest.mark.parametrize(
    ("candidate", "kind"),
    [
        ("", "no_code"),
        ("I cannot draw that.", "no_code"),
        (TRUTH.replace("\\draw", "\\drow"), "undefined_command"),
        (TRUTH[: TRUTH.index("\\end{tikzpicture}")], "truncated"),
    ],
)
def test_a_candidate_that_does_not_compile_scores_zero_on_everything(candidate, kind):
    pair = score(TRUTH, candidate)
    assert numbers(pair) == dict.fromkeys(FIRST, 0.0)
    assert not pair.compiled.candidate
    assert pair.failures.candidate.kind == kind
    assert pair.not_computed == {}


def test_nothing_is_computed_against_a_truth_that_does_not_compile():
    pair = score("no drawing", TRUTH)
    assert numbers(pair) == dict.fromkeys(FIRST, None)
    assert set(pair.not_computed) == set(FIRST)
    assert not pair.compiled.truth and pair.compiled.candidate


def test_a_blank_page_scores_only_where_the_truth_has_nothing_either():
    blank = document("\\path (0,0) rectangle (1,1);")
    assert [getattr(score(TRUTH, blank), name) for name in ("f1_type", "f1_text", "f1_color", "f1_bbox")] == [
        0.0
    ] * 4
    assert score(document(EDGE), blank).f1_text == 1.0


# edits of real programs

SOURCE = document(CIRCLE, BOX, EDGE)
RENAMED = SOURCE.replace("{A}", "{V}")
RECOLORED = SOURCE.replace("fill=blue", "fill=green")
WITHOUT_LINE = document(CIRCLE, BOX)
WITH_NODE_AT_LEFT = document(
    CIRCLE, BOX, EDGE, "\\node[diamond,draw,minimum size=8mm] at (-3,1) {N};"
).replace("\\begin{document}", "\\usetikzlibrary{shapes}\n\\begin{document}")
EDITS = {"renamed": RENAMED, "recolored": RECOLORED, "removed": WITHOUT_LINE, "added": WITH_NODE_AT_LEFT}
DIMENSIONS = ("type", "text", "color", "bbox")


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("protocol", ["paper", "strict"])
def test_the_edit_itself_scores_one_on_every_part(edit, protocol):
    found = score(EDITS[edit], EDITS[edit], source=SOURCE, metrics=["all"], protocol=protocol)
    parts = {name: value for name, value in found.values.items() if name.endswith(("_preserve", "_edit"))}
    assert len(parts) >= 22
    best = {name: (1.0, None) if "strict" in name else (1.0,) for name in parts}
    assert all(parts[name] in best[name] for name in parts), parts


@pytest.mark.parametrize(
    ("edit", "edited"), [("renamed", ["text"]), ("recolored", ["color"]), ("added", list(DIMENSIONS))]
)
def test_a_copy_of_the_source_has_kept_all_and_edited_nothing(edit, edited):
    found = score(EDITS[edit], SOURCE, source=SOURCE)
    edits = [found.values[f"f1_{dimension}_edit"] for dimension in DIMENSIONS]
    assert edits == [0.0 if dimension in edited else 1.0 for dimension in DIMENSIONS]
    strict = score(EDITS[edit], SOURCE, source=SOURCE, protocol="strict")
    assert strict.f1_avg_strict_edit == 0.0
    if edit == "added":
        assert [found.values[f"f1_{dimension}_preserve"] for dimension in DIMENSIONS] == [1.0] * 4


def test_numbers_of_edits_are_asked_for_by_a_source_only():
    assert not any("edit" in name for name in score(RENAMED, SOURCE).values)
    broken = score(RENAMED, SOURCE, source="no drawing")
    assert broken.failures.source.kind == "no_code"
    assert broken.f1_avg == score(RENAMED, SOURCE).f1_avg
    assert broken.f1_avg_edit is None


def test_strict_rules_get_nothing_for_what_is_not_there():
    lines = document("\\draw (0,0) -- (1,1);", "\\draw (0,1) -- (1,0);")
    assert score(lines, lines).f1_text == 1.0
    strict = score(lines, lines, protocol="strict")
    assert strict.f1_text_strict is None
    assert strict.not_computed == {"f1_text_strict": "neither side has a text at all"}
    assert strict.f1_avg_strict == 1.0


# the second reader


def test_the_second_reader_gives_the_same_numbers_under_another_signature():
    candidate = TRUTH.replace("{A}", "{V}")
    first, second = (score(TRUTH, candidate, reader=reader) for reader in ("pdf", "svg"))
    assert second.values == pytest.approx(dict(first.values), abs=0.01)
    assert "|reader:pdf-pypdfium2-" in first.signatures["f1_avg"]
    assert "|reader:svg-dvisvgm-" in second.signatures["f1_avg"]
    assert first.signatures["crystalbleu"] == second.signatures["crystalbleu"]


def test_what_the_papers_driver_cannot_draw_is_nobodys_mistake():
    shaded = (
        "\\documentclass{standalone}\\usepackage{pgfplots}\\begin{document}\\begin{tikzpicture}\\begin{axis}"
        "\\addplot3[surf,shader=interp,samples=4] {x};\\end{axis}\\end{tikzpicture}\\end{document}"
    )
    found = score(TRUTH, shaded, reader="svg")
    assert found.f1_avg is None
    assert found.failures.candidate.kind == "driver_limit"
    assert score(TRUTH, shaded).f1_avg is not None


def test_pictures_are_compared_where_they_are_asked_for():
    found = score(TRUTH, document(CIRCLE, BOX), metrics=["ssim"])
    assert 0.5 < found.ssim < 1.0
    assert score(TRUTH, TRUTH, metrics=["ssim"]).ssim == 1.0
    assert score(TRUTH, "", metrics=["ssim"]).ssim == 0.0
