"""TeX edit distance and chrF in cases worked out by hand. What others' implementations say: test_code_goldens.py."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagrammar.metrics.chrf import character_overlap
from diagrammar.metrics.protocol import Failed, load_metrics
from diagrammar.metrics.ted import edit_cost
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, NotComputed, Side


def side(code):
    return Side(code=code, scene=Scene(size_pt=(0, 0), objects=()))


def measured(name, truth, candidate):
    return load_metrics()[name].measure(Case(truth=side(truth), candidate=side(candidate)))


def value(name, truth, candidate):
    return load_metrics()[name].pool([measured(name, truth, candidate)])


def test_one_letter_replaced_by_hand():
    # abc from abd: two steps along the diagonal, one substitution: 1. The best places of the three rows are 1, 2
    # and, at the same price, 2 again by an insertion: place 2 is passed once too often, 0 and 3 never: 0.3 * 3
    cost = edit_cost("abc", "abd")
    assert (cost.edits, cost.coverage) == (10, 9)
    assert cost.distance == pytest.approx(1.9 / 3.9)


def test_what_the_candidate_has_too_much_costs_a_fifth_each_and_its_coverage():
    # ab from abxx: two matches, two deletions of 0.2; places 0, 3 and 4 are never the best: 0.9
    cost = edit_cost("ab", "abxx")
    assert (cost.edits, cost.coverage) == (4, 9)


def test_what_the_candidate_lacks_costs_one_each():
    # abxy from ab: 2; the best place is 1, 2, 2, 2: twice too often, 0 never
    cost = edit_cost("abxy", "ab")
    assert (cost.edits, cost.coverage) == (20, 9)


def test_a_moved_block_costs_jumps_and_not_its_letters():
    first, second = "abcdefghij", "klmnopqrst"
    moved = edit_cost(f" {first} {second} ", f" {second} {first} ")
    assert moved.edits < 10 * len(first)
    assert moved.distance < edit_cost(f" {first} {second} ", f" {first} {'x' * 10} ").distance


def test_equal_tokens_cost_nothing_and_the_empty_program_is_as_far_as_can_be():
    assert value("ted", "\\draw (0,0) -- (1,1);", "\\draw(0,0)--(1,1) ; % a line") == 0.0
    assert value("ted", "", "% nothing") == 0.0
    assert value("ted", "", "\\draw;") == 1.0
    assert value("ted", "\\draw;", "") == 1.0


def test_a_candidate_that_draws_nothing_is_as_far_as_can_be():
    metric = load_metrics()["ted"]
    broken = Side(code="\\foo", failure=TexFailure(kind="undefined_command", message="no \\foo"))
    statistics = [metric.measure(Case(truth=side("a b"), candidate=broken)), measured("ted", "a b", "a b")]
    assert isinstance(statistics[0], Failed)
    assert metric.pool(statistics) == 0.5


def test_two_thousand_tokens_take_less_than_a_second():
    truth = "\\draw (0,1.5) -- (2,3);\n" * 160
    candidate = "\\path (0,1.5) -- (2,4);\n" * 160
    started = time.process_time()
    assert 0.0 < value("ted", truth, candidate) < 0.5
    assert time.process_time() - started < 1.0


def test_programs_that_would_take_minutes_are_refused_with_their_lengths():
    refused = measured("ted", "a" * 30_000, "b" * 30_000)
    assert refused == NotComputed(reason="programs of 30,002 and 30,002 characters are too long for it")
    assert value("ted", "a" * 30_000, "a" * 30_000) == 0.0


TEXT = st.text(alphabet="ab ;", max_size=14)


@given(TEXT, TEXT)
@settings(max_examples=200, deadline=None)
def test_ted_stays_within_zero_and_one_and_is_zero_for_equal_tokens_only(truth, candidate):
    distance = value("ted", truth, candidate)
    assert 0.0 <= distance <= 1.0
    assert value("ted", truth, truth) == 0.0


# chrF


def test_chrf_by_hand():
    # ab against abc: 2 of 2 and of 3 letters, 1 of 1 and of 2 pairs; longer runs one side lacks.
    # P = 1, R = (2/3 + 1/2)/2 = 7/12; 5PR/(4P + R)
    assert character_overlap("abc", "ab").chrf == pytest.approx(5 * 7 / 12 / (4 + 7 / 12))


def test_chrf_weighs_recall_twice():
    assert character_overlap("abcdef", "abc").chrf < character_overlap("abc", "abcdef").chrf


def test_chrf_sees_neither_white_space_nor_comments():
    assert value("chrf", "\\draw (0,0); % a point", "\\draw(0,\n0) ;") == 1.0


def test_chrf_of_nothing():
    assert value("chrf", "", "  % nothing") == 1.0
    assert value("chrf", "", "a") == 0.0
    assert value("chrf", "a", "") == 0.0
    assert value("chrf", "a", "b") == 0.0


@given(TEXT, TEXT)
@settings(max_examples=200, deadline=None)
def test_chrf_stays_within_zero_and_one(truth, candidate):
    assert 0.0 <= value("chrf", truth, candidate) <= 1.0
    assert value("chrf", truth, truth) == 1.0
