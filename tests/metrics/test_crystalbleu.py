import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagrammar.errors import StoreCorrupt
from diagrammar.metrics.code_overlap import code_overlap, profile
from diagrammar.metrics.tokens import ngrams, tex_tokens
from diagrammar.metrics.trivial import NAMED, TEX_LIST, TIKZ_LIST, find_trivial, trivial_ngrams, write_trivial

# Scores of the authors' package (crystalbleu 0.2, sentence_bleu with `ignoring`) on these tokens, frozen.
PACKAGE = json.loads((Path(__file__).parent / "crystalbleu_0.2.json").read_text(encoding="utf-8"))


def bleu(truth, candidate, *, ignored=()):
    tokens = [text if isinstance(text, list) else list(tex_tokens(text)) for text in (truth, candidate)]
    truth_profile, candidate_profile = (profile(side, trivial=set(ignored)) for side in tokens)
    return code_overlap(truth_profile, candidate_profile).bleu


@pytest.mark.parametrize("case", PACKAGE, ids=[case["name"] for case in PACKAGE])
def test_score_is_that_of_the_authors_package_where_it_is_defined(case):
    ignored = [tuple(ngram) for ngram in case["ignored"]]
    assert bleu(case["truth"], case["candidate"], ignored=ignored) == pytest.approx(case["score"], abs=1e-12)


def test_four_matches_in_five_tokens_by_hand():
    # a b c d e against a b c d x: 4/5, 3/4, 2/3, 1/2, equal lengths
    assert bleu(list("abcde"), list("abcdx")) == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)


def test_a_shorter_candidate_pays_for_brevity_by_its_unfiltered_length():
    # a b c d of a b c d e f: all precisions 1, four tokens for six; ignoring e does not change the lengths
    expected = 0.6065306597126334  # exp(1 - 6/4)
    assert bleu(list("abcdef"), list("abcd")) == pytest.approx(expected)
    assert bleu(list("abcdef"), list("abcd"), ignored=[("e",)]) == pytest.approx(expected)


def test_an_ignored_ngram_counts_on_neither_side():
    # Unigrams without a: b of b, c. Pairs: (a b) of (a b), (b x). Nothing longer is shared.
    ignored = [("a",), ("a", "b", "c"), ("a", "b", "x")]
    assert bleu(list("abc"), list("abx"), ignored=ignored) == pytest.approx((1 / 2 * 1 / 2) ** 0.5)


@pytest.mark.parametrize(
    "code", ["", "x", "\\draw", "{}", "\\begin{tikzpicture}\\end{tikzpicture}", "\\draw (0,0) -- (1,1);"]
)
def test_identical_code_scores_exactly_one_however_short_or_trivial(code):
    # The authors' package gives 0 where all n-grams are ignored, about 1e-77 below four tokens.
    assert bleu(code, code, ignored=trivial_ngrams()) == 1.0


def test_two_empty_programs_agree_and_an_empty_one_agrees_with_nothing_else():
    assert bleu("", "% only a comment\n") == 1.0
    assert bleu("", "x") == 0.0
    assert bleu("x", "") == 0.0
    assert bleu("", "{}", ignored=NAMED) == 0.0


def test_without_any_common_run_of_four_tokens_the_score_is_zero_not_a_tiny_number():
    assert bleu(list("abcdef"), list("abcxyz")) == 0.0


def test_orders_that_neither_side_has_are_left_out_of_the_mean():
    assert bleu(list("abc"), list("abc")) == 1.0
    assert bleu(list("ab"), list("ac")) == 0.0  # no pair is shared
    assert bleu(list("ab"), list("abc")) == 0.0  # three tokens have a run of three, two have none


def test_the_longer_of_two_programs_is_no_better_as_truth_than_as_candidate_but_not_the_same():
    long, short = list("abcdef"), list("abcd")
    assert bleu(long, short) != bleu(short, long)


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12))
def test_score_stays_within_zero_and_one_and_is_one_for_the_same_tokens(truth, candidate):
    ignored = [("a",), ("a", "b")]
    assert 0.0 <= bleu(truth, candidate, ignored=ignored) <= 1.0
    assert bleu(truth, truth, ignored=ignored) == 1.0


# tokens


def test_comments_and_white_space_are_no_tokens():
    assert tex_tokens("\\draw[red] % a line\n   (0,0);\n\n") == ("\\draw", "[red]", "(0,0);")


def test_indentation_and_line_breaks_inside_a_token_do_not_show():
    assert tex_tokens("(0,0)\n   -- (1,1)") == tex_tokens("(0,0) -- (1,1)") == ("(0,0) -- (1,1)",)


def test_a_control_sequence_is_one_token():
    assert tex_tokens("\\usetikzlibrary{calc}") == ("\\usetikzlibrary", "{", "calc", "}")


def test_ngrams_are_all_runs_of_neighbours():
    assert list(ngrams(("a", "b", "c"), 2)) == [("a", "b"), ("b", "c")]
    assert list(ngrams(("a",), 2)) == []


# the frozen list


@pytest.mark.parametrize("frozen", [TEX_LIST, TIKZ_LIST], ids=["TeX", "TikZ"])
def test_the_frozen_lists_hold_what_the_paper_names_and_orders_up_to_four(frozen):
    assert trivial_ngrams(frozen) >= NAMED
    assert {len(ngram) for ngram in trivial_ngrams(frozen)} == {1, 2, 3, 4}
    assert ("\\begin", "{", "tikzpicture", "}") in trivial_ngrams(frozen)


def test_the_frozen_list_leaves_what_tells_drawings_apart():
    assert not {("\\node",), ("[thick]",), ("(0,0)",)} & trivial_ngrams()
    assert not {("\\node",), ("thick",), ("red",), ("circle",)} & trivial_ngrams(TIKZ_LIST)


@pytest.mark.parametrize("frozen", [TEX_LIST, TIKZ_LIST], ids=["TeX", "TikZ"])
def test_a_changed_list_is_refused(frozen):
    with pytest.raises(StoreCorrupt, match="install diagrammar again"):
        trivial_ngrams(replace(frozen, sha256="0" * 64))


def test_an_ngram_is_trivial_where_half_of_one_packages_programs_hold_it():
    found = find_trivial({"one": [("a", "b"), ("a", "c"), ("d",), ("e",)], "two": [("f",)] * 3})
    assert found - NAMED == {("a",), ("f",)}


def test_the_list_is_written_in_one_order():
    assert write_trivial({("b",), ("a", "b"), ("a",)}) == b'["a"]\n["b"]\n["a", "b"]\n'
