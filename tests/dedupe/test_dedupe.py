"""Near-duplicates by code, objects and picture: pairs worked out by hand, and the indexes against brute force."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image, ImageDraw

from diagrammar.dedupe.code import CodeIndex, jaccard, shingles
from diagrammar.dedupe.objects import layout, same_layout
from diagrammar.dedupe.picture import Look, LookIndex, look, unlike
from diagrammar.records.scenes import Box, Scene, SceneObject


def test_runs_of_three_tokens_are_counted_with_both_ends() -> None:
    # By hand: a b c with two edges on either side has 5 runs; a b d shares the first two, and 3 of each differ.
    assert len(shingles("a b c")) == 5
    assert jaccard(shingles("a b c"), shingles("a b d")) == pytest.approx(2 / 8)


def test_white_space_does_not_count() -> None:
    assert jaccard(shingles("\\draw (0,0)--(1,1);"), shingles("\\draw\n  (0, 0) -- (1, 1) ;")) == 1


def test_a_number_is_one_token() -> None:
    assert jaccard(shingles("(1.25,3)"), shingles("(1.35,3)")) < 0.5
    assert len(shingles("1.25")) == 3


def test_the_code_index_misses_no_pair_that_is_alike() -> None:
    rng = random.Random(0)
    words = [f"w{n}" for n in range(30)]
    texts = [[rng.choice(words) for _ in range(40)] for _ in range(40)]
    for text in list(texts):
        twin = list(text)
        twin[rng.randrange(40)] = "other"
        texts.append(twin)
    bodies = [shingles(" ".join(text)) for text in texts]
    index = CodeIndex(bodies, alike=0.8)
    alike = 0
    for place, body in enumerate(bodies):
        expected = {at for at in range(place) if jaccard(body, bodies[at]) >= 0.8}
        assert expected <= set(index.candidates(body))
        alike += len(expected)
        index.add(place, body)
    assert alike >= 40


def scene(*boxes: Box, size: tuple[float, float] = (100, 50), text: str = "a") -> Scene:
    objects = tuple(
        SceneObject(id=f"o{n}", kind="node", text=text, box_pt=box) for n, box in enumerate(boxes)
    )
    return Scene(size_pt=size, objects=objects)


def test_the_same_objects_at_another_scale_are_the_same() -> None:
    small, large = scene(Box(0, 0, 10, 10)), scene(Box(0, 0, 20, 20), size=(200, 100))
    assert same_layout(layout(small), layout(large))


@pytest.mark.parametrize(
    "other",
    [
        scene(Box(5, 0, 15, 10)),
        scene(Box(0, 0, 10, 10), text="b"),
        scene(Box(0, 0, 10, 10), Box(0, 0, 10, 10)),
    ],
)
def test_another_place_text_or_number_is_not_the_same(other: Scene) -> None:
    assert not same_layout(layout(scene(Box(0, 0, 10, 10))), layout(other))


def picture(*lines: tuple[int, int, int, int], size: tuple[int, int] = (400, 300)) -> bytes:
    canvas = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(canvas)
    for line in lines:
        pen.line(line, fill="black", width=6)
    buffer = io.BytesIO()
    canvas.save(buffer, "PNG")
    return buffer.getvalue()


CROSS = [(20, 20, 380, 280), (20, 280, 380, 20), (20, 150, 380, 150)]


def test_the_same_picture_in_another_size_is_alike() -> None:
    with Image.open(io.BytesIO(picture(*CROSS))) as large:
        small = io.BytesIO()
        large.resize((200, 150), Image.Resampling.BOX).save(small, "PNG")
    assert unlike(look(picture(*CROSS)), look(small.getvalue())) < 0.1
    assert unlike(look(picture(*CROSS)), look(picture(*CROSS))) == 0


def test_a_line_that_is_missing_is_told() -> None:
    # By hand: of three lines of much the same length one is missing, so a fifth of all ink, 1 of 3 + 2.
    assert unlike(look(picture(*CROSS)), look(picture(*CROSS[:2]))) == pytest.approx(0.2, abs=0.06)


def test_other_proportions_are_another_picture() -> None:
    assert unlike(look(picture(*CROSS)), look(picture(*CROSS, size=(400, 400)))) == 1


def test_a_transparent_ground_is_white() -> None:
    canvas = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    buffer = io.BytesIO()
    canvas.save(buffer, "PNG")
    assert int(look(buffer.getvalue()).ink.max()) == 0


def test_pictures_that_differ_by_a_hair_are_found_by_their_hash() -> None:
    index = LookIndex()
    looks: list[Look] = []
    rng = random.Random(1)
    for place in range(60):
        lines = [(rng.randrange(20, 380), 20, rng.randrange(20, 380), 280) for _ in range(5)]
        looks.append(look(picture(*lines)))
        index.add(place, looks[-1])
        nearly = [*lines[:-1], (lines[-1][0] + 1, *lines[-1][1:])]
        assert place in list(index.candidates(look(picture(*nearly))))
    others = sum(len(list(index.candidates(one))) - 1 for one in looks)
    assert others < 60 * 60 / 10  # few of the others are looked at


def test_a_blank_picture_is_like_a_blank_one_only() -> None:
    blank: Look = look(picture())
    assert unlike(blank, blank) == 0
    assert unlike(blank, look(picture(*CROSS))) == 1
