"""What of an edit is kept and what is new in code: by hand, and what holds for any edit of any program."""

import json
import math
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagrammar.metrics.code_overlap import code_overlap, edited, preserved, profile
from diagrammar.metrics.protocol import load_metrics
from diagrammar.metrics.tikz_tokens import tikz_tokens
from diagrammar.metrics.tokens import tex_tokens
from diagrammar.metrics.trivial import TEX_LIST, TIKZ_LIST, trivial_ngrams
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, NotComputed, Side

NAMES = ("crystalbleu", "crystalbleu_tikz")
# Shown examples of six manuals; scripts/freeze_code_goldens.py draws them.
REAL = [
    json.loads(line)["source"]
    for line in (Path(__file__).parent / "code_goldens.jsonl").read_text(encoding="utf-8").splitlines()
]
TOKENISERS = {"crystalbleu": (tex_tokens, TEX_LIST), "crystalbleu_tikz": (tikz_tokens, TIKZ_LIST)}


def part(of, truth, candidate, source, *, ignored=()):
    ours, theirs, before = (profile(list(side), trivial=set(ignored)) for side in (truth, candidate, source))
    return code_overlap(of(ours, before), of(theirs, before)).bleu


def value(name, truth, candidate, source):
    sides = [Side(code=code, scene=Scene(size_pt=(0, 0), objects=())) for code in (truth, candidate, source)]
    metric = load_metrics()[name]
    return metric.pool([metric.measure(Case(truth=sides[0], candidate=sides[1], source=sides[2]))])


# by hand


def test_half_of_an_edit_by_hand():
    # source a b c d; truth a b c d X Y; new: X Y; d X, X Y; c d X, d X Y; b c d X, c d X Y.
    # candidate a b c d X Z: one of two in each order, as many new tokens
    assert part(edited, "abcdXY", "abcdXZ", "abcd") == pytest.approx(0.5)


def test_an_edit_that_stops_half_way_pays_for_the_brevity_of_what_is_new():
    # new: X against X Y, all of it right: exp(1 - 2/1)
    assert part(edited, "abcdXY", "abcdX", "abcd") == pytest.approx(math.exp(-1))


def test_trivial_tokens_count_in_the_length_of_a_part_and_in_nothing_else():
    # new: X against X ; - the ; is ignored, and yet one token of two is missing
    ignored = [(";",), ("X", ";"), ("d", "X", ";"), ("c", "d", "X", ";")]
    assert part(edited, "abcdX;", "abcdX", "abcd", ignored=ignored) == pytest.approx(math.exp(-1))


def test_what_is_kept_by_hand():
    # kept of a b c d e f: all of it; the candidate has a b c d: 4 tokens for 6, all runs right
    assert part(preserved, "abcdef", "abcd", "abcdef") == pytest.approx(math.exp(1 - 6 / 4))
    # the truth drops e f, the candidate does not: 4/6, 3/5, 2/4, 1/3
    assert part(preserved, "abcd", "abcdef", "abcdef") == pytest.approx((4 / 6 * 3 / 5 * 2 / 4 / 3) ** 0.25)


def test_a_token_that_is_doubled_is_new_once():
    # source a; truth a a; candidate a a a: new a; a a against a a; a a, a a; a a a -> order 3 has no match
    assert part(edited, "aa", "aa", "a") == 1.0
    assert part(edited, "aa", "aaa", "a") == 0.0
    assert part(edited, "aa", "a", "a") == 0.0


def test_an_edit_that_only_drops_the_end_has_nothing_new():
    assert part(edited, "abc", "abc", "abcdef") == 1.0
    assert part(edited, "abc", "abcdef", "abcdef") == 1.0  # the copy has nothing new, either: both empty
    assert part(edited, "abc", "abcX", "abcdef") == 0.0
    assert part(preserved, "abc", "abcdef", "abcdef") < 1.0  # where it is told


def test_an_edit_that_only_swaps_has_no_new_token_and_yet_new_runs():
    assert part(edited, "abXcdYef", "abYcdXef", "abYcdXef") == 0.0
    assert part(edited, "abXcdYef", "abXcdYef", "abYcdXef") == 1.0


def test_orders_of_which_neither_side_has_something_new_are_left_out_of_the_mean():
    # abcd -> abdc: no new token, the pairs bd and dc
    orders = code_overlap(
        *(
            edited(profile(list(side), trivial=set()), profile(list("abcd"), trivial=set()))
            for side in ("abdc", "abdc")
        )
    ).orders
    assert orders[0] == (0, 0, 0)
    assert orders[1] == (2, 2, 2)


def test_an_edit_of_trivial_tokens_alone_is_not_made_by_a_copy():
    ignored = [(";",), ("a", ";"), (";", ";"), ("a", ";", ";")]
    assert part(edited, "a;;", "a;;", "a", ignored=ignored) == 1.0
    assert part(edited, "a;;", "a", "a", ignored=ignored) == 0.0
    assert part(edited, "a", "a;;", "a", ignored=ignored) == 0.0


def test_programs_of_fewer_than_four_tokens():
    assert part(edited, "ab", "ab", "") == 1.0
    assert part(edited, "ab", "", "") == 0.0
    assert part(preserved, "ab", "ab", "") == 1.0
    assert part(preserved, "a", "a", "a") == 1.0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", ["preserve", "edit"])
def test_without_a_source_there_are_no_parts(name, suffix):
    side = Side(code="x", scene=Scene(size_pt=(0, 0), objects=()))
    measured = load_metrics()[f"{name}_{suffix}"].measure(Case(truth=side, candidate=side))
    assert measured == NotComputed(reason="no source is given, so what was to be edited is unknown")


@pytest.mark.parametrize("name", NAMES)
def test_the_frozen_list_of_the_tokeniser_is_named_in_the_signature(name):
    frozen = TOKENISERS[name][1]
    for metric in (name, f"{name}_preserve", f"{name}_edit"):
        assert f"trivial:sha256-{frozen.sha256[:12]}" in load_metrics()[metric].signature


# what holds for any edit


def is_new(truth, source, *, ignored):
    """Whether the truth has a token, or a run of tokens that is not ignored, that the source has not (as often)."""
    ours, before = (profile(side, trivial=ignored) for side in (truth, source))
    rest = edited(ours, before)
    return bool(rest.tokens) or any(rest.ngrams_by_order)


TOKENS = st.lists(st.sampled_from("abc;"), max_size=10)
IGNORED = frozenset({(";",), ("a", ";"), ("b", ";", "a")})


@given(TOKENS, TOKENS, TOKENS)
@settings(max_examples=300, deadline=None)
def test_any_edit_of_any_tokens(source, truth, candidate):
    for of in (edited, preserved):
        assert part(of, truth, truth, source, ignored=IGNORED) == 1.0
        assert 0.0 <= part(of, truth, candidate, source, ignored=IGNORED) <= 1.0
    copied = part(edited, truth, source, source, ignored=IGNORED)
    assert copied == (0.0 if is_new(truth, source, ignored=IGNORED) else 1.0)


def damaged(code, random):
    """`code` with one to four of its words, numbers or lines dropped, doubled, moved or replaced."""
    for _ in range(random.randint(1, 4)):
        pieces = code.split(random.choice((" ", "\n", ",", "{")))
        joint = code[len(pieces[0])] if len(pieces) > 1 else " "
        place, other = random.randrange(len(pieces)), random.randrange(len(pieces))
        kind = random.choice(("drop", "double", "move", "replace"))
        if kind == "drop":
            del pieces[place]
        elif kind == "double":
            pieces.insert(other, pieces[place])
        elif kind == "move":
            pieces.insert(other, pieces.pop(place))
        else:
            pieces[place] = random.choice(("red", "3.5", "\\draw", "(1,2)", "north"))
        code = joint.join(pieces)
    return code


@pytest.mark.parametrize("name", NAMES)
@given(st.sampled_from(REAL), st.integers(0, 2**32))
@settings(max_examples=120, deadline=None)
def test_any_edit_of_a_real_program(name, source, seed):
    random = Random(seed)
    truth, candidate = damaged(source, random), damaged(source, random)
    tokens, frozen = TOKENISERS[name]
    assert value(name, truth, truth, source) == 1.0
    for suffix in ("preserve", "edit"):
        assert value(f"{name}_{suffix}", truth, truth, source) == 1.0
        assert 0.0 <= value(f"{name}_{suffix}", truth, candidate, source) <= 1.0
    changed = is_new(tokens(truth), tokens(source), ignored=trivial_ngrams(frozen))
    assert value(f"{name}_edit", truth, source, source) == (0.0 if changed else 1.0)


@pytest.mark.parametrize("name", [*NAMES, "ted", "chrf"])
@given(st.sampled_from(REAL), st.sampled_from(REAL))
@settings(max_examples=60, deadline=None)
def test_a_real_program_agrees_with_itself_and_with_no_other(name, truth, candidate):
    perfect = load_metrics()[name].perfect
    assert value(name, truth, truth, truth) == perfect
    if tikz_tokens(truth) != tikz_tokens(candidate):
        assert value(name, truth, candidate, truth) != perfect
