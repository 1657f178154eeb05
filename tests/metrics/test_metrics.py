"""The contract that every metric keeps, and what the object F1s are in cases worked out by hand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagrammar.errors import BadInput
from diagrammar.metrics.choose import FIRST, choose_metrics
from diagrammar.metrics.example import CANDIDATE, EXAMPLE, SOURCE, TRUTH
from diagrammar.metrics.protocol import Failed, load_metrics
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.scenes import Box, Scene, SceneObject, TextRun
from diagrammar.records.scores import Case, NotComputed, Side

METRICS = load_metrics()
# What one pair has on this machine, and a best value of.
SCORED = [name for name, metric in METRICS.items() if metric.score and not metric.missing()]
PERFECT = [name for name in SCORED if not math.isnan(METRICS[name].perfect)]
BY_HAND = [name for name, metric in METRICS.items() if metric.on_example is not None]
OF_OBJECTS = [name for name, metric in METRICS.items() if metric.reads == "objects"]
OBJECT_F1S = ["f1_type", "f1_text", "f1_color", "f1_bbox"]
BROKEN = Side(code="\\foo", failure=TexFailure(kind="undefined_command", message="no \\foo"))
EMPTY = Side(code="", scene=Scene(size_pt=(0, 0), objects=()))


def value(name, truth, candidate, source=None):
    measured = METRICS[name].measure(Case(truth=truth, candidate=candidate, source=source))
    return measured if isinstance(measured, NotComputed) else METRICS[name].pool([measured])


def side(*objects, code="x"):
    return Side(code=code, scene=Scene(size_pt=(100, 100), objects=objects))


def test_every_metric_is_found_under_its_name():
    assert set(METRICS) >= {*OBJECT_F1S, "f1_avg", "crystalbleu"}
    assert all(metric.name == name for name, metric in METRICS.items())


@pytest.mark.parametrize("name", BY_HAND)
def test_metric_gives_the_score_that_it_states_for_the_example(name):
    found = value(name, EXAMPLE.truth, EXAMPLE.candidate, EXAMPLE.source)
    assert found == pytest.approx(METRICS[name].on_example, abs=1e-12)


@pytest.mark.parametrize("name", PERFECT)
@pytest.mark.parametrize("same", [TRUTH, CANDIDATE], ids=["truth", "candidate"])
def test_a_program_scores_exactly_the_best_against_itself(name, same):
    found = value(name, same, same, SOURCE)
    if isinstance(found, NotComputed):  # strict rules: the candidate's lack of what the truth has is no merit
        assert METRICS[name].protocol == "strict"
    else:
        assert found == METRICS[name].perfect


@pytest.mark.parametrize("name", PERFECT)
def test_two_empty_drawings_score_the_best_or_by_strict_rules_nothing(name):
    found = value(name, EMPTY, EMPTY, EMPTY)
    if METRICS[name].reads == "picture":
        assert found == NotComputed(reason="the pictures have not been drawn")
    elif METRICS[name].protocol == "strict":
        assert isinstance(found, NotComputed)
    else:
        assert found == METRICS[name].perfect


@pytest.mark.parametrize("name", SCORED)
def test_a_candidate_that_does_not_compile_has_the_failure_value_even_where_the_truth_is_empty(name):
    worst = 1.0 if METRICS[name].lower_is_better else 0.0
    assert value(name, TRUTH, BROKEN, SOURCE) == worst
    assert value(name, EMPTY, BROKEN, SOURCE) == worst
    blank = Case(truth=TRUTH, candidate=Side(code=""), source=SOURCE)
    assert isinstance(METRICS[name].measure(blank), Failed)


@pytest.mark.parametrize("name", SCORED)
def test_nothing_is_computed_for_a_truth_that_does_not_compile(name):
    found = value(name, BROKEN, TRUTH, SOURCE)
    assert found == NotComputed(reason="the truth does not compile: no \\foo")


@pytest.mark.parametrize("name", [name for name in SCORED if METRICS[name].needs_source])
def test_nothing_is_computed_of_an_edit_without_its_source(name):
    assert value(name, TRUTH, TRUTH, BROKEN).reason == "the source does not compile: no \\foo"
    assert value(name, TRUTH, TRUTH).reason.startswith("no source is given")


@pytest.mark.parametrize("name", SCORED)
def test_a_machine_that_cannot_isolate_says_nothing_about_the_candidate(name):
    refused = Side(code="x", failure=TexFailure(kind="isolation_required", message="no bubblewrap"))
    assert isinstance(value(name, TRUTH, refused, SOURCE), NotComputed)


@pytest.mark.parametrize("name", OF_OBJECTS)
def test_objects_are_not_compared_where_the_truth_has_no_marks(name):
    unmarked = Side(code="x", scene=Scene(size_pt=(9, 9), objects=(), marked=False))
    assert value(name, unmarked, unmarked, SOURCE).reason.startswith("the truth compiles only without marks")


@pytest.mark.parametrize("name", [name for name in PERFECT if METRICS[name].protocol != "strict"])
def test_a_failed_candidate_stays_in_the_mean(name):
    metric = METRICS[name]
    statistics = [
        metric.measure(Case(truth=TRUTH, candidate=TRUTH, source=SOURCE)),
        metric.measure(Case(truth=TRUTH, candidate=BROKEN, source=SOURCE)),
    ]
    assert metric.pool(statistics) == 0.5
    assert isinstance(metric.pool([]), NotComputed)


def test_a_metric_is_chosen_by_name_by_group_and_by_protocol():
    assert tuple(choose_metrics()) == FIRST
    assert set(choose_metrics(protocol="strict")) == {
        *(f"{name}_strict" for name in FIRST[:5]),
        "crystalbleu",
    }
    edits = choose_metrics(["objects"], with_source=True)
    assert set(edits) == {f"{name}{part}" for name in FIRST[:5] for part in ("", "_preserve", "_edit")}
    assert list(choose_metrics(["crystalbleu", "f1_avg"])) == ["f1_avg", "crystalbleu"]
    assert set(choose_metrics(["all"], with_source=True)) == set(METRICS)
    with pytest.raises(BadInput, match="no metric or group named 'f1_colour'; did you mean f1_color"):
        choose_metrics(["f1_colour"])


@pytest.mark.parametrize("name", METRICS)
def test_signature_names_the_metric_and_its_version(name):
    assert METRICS[name].signature.startswith(f"{name}|v:{METRICS[name].version}")
    assert "\n" not in METRICS[name].signature


@pytest.mark.parametrize("name", ["f1_text", "f1_color", "f1_bbox"])
def test_a_dimension_that_both_sides_lack_scores_one_and_one_that_either_lacks_zero(name):
    bare = side(SceneObject(id="s", kind="series", subtype="line"))
    full = side(
        SceneObject(
            id="n", kind="node", subtype="circle", text="A", stroke="#000000", box_pt=Box(0, 0, 9, 9),
            runs=(TextRun(text="A", color="#000000"),),
        )
    )  # fmt: skip
    assert value(name, bare, bare) == 1.0
    assert value(name, bare, full) == 0.0
    assert value(name, full, bare) == 0.0


def test_a_blank_page_against_a_drawing_without_text_scores_on_text_only():
    line = side(SceneObject(id="l", kind="path", subtype="open", stroke="#000000", box_pt=Box(0, 0, 9, 0.4)))
    assert [value(name, line, EMPTY) for name in OBJECT_F1S] == [0.0, 1.0, 0.0, 0.0]
    assert value("f1_avg", line, EMPTY) == 0.25


def test_a_spam_of_dots_costs_precision():
    node = SceneObject(id="n", kind="node", subtype="circle", stroke="#000000", box_pt=Box(0, 0, 9, 9))
    dots = [node.model_copy(update={"id": str(n)}) for n in range(999)]
    assert value("f1_type", side(node), side(node, *dots)) == pytest.approx(2 / 1001)


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    nodes = [SceneObject(id=str(n), kind="node", subtype="circle") for n in range(12)]
    (overlap,) = [METRICS["f1_type"].measure(Case(truth=side(*nodes), candidate=side(*nodes[:3])))]
    assert (overlap.precision, overlap.recall) == (1.0, 0.25)
    assert overlap.f1 == 0.4  # 2 * 1 * 0.25 / 1.25


# what holds for any drawing

COLOR = st.sampled_from([None, "#000000", "#ff0000", "#ff6666", "#0000ff", "#ffffff"])
TEXT = st.sampled_from(["", "A", "B", "x1", "-"])
EDGE = st.integers(0, 200).map(lambda n: n / 4)


@st.composite
def drawings(draw):
    objects = []
    for number in range(draw(st.integers(0, 9))):
        text, ink = draw(TEXT), draw(COLOR)
        left, top = draw(EDGE), draw(EDGE)
        box = st.none() | st.just(Box(left, top, left + draw(EDGE), top + draw(EDGE)))
        kind, subtype = draw(
            st.sampled_from([("node", "circle"), ("node", "rectangle"), ("path", "open"), ("axis", None)])
        )
        objects.append(
            SceneObject(
                id=str(number), kind=kind, subtype=subtype, text=text, stroke=draw(COLOR), fill=draw(COLOR),
                box_pt=draw(box), runs=(TextRun(text=text, color=ink),) if text and ink else (),
            )
        )  # fmt: skip
    return side(*objects)


@given(drawings())
@settings(max_examples=60)
def test_any_drawing_scores_exactly_one_against_itself(drawing):
    assert [value(name, drawing, drawing) for name in [*OBJECT_F1S, "f1_avg"]] == [1.0] * 5


@given(drawings(), drawings())
@settings(max_examples=60)
def test_scores_stay_within_zero_and_one(truth, candidate):
    for name in [*OBJECT_F1S, "f1_avg"]:
        assert 0.0 <= value(name, truth, candidate) <= 1.0


@given(drawings(), drawings())
@settings(max_examples=60)
def test_types_texts_and_colors_score_the_same_with_the_sides_swapped(truth, candidate):
    for name in ["f1_type", "f1_text", "f1_color"]:
        assert value(name, truth, candidate) == pytest.approx(value(name, candidate, truth), abs=1e-12)


@given(drawings(), drawings(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_types_texts_and_colors_do_not_depend_on_the_order_of_drawing(truth, candidate, random):
    objects = list(candidate.scene.objects)
    random.shuffle(objects)
    for name in ["f1_type", "f1_text", "f1_color"]:
        assert value(name, truth, side(*objects)) == pytest.approx(value(name, truth, candidate), abs=1e-12)
