import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagrammar.metrics.example import CANDIDATE, TRUTH
from diagrammar.metrics.pairing import match_objects
from diagrammar.metrics.protocol import load_metrics
from diagrammar.records.scenes import Box, Scene, SceneObject, TextRun
from diagrammar.records.scores import Case, Side

METRICS = load_metrics()


def scene(*objects):
    return Scene(size_pt=(100, 100), objects=objects)


def circle(name, left, *, text="", color="#000000"):
    runs = (TextRun(text=text, color=color),) if text else ()
    return SceneObject(
        id=name,
        kind="node",
        subtype="circle",
        text=text,
        runs=runs,
        stroke=color,
        box_pt=Box(left, 0, left + 10, 10),
    )


def test_the_example_is_paired_as_a_reader_would_pair_it():
    matching = match_objects(TRUTH.scene, CANDIDATE.scene)
    assert matching.truth["a"].partners == {"type": "a", "text_type": "a", "text": "a", "box": "a"}
    # A rectangle B for a circle C at about the same place.
    assert matching.truth["b"].partners == {"type": None, "text_type": "b", "text": None, "box": "b"}
    assert matching.truth["line"].partners == {"type": None, "box": None}
    assert matching.truth["line"].missed
    assert matching.truth["a"].whole
    assert matching.candidate["b"].partners == {"type": None, "text_type": "b", "text": None, "box": "b"}


def test_of_three_circles_the_one_without_a_counterpart_in_its_place_is_the_missing_one():
    matching = match_objects(
        scene(circle("left", 0), circle("middle", 40), circle("right", 80)),
        scene(circle("1", 0), circle("2", 80)),
    )
    partners = {name: match.partners["type"] for name, match in matching.truth.items()}
    assert partners == {"left": "1", "middle": None, "right": "2"}


def test_circles_in_other_places_are_paired_by_their_text():
    matching = match_objects(
        scene(circle("a", 0, text="A"), circle("b", 40, text="B")),
        scene(circle("1", 500, text="B"), circle("2", 700, text="A")),
    )
    assert {name: match.partners["type"] for name, match in matching.truth.items()} == {"a": "2", "b": "1"}


def test_color_of_an_object_is_the_mean_likeness_of_its_colors():
    matching = match_objects(
        scene(circle("a", 0, text="A")), scene(circle("1", 0, text="A", color="#ffffff"))
    )
    assert matching.truth["a"].color == 0.0
    same = match_objects(scene(circle("a", 0, text="A")), scene(circle("1", 0, text="A")))
    assert same.truth["a"].color == 1.0


def test_an_object_without_colors_has_no_color_match():
    series = SceneObject(id="s", kind="series", subtype="line")
    assert match_objects(scene(series), scene(series)).truth["s"].color is None


NAMES = st.sampled_from(["", "A", "B", "C"])


@st.composite
def scenes(draw):
    made = []
    for number in range(draw(st.integers(0, 9))):
        thing = circle(
            str(number),
            draw(st.integers(0, 60)),
            text=draw(NAMES),
            color=draw(st.sampled_from(["#000000", "#ff0000"])),
        )
        made.append(thing.model_copy(update={"subtype": draw(st.sampled_from(["circle", "rectangle"]))}))
    return scene(*made)


@given(scenes(), scenes())
@settings(max_examples=60)
def test_as_many_objects_are_shown_as_matched_as_the_f1s_count(truth, candidate):
    matching = match_objects(truth, candidate)
    case = Case(truth=Side(code="", scene=truth), candidate=Side(code="", scene=candidate))
    counts = {name: METRICS[name].measure(case) for name in ("f1_type", "f1_text", "f1_color", "f1_bbox")}
    assert len(matching.types) == counts["f1_type"].matched
    assert len(matching.texts) == counts["f1_text"].matched
    assert math.fsum(pair.similarity for pair in matching.colors) == pytest.approx(counts["f1_color"].matched)
    assert len(matching.boxes) == counts["f1_bbox"].matched
    for fates in (matching.truth, matching.candidate):
        partners = [match.partners for match in fates.values()]
        found = {
            name: sum(p.get(name) is not None for p in partners)
            for name in ("type", "text_type", "text", "box")
        }
        assert found["type"] + found["text_type"] == counts["f1_type"].matched
        assert found["text"] == counts["f1_text"].matched
        assert found["box"] == counts["f1_bbox"].matched


@given(scenes(), scenes())
@settings(max_examples=60)
def test_partners_are_mutual_and_of_one_type(truth, candidate):
    matching = match_objects(truth, candidate)
    by_id = {thing.id: thing for thing in candidate.objects}
    for thing in truth.objects:
        for name, partner in matching.truth[thing.id].partners.items():
            if partner is None:
                continue
            assert matching.candidate[partner].partners[name] == thing.id
            if name == "type":
                assert by_id[partner].type_key == thing.type_key
            if name == "text":
                assert by_id[partner].text == thing.text
