import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagrammar.metrics.ciede2000 import similarity
from diagrammar.metrics.colors import EXHAUSTIVE_UP_TO, assign, assign_alike, assign_best
from diagrammar.metrics.counted import Item
from diagrammar.metrics.matching import (
    MIN_IOU,
    Pair,
    as_array,
    iou,
    match_boxes,
    match_boxes_best,
    match_colors,
    match_equal,
)
from diagrammar.records.scenes import Box

BLACK, WHITE, GREY, GREEN, SAME = "#000000", "#ffffff", "#808080", "#00ff00", "#123456"
COLOR = st.sampled_from([BLACK, WHITE, GREY, GREEN, SAME, "#ff0000", "#0000ff", "#ffff00"])


def items(*values):
    return [Item(value, f"{value}@{place}") for place, value in enumerate(values)]


def boxes(*corners):
    return [Item(Box(*corner), str(place)) for place, corner in enumerate(corners)]


def total(pairs):
    return math.fsum(pair.similarity for pair in pairs)


def best_total(truth, candidate):
    """By trying all: every way to give each of the shorter side one of the longer."""
    few, many = sorted((truth, candidate), key=len)
    alike = similarity(few, many)
    columns = itertools.permutations(range(len(many)), len(few))
    return max(math.fsum(alike[row, column] for row, column in enumerate(choice)) for choice in columns)


# types and texts


def test_equal_values_are_paired_in_order_as_often_as_both_sides_have_them():
    pairs = match_equal(items("A", "B", "A", "A"), items("A", "C", "A"))
    assert pairs == [Pair("A@0", "A@0"), Pair("A@2", "A@2")]


def test_texts_that_differ_in_case_or_space_are_not_equal():
    assert match_equal(items("a", "x y"), items("A", "xy")) == []


# colours


def test_colors_are_compared_within_their_group_only():
    truth = {"node:circle": items(BLACK), "text": items(WHITE)}
    candidate = {"node:rectangle": items(BLACK), "text": items(WHITE)}
    assert total(match_colors(truth, candidate)) == 1.0


# White with grey (0.668) is the best single pair, but leaves black with green (0.121). The best two are black
# with grey (0.601) and white with green (0.667). Numbers from scikit-image's CIEDE2000, to three digits.
TRAP_TRUTH, TRAP_CANDIDATE = [BLACK, WHITE], [GREY, GREEN]


def test_up_to_six_colors_a_side_the_best_assignment_is_found():
    truth, candidate = [SAME] * 4 + TRAP_TRUTH, [SAME] * 4 + TRAP_CANDIDATE
    assert len(truth) == EXHAUSTIVE_UP_TO
    assert total(assign(truth, candidate)) == pytest.approx(4 + 0.601 + 0.667, abs=2e-3)


def test_from_seven_colors_on_the_most_alike_pair_is_taken_first():
    truth, candidate = [SAME] * 5 + TRAP_TRUTH, [SAME] * 5 + TRAP_CANDIDATE
    assert total(assign(truth, candidate)) == pytest.approx(5 + 0.668 + 0.121, abs=2e-3)


def test_the_larger_side_decides_between_best_and_greedy():
    assert total(assign(TRAP_TRUTH, TRAP_CANDIDATE + [GREEN] * 4)) == pytest.approx(0.601 + 0.667, abs=2e-3)
    assert total(assign(TRAP_TRUTH, TRAP_CANDIDATE + [GREEN] * 5)) == pytest.approx(0.668 + 0.121, abs=2e-3)


@given(st.lists(COLOR, min_size=1, max_size=5), st.lists(COLOR, min_size=1, max_size=5))
def test_small_groups_reach_the_total_that_trying_all_gives(truth, candidate):
    assert total(assign(truth, candidate)) == pytest.approx(best_total(truth, candidate), abs=1e-12)


@given(st.lists(COLOR, min_size=1, max_size=6), st.lists(COLOR, min_size=7, max_size=7))
def test_greedy_never_beats_the_best_and_pairs_all_it_can(truth, candidate):
    pairs = assign(truth, candidate)
    assert total(pairs) <= best_total(truth, candidate) + 1e-9
    assert len(pairs) == len(truth)
    assert len({pair.truth for pair in pairs}) == len({pair.candidate for pair in pairs}) == len(truth)


@given(st.lists(COLOR, max_size=12), st.lists(COLOR, max_size=12), st.randoms(use_true_random=False))
def test_color_total_depends_neither_on_drawing_order_nor_on_the_side(truth, candidate, random):
    expected = total(assign(truth, candidate))
    assert total(assign(candidate, truth)) == pytest.approx(expected, abs=1e-12)
    random.shuffle(truth)
    random.shuffle(candidate)
    assert total(assign(truth, candidate)) == pytest.approx(expected, abs=1e-12)


def most_alike_first(truth, candidate):
    """The greedy total, by going through all pairs from the most to the least alike."""
    alike = similarity(truth, candidate)
    every = sorted(itertools.product(range(len(truth)), range(len(candidate))), key=lambda pair: -alike[pair])
    rows, columns, likeness = set(), set(), []
    for row, column in every:
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            likeness.append(alike[row, column])
    return math.fsum(likeness)


@given(st.integers(7, 40), st.integers(1, 40), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_greedy_is_what_going_through_all_pairs_in_order_of_likeness_gives(many, few, random):
    palette = [f"#{random.randrange(1 << 24):06x}" for _ in range(50)]
    truth, candidate = random.choices(palette, k=many), random.choices(palette, k=few)
    assert total(assign(truth, candidate)) == pytest.approx(most_alike_first(truth, candidate), abs=1e-6)


def test_a_surface_of_hundreds_of_shades_is_paired_like_any_other_group():
    truth = [f"#{3 * n % 256:02x}{n % 256:02x}40" for n in range(500)]
    candidate = [f"#{5 * n % 256:02x}{n % 256:02x}48" for n in range(400)]
    assert total(assign(truth, candidate)) == pytest.approx(most_alike_first(truth, candidate), abs=1e-6)


def test_thousands_of_colors_are_paired_in_a_moment():
    truth = [f"#{n:06x}" for n in range(200)] * 20
    assert total(assign(truth, truth[::-1])) == 4000


# boxes


def test_boxes_match_from_an_overlap_of_three_tenths_on():
    truth = boxes((0, 0, 100, 10))
    # Shifted by s of 100: IoU = (100 - s) / (100 + s), which is 0.3 at s = 700/13 = 53.8.
    assert len(match_boxes(truth, boxes((53, 0, 153, 10)))) == 1
    assert len(match_boxes(truth, boxes((55, 0, 155, 10)))) == 0


def test_an_overlap_of_exactly_three_tenths_matches():
    assert len(match_boxes(boxes((0, 0, 10, 1)), boxes((0, 0, 3, 1)))) == 1  # 3 of 10, one inside the other


def test_a_box_takes_the_first_that_fits_not_the_best():
    pairs = match_boxes(boxes((0, 0, 10, 10)), boxes((0, 0, 10, 5), (0, 0, 10, 10)))
    assert [pair.candidate for pair in pairs] == ["0"]  # IoU 0.5 comes before IoU 1


def test_first_fit_may_lose_a_match_and_so_depends_on_the_order_of_drawing():
    wide, narrow = (0, 0, 10, 10), (0, 0, 4, 10)
    # The first box of the truth overlaps both (1.0, 0.4), the second only the wide one (7 of 13).
    truth = boxes(wide, (3, 0, 13, 10))
    assert len(match_boxes(truth, boxes(wide, narrow))) == 1
    assert len(match_boxes(truth, boxes(narrow, wide))) == 2


def test_a_matched_box_is_used_up():
    assert len(match_boxes(boxes((0, 0, 9, 9), (0, 0, 9, 9)), boxes((0, 0, 9, 9)))) == 1


def test_boxes_that_only_touch_or_lie_apart_do_not_match():
    assert match_boxes(boxes((0, 0, 9, 9)), boxes((9, 0, 18, 9), (50, 50, 60, 60))) == []


SIDE = st.floats(0, 50).map(lambda x: round(x, 2))
BOX = st.tuples(SIDE, SIDE, st.floats(0.1, 30), st.floats(0.1, 30)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


@given(st.lists(BOX, max_size=12))
def test_boxes_all_match_themselves(corners):
    pairs = match_boxes(boxes(*corners), boxes(*corners))
    assert [pair.candidate for pair in pairs] == [str(place) for place in range(len(corners))]


def test_more_boxes_than_are_compared_at_once_match_the_same_way():
    many = boxes(*((3 * n, 0, 3 * n + 2, 2) for n in range(600)))
    assert len(match_boxes(many, many)) == 600


# the strict rules

BOX = st.tuples(*[st.integers(0, 12)] * 2, *[st.integers(1, 8)] * 2).map(
    lambda edges: (edges[0], edges[1], edges[0] + edges[2], edges[1] + edges[3])
)


def most_pairs(truth, candidate):
    """By trying all: how many boxes can be paired at most, and the largest total overlap of so many."""
    shared = iou(as_array(truth), as_array(candidate))
    if len(truth) > len(candidate):
        shared = shared.T
    best = (0, 0.0)
    for choice in itertools.permutations(range(shared.shape[1]), shared.shape[0]):
        overlaps = [
            shared[row, column] for row, column in enumerate(choice) if shared[row, column] >= MIN_IOU
        ]
        best = max(best, (len(overlaps), math.fsum(overlaps)))
    return best


@given(st.lists(BOX, min_size=1, max_size=5), st.lists(BOX, min_size=1, max_size=5))
@settings(max_examples=80, deadline=None)
def test_optimal_boxes_are_as_many_and_as_close_as_can_be(truth, candidate):
    ours, theirs = boxes(*truth), boxes(*candidate)
    pairs = match_boxes_best(ours, theirs)
    assert (len(pairs), pytest.approx(total(pairs))) == most_pairs(ours, theirs)
    assert len(pairs) >= len(match_boxes(ours, theirs))


def test_first_fit_loses_a_pair_that_the_optimum_finds():
    truth = boxes((0, 0, 10, 10), (0, 0, 10, 6))
    candidate = boxes((0, 0, 10, 6), (0, 0, 10, 30))  # IoU .6, .333; 1, .2
    assert len(match_boxes(truth, candidate)) == 1
    assert len(match_boxes_best(truth, candidate)) == 2


@given(st.lists(COLOR, min_size=1, max_size=7), st.lists(COLOR, min_size=1, max_size=7))
@settings(max_examples=60, deadline=None)
def test_optimal_colors_are_as_alike_as_can_be(truth, candidate):
    assert total(assign_best(truth, candidate)) == pytest.approx(best_total(truth, candidate), abs=1e-9)
    assert total(assign_best(truth, candidate)) >= total(assign(truth, candidate)) - 1e-9


def test_alike_colors_are_paired_down_to_the_limit():
    assert [pair[:2] for pair in assign_alike([BLACK, WHITE], [WHITE, GREY], at_least=0.9)] == [(1, 0)]
    assert assign_alike([], [BLACK], at_least=0.5) == []
