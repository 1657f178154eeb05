"""What an edit has to keep and to change: cases by hand, and what holds for any source, edit and candidate."""

import math
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from diagrammar.metrics.align import find_shift
from diagrammar.metrics.objects import DIMENSIONS, overlap
from diagrammar.metrics.protocol import load_metrics
from diagrammar.metrics.rules import PAPER, STRICT
from diagrammar.records.scenes import Box, Scene, SceneObject, TextRun
from diagrammar.records.scores import Case, NotComputed, Side

METRICS = load_metrics()
RULES = {"paper": PAPER, "strict": STRICT}


def node(name, box, *, shape="circle", text="", stroke="#000000", fill=None):
    runs = (TextRun(text=text, color="#000000"),) if text else ()
    return SceneObject(
        id=name, kind="node", subtype=shape, text=text, runs=runs, stroke=stroke, fill=fill, box_pt=box
    )


def drawing(*objects):
    """A scene whose origin is the corner of its ink, as the reader makes it."""
    boxes = [thing.box_pt for thing in objects]
    left, top = min((b.left for b in boxes), default=0), min((b.top for b in boxes), default=0)
    moved = tuple(o.model_copy(update={"box_pt": o.box_pt.shifted(-left, -top)}) for o in objects)
    size = (max((b.right for b in boxes), default=0) - left, max((b.bottom for b in boxes), default=0) - top)
    return Side(code="x", scene=Scene(size_pt=size, objects=moved))


def value(name, truth, candidate, source):
    measured = METRICS[name].measure(Case(truth=truth, candidate=candidate, source=source))
    return None if isinstance(measured, NotComputed) else METRICS[name].pool([measured])


A = node("a", Box(0, 0, 20, 20), text="A")
B = node("b", Box(40, 0, 60, 20), text="B", stroke="#ff0000")
C = node("c", Box(80, 0, 100, 20), shape="rectangle", text="C")
BLUE_B = B.model_copy(update={"stroke": "#0000ff"})
SOURCE = drawing(A, B, C)


def parts(truth, candidate, rules=""):
    return {
        part: [value(f"f1_{d}{rules}_{part}", truth, candidate, SOURCE) for d in DIMENSIONS]
        for part in ("preserve", "edit")
    }


@pytest.mark.parametrize("rules", ["", "_strict"])
def test_a_new_object_at_the_left_leaves_all_others_in_their_places(rules):
    new = node("new", Box(-50, 0, -30, 20), shape="diamond", text="N", fill="#00ff00")
    truth = drawing(new, A, B, C)  # its origin is 50 bp further left
    copied = parts(truth, SOURCE, rules)
    assert copied == {"preserve": [1, 1, 1, 1], "edit": [0, 0, 0, 0]}
    assert parts(truth, truth, rules) == {"preserve": [1, 1, 1, 1], "edit": [1, 1, 1, 1]}


def test_a_recolored_border_is_an_edit_of_colors_alone():
    truth = drawing(A, BLUE_B, C)
    # Nothing else is edited: both sides are empty there, which counts 1 by the paper's rules and not by strict ones.
    assert parts(truth, SOURCE)["edit"] == [1, 1, 0, 1]
    assert parts(truth, SOURCE, "_strict")["edit"] == [None, None, 0, None]
    assert value("f1_avg_strict_edit", truth, SOURCE, SOURCE) == 0
    assert value("f1_avg_strict_edit", truth, truth, SOURCE) == 1


def test_an_edit_to_another_color_than_the_one_asked_for_counts_in_part():
    truth, green = drawing(A, BLUE_B, C), drawing(A, B.model_copy(update={"stroke": "#00ff00"}), C)
    # dE00 of blue and green is 83.2 (scikit-image): likeness .168.
    assert value("f1_color_edit", truth, green, SOURCE) == pytest.approx(0.168, abs=5e-4)


def test_what_is_not_removed_costs_both_parts():
    truth = drawing(A, B)
    assert parts(truth, truth)["edit"] == [1, 1, 1, 1]
    # C is still there. To keep: circle, circle, text, text of which the copy has two more, its rectangle and text.
    assert parts(truth, SOURCE)["preserve"] == [8 / 10, 4 / 5, 8 / 10, 4 / 5]
    assert parts(truth, SOURCE)["edit"] == [0, 0, 0, 0]


def test_a_small_move_and_a_small_change_of_color_vanish_by_the_papers_rules_only():
    moved = C.model_copy(update={"box_pt": C.box_pt.shifted(3, 0)})
    darker = B.model_copy(update={"stroke": "#ee0000"})  # dE00 of about 4
    truth = drawing(A, darker, moved)
    assert parts(truth, SOURCE)["edit"] == [1, 1, 1, 1]
    assert parts(truth, SOURCE, "_strict")["edit"] == [None, None, 0, 0]
    assert parts(truth, truth, "_strict")["edit"] == [None, None, 1, 1]


def test_moves_of_less_than_a_point_are_no_edit_by_strict_rules():
    truth = drawing(A, B, C.model_copy(update={"box_pt": C.box_pt.shifted(0.9, 0)}))
    assert value("f1_bbox_strict_edit", truth, truth, SOURCE) is None
    assert value("f1_bbox_strict_preserve", truth, SOURCE, SOURCE) == 1


def test_the_shift_is_what_most_objects_agree_on():
    new = node("new", Box(-50, -7, -30, 20), text="N")
    assert find_shift(SOURCE.scene, drawing(new, A, B, C).scene) == (-50, -7)
    assert find_shift(SOURCE.scene, drawing(A, B).scene) == (0, 0)
    assert find_shift(SOURCE.scene, drawing().scene) == (0, 0)
    # Two moved away from each other: no shift fits both, so none is made.
    apart = drawing(A, B.model_copy(update={"box_pt": B.box_pt.shifted(9, 0)}))
    assert find_shift(drawing(A, B).scene, apart.scene) == (0, 0)


# what holds for any edit

COLOR = st.sampled_from(["#000000", "#ff0000", "#ee0000", "#0000ff", "#00ff00", "#ffffff", "#808080"])
PLACE = st.integers(0, 120).map(lambda n: n / 2)
SIZE = st.sampled_from([0.4, 3.0, 10.0, 10.5, 25.0])


@st.composite
def things(draw, name):
    left, top = draw(PLACE), draw(PLACE)
    return node(
        name,
        Box(left, top, left + draw(SIZE), top + draw(SIZE)),
        shape=draw(st.sampled_from(["circle", "rectangle"])),
        text=draw(st.sampled_from(["", "A", "B"])),
        stroke=draw(COLOR),
        fill=draw(st.none() | COLOR),
    )


@st.composite
def drawings(draw):
    return [draw(things(str(n))) for n in range(draw(st.integers(0, 9)))]


@st.composite
def edits(draw):
    """A drawing, and the same with objects dropped, changed, moved and added, in any order."""
    before = draw(drawings())
    after = []
    for thing in before:
        fate = draw(st.sampled_from(["keep", "keep", "keep", "drop", "change", "move"]))
        if fate == "keep":
            after.append(thing)
        elif fate == "change":
            after.append(thing.model_copy(update={"stroke": draw(COLOR), "text": "C"}))
        elif fate == "move":
            by = draw(PLACE) / 8
            after.append(thing.model_copy(update={"box_pt": thing.box_pt.shifted(by, by)}))
    after += draw(st.lists(things("new"), max_size=3))
    Random(draw(st.integers(0, 9))).shuffle(after)
    return drawing(*before), drawing(*after)


@given(edits())
@settings(max_examples=150, deadline=None)
def test_a_perfect_edit_scores_one_on_every_part_and_dimension(edit):
    source, truth = edit
    for name, metric in METRICS.items():
        if metric.reads == "objects" and metric.needs_source:
            assert value(name, truth, truth, source) in (1.0, None if metric.protocol == "strict" else 1.0), (
                name
            )


@given(edits())
@settings(max_examples=150, deadline=None)
def test_a_copy_of_the_source_scores_no_edit_where_there_is_one(edit):
    source, truth = edit
    for protocol, rules in RULES.items():
        suffix = "_strict" if protocol == "strict" else ""
        for dimension in DIMENSIONS:
            case = Case(truth=truth, candidate=source, source=source)
            if overlap(case, dimension, rules=rules, part="edit").truth:
                assert value(f"f1_{dimension}{suffix}_edit", truth, source, source) == 0, (
                    protocol,
                    dimension,
                )


@given(drawings(), st.lists(things("new"), max_size=4), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_a_copy_of_the_source_keeps_all_where_the_edit_only_adds(before, new, random):
    assume(before)
    after = [*before, *new]
    random.shuffle(after)
    source, truth = drawing(*before), drawing(*after)
    moved = [
        o.box_pt.left - n.box_pt.left
        for o in source.scene.objects
        for n in truth.scene.objects
        if o.id == n.id
    ]
    for suffix in ("", "_strict"):
        for dimension in ("type", "text", "color"):
            assert value(f"f1_{dimension}{suffix}_preserve", truth, source, source) in (1.0, None)
    assert moved
    # Objects that look alike may agree on another shift than the true one; then boxes are compared there.
    dx, dy = find_shift(source.scene, truth.scene)
    first = next(n for n in truth.scene.objects if n.id == before[0].id and n.id != "new")
    known = source.scene.objects[0].box_pt
    if math.isclose(first.box_pt.left + dx, known.left, abs_tol=0.2) and math.isclose(
        first.box_pt.top + dy, known.top, abs_tol=0.2
    ):
        assert value("f1_bbox_preserve", truth, source, source) == 1.0
        assert value("f1_bbox_strict_preserve", truth, source, source) == 1.0


@given(edits(), drawings())
@settings(max_examples=80, deadline=None)
def test_every_part_of_anything_is_within_zero_and_one(edit, other):
    source, truth = edit
    for name, metric in METRICS.items():
        if metric.reads == "objects" and metric.needs_source:
            found = value(name, truth, drawing(*other), source)
            assert found is None or 0.0 <= found <= 1.0
