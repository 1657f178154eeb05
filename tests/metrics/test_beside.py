"""Numbers that stand beside the paper's: boxes whatever the scale, and the floor of colours."""

import numpy as np
import pytest

from diagrammar.metrics.ciede2000 import similarity
from diagrammar.metrics.protocol import load_metrics
from diagrammar.records.scenes import Box, Scene, SceneObject, TextRun
from diagrammar.records.scores import Case, Side

METRICS = load_metrics()


def drawing(boxes, colors=(), *, size=(100, 50)):
    nodes = [
        SceneObject(id=f"b{n}", kind="node", subtype="circle", box_pt=Box(*box))
        for n, box in enumerate(boxes)
    ]
    paints = [
        SceneObject(id=f"c{n}", kind="node", subtype="circle", stroke=color) for n, color in enumerate(colors)
    ]
    return Side(code="x", scene=Scene(size_pt=size, objects=(*nodes, *paints)))


def value(name, truth, candidate):
    return METRICS[name].pool([METRICS[name].measure(Case(truth=truth, candidate=candidate))])


BOXES = [(0, 0, 20, 20), (60, 10, 100, 50), (20, 9.8, 60, 10.2)]


@pytest.mark.parametrize("scale", [0.1, 0.5, 3, 10])
def test_a_drawing_at_another_scale_has_all_its_boxes(scale):
    grown = [tuple(edge * scale for edge in box) for box in BOXES]
    candidate = drawing(grown, size=(100 * scale, 50 * scale))
    assert value("f1_bbox_scalefree", drawing(BOXES), candidate) == 1.0
    assert value("f1_bbox", drawing(BOXES), candidate) < 1.0


def test_a_line_keeps_its_place_though_it_does_not_grow_in_width():
    grown = [(0, 0, 40, 40), (120, 20, 200, 100), (40, 19.8, 120, 20.2)]
    assert value("f1_bbox_scalefree", drawing(BOXES), drawing(grown, size=(200, 100))) == 1.0


def test_another_shape_is_no_other_scale():
    wide = [(edge[0] * 4, edge[1], edge[2] * 4, edge[3]) for edge in BOXES]
    assert value("f1_bbox_scalefree", drawing(BOXES), drawing(wide, size=(400, 50))) < 1.0


def test_a_drawing_without_extent_has_no_boxes_to_scale():
    assert value("f1_bbox_scalefree", drawing([], size=(0, 0)), drawing([], size=(0, 0))) == 1.0


def test_the_floor_of_one_color_is_the_mean_likeness_of_random_ones():
    floor = np.mean([value("f1_color_chance", drawing([], [c]), drawing([], [c])) for c in SAMPLE])
    drawn = [f"#{n:06x}" for n in np.random.default_rng(7).integers(0, 1 << 24, 4000)]
    assert floor == pytest.approx(float(similarity(SAMPLE, drawn).mean()), abs=0.03)


SAMPLE = [f"#{n:06x}" for n in np.random.default_rng(8).integers(0, 1 << 24, 150)]


def test_the_floor_depends_on_the_number_of_colors_and_on_nothing_else_of_the_candidate():
    truth = drawing([], SAMPLE[:5])
    assert value("f1_color_chance", truth, drawing([], SAMPLE[5:10])) == value(
        "f1_color_chance", truth, truth
    )
    assert value("f1_color_chance", truth, drawing([], SAMPLE[:1])) < 2 / 6
    assert value("f1_color_chance", drawing([]), drawing([])) == 1.0  # nothing to paint on either side


def test_the_floor_of_a_large_group_is_that_of_a_sample_of_it():
    large = drawing([], SAMPLE * 20)
    assert value("f1_color_chance", large, large) == pytest.approx(
        value("f1_color_chance", drawing([], SAMPLE[:48]), drawing([], SAMPLE[:48])), abs=0.06
    )


def labelled(*labels, boxes=BOXES, colors=("#000000",) * 3):
    nodes = [
        SceneObject(
            id=str(n), kind="node", subtype="circle", text=label, stroke=color, box_pt=Box(*box),
            runs=(TextRun(text=label, color="#000000"),),
        )
        for n, (label, box, color) in enumerate(zip(labels, boxes, colors, strict=True))
    ]  # fmt: skip
    return Side(code="x", scene=Scene(size_pt=(100, 50), objects=nodes))


def test_labels_that_change_places_cost_whole_objects_and_nothing_else():
    truth, swapped = labelled("A", "B", "C"), labelled("B", "A", "C")
    assert value("f1_avg", truth, swapped) == 1.0
    assert value("f1_object", truth, swapped) == 1 / 3
    assert value("f1_object", truth, labelled("A", "B", "C")) == 1.0


def test_colors_that_change_places_cost_whole_objects_too():
    red_first = labelled("A", "B", "C", colors=("#ff0000", "#0000ff", "#000000"))
    blue_first = labelled("A", "B", "C", colors=("#0000ff", "#ff0000", "#000000"))
    assert value("f1_color", red_first, blue_first) == 1.0
    assert value("f1_object", red_first, blue_first) == 1 / 3


def test_objects_of_one_kind_are_paired_as_many_as_can_be():
    # By hand: each of the first two overlaps the wide one; the second overlaps its like only there.
    ours = [(0, 0, 10, 10), (0, 0, 10, 6), (50, 0, 60, 10)]
    theirs = [(0, 0, 10, 6), (0, 0, 10, 30), (50, 0, 60, 10)]
    assert value("f1_object", labelled("", "", "", boxes=ours), labelled("", "", "", boxes=theirs)) == 1.0


def test_what_is_not_painted_on_one_side_is_not_the_same_object():
    filled = labelled("A", "B", "C").scene.objects[0].model_copy(update={"fill": "#000000"})
    bare = labelled("A", "B", "C").scene.objects[0]
    one, other = (Side(code="x", scene=Scene(size_pt=(20, 20), objects=(o,))) for o in (filled, bare))
    assert value("f1_object", one, other) == 0.0
