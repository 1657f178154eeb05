import pytest

from diagrammar.metrics.counted import MIN_SIDE_PT, count
from diagrammar.records.scenes import Box, DataPointData, Scene, SceneObject, TextRun


def scene(*objects):
    return Scene(size_pt=(100, 100), objects=objects)


def values(items):
    return [item.value for item in items]


LABELLED = SceneObject(
    id="n", kind="node", subtype="circle", text="R1", stroke="#ff0000", fill="#eeeeee",
    box_pt=Box(0, 0, 10, 10), runs=(TextRun(text="R", color="#000000"), TextRun(text="1", color="#0000ff")),
)  # fmt: skip


def test_a_node_with_text_counts_as_its_shape_and_as_text():
    assert values(count(scene(LABELLED)).types) == ["node:circle", "text"]


def test_a_node_without_text_counts_as_its_shape_only():
    assert values(count(scene(LABELLED.model_copy(update={"text": "", "runs": ()}))).types) == ["node:circle"]


def test_text_outside_nodes_counts_once():
    text = SceneObject(id="t", kind="text", text="a", runs=(TextRun(text="a", color="#000000"),))
    counted = count(scene(text))
    assert values(counted.types) == ["text"]
    assert values(counted.texts) == ["a"]


def test_stroke_and_fill_are_in_the_group_of_the_object_and_runs_in_that_of_text():
    colors = count(scene(LABELLED)).colors
    assert {group: values(items) for group, items in colors.items()} == {
        "node:circle": ["#ff0000", "#eeeeee"],
        "text": ["#000000", "#0000ff"],
    }


def test_a_data_point_counts_its_coordinates_as_text_but_not_as_a_text_object():
    point = SceneObject(id="p", kind="data_point", text="(1, 2)", data=DataPointData(x=1, y=2))
    counted = count(scene(point))
    assert values(counted.types) == ["data_point"]
    assert values(counted.texts) == ["(1, 2)"]
    assert counted.colors == {}
    assert counted.boxes == ()


@pytest.mark.parametrize("kind", ["picture", "scope", "axis", "ink"])
def test_containers_and_unmarked_ink_are_not_counted(kind):
    counted = count(scene(SceneObject(id="c", kind=kind, stroke="#000000", text="x", box_pt=Box(0, 0, 9, 9))))
    assert (counted.types, counted.texts, counted.colors, counted.boxes) == ((), (), {}, ())


def test_the_box_of_a_drawn_line_is_taken_as_it_is():
    line = SceneObject(id="l", kind="path", subtype="open", box_pt=Box(0, 4.8, 50, 5.2))
    assert values(count(scene(line)).boxes) == [Box(0, 4.8, 50, 5.2)]


def test_a_box_without_height_is_widened_around_its_centre():
    hairline = SceneObject(id="l", kind="path", subtype="open", box_pt=Box(0, 5, 50, 5))
    (box,) = values(count(scene(hairline)).boxes)
    assert (box.left, box.right) == (0, 50)
    assert (box.top, box.bottom) == pytest.approx((5 - MIN_SIDE_PT / 2, 5 + MIN_SIDE_PT / 2))


def test_corners_in_the_wrong_order_are_put_right():
    mirrored = SceneObject(id="m", kind="node", subtype="rectangle", box_pt=Box(10, 20, 0, 5))
    assert values(count(scene(mirrored)).boxes) == [Box(0, 5, 10, 20)]


def test_every_item_knows_its_object():
    counted = count(scene(LABELLED))
    items = [
        *counted.types,
        *counted.texts,
        *counted.boxes,
        *(i for group in counted.colors.values() for i in group),
    ]
    assert {item.owner for item in items} == {"n"}
    assert len(items) == 2 + 1 + 1 + 4
