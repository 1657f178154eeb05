"""The rules over many answers: tolerances to the last digit, spellings that mean the same, and nothing that raises."""

from __future__ import annotations

import time
from decimal import Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagrammar.grading.grade import grade_answer, rule_answer
from diagrammar.grading.numbers import NotANumber
from diagrammar.grading.rule_list import read_items
from diagrammar.grading.rule_num import read_quantity, rule_num
from diagrammar.grading.rule_term import normalise_term
from diagrammar.grading.units import read_unit
from diagrammar.records.grades import GradeCase

DECIMALS = st.decimals(-(10**6), 10**6, allow_nan=False, places=6).map(Decimal.normalize)
TYPES = st.sampled_from(["NUM", "TERM", "LIST"])
PROTOCOLS = st.sampled_from(["paper", "strict"])
TEXT = st.text(max_size=60)
PIECES = st.lists(
    st.sampled_from(
        ["1", "2", "0", ".", ",", " ", "-", "−", "+", "/", "*", "^", "(", ")",
         "{", "}", "[", "]", "\\frac", "\\sqrt", "√",
         "π",
         "\\pi", "e", "E5", "10", "%", "°", "Ω", "k", "m", "V", "\\text{", "$", "½", "²", "⁻", "⁻³", "nan", "inf",
         "x", "×",
         "NOT_PRESENT", '"', "'", ";", "\n", "- ", "A", "and ", "\u2009", "{,}", "\\{", "```", "\ud800", "\x00", "٣",
         "per "]
    ),
    max_size=14,
).map("".join)  # fmt: skip


def shown(number: Decimal) -> str:
    return f"{number:f}"


@settings(max_examples=300)
@given(TYPES, PROTOCOLS, TEXT | PIECES, TEXT | PIECES)
def test_no_answer_raises_and_each_is_graded_alike_twice(answer_type, protocol, truth, answer):
    ruling = rule_answer(truth, answer, answer_type, protocol=protocol)
    assert 0 <= ruling.confidence <= 1
    assert ruling.reason
    assert rule_answer(truth, answer, answer_type, protocol=protocol) == ruling
    assert not (ruling.correct and not ruling.sure and not answer.strip())


@settings(max_examples=200)
@given(TEXT | PIECES, st.booleans(), TYPES)
def test_no_case_raises_whole_or_taken_out(text, whole, answer_type):
    text = text.encode("utf-8", "replace").decode()  # no record can hold half a character
    case = GradeCase(
        id="1", ground_truth="5 V", answer_type=answer_type, **{"reply" if whole else "model_answer": text}
    )  # fmt: skip
    assert grade_answer(case) == grade_answer(case)


@given(DECIMALS, DECIMALS | st.decimals("-0.00001", "0.00001", places=7), PROTOCOLS)
def test_the_tolerance_is_that_of_decimal_arithmetic(truth, shift, protocol):
    with localcontext() as context:
        context.prec = 60
        answer = truth + shift
        near = abs(shift) * 100 <= abs(truth)
        near |= abs(shift) <= Decimal("0.000001") and (protocol == "paper" or truth == 0)
    ruling = rule_num(shown(truth), shown(answer), protocol=protocol)
    assert ruling.sure
    assert ruling.correct == near


@given(DECIMALS, st.sampled_from([Decimal("0.01"), Decimal("-0.01")]))
def test_one_percent_is_within_and_a_hair_more_is_not(truth, share):
    truth = truth * 1000  # so that the hair is far above 1e-6
    edge = truth * (1 + share)
    hair = (abs(truth) / 10**6).copy_sign(edge - truth)
    assert rule_num(shown(truth), shown(edge)).correct
    assert rule_num(shown(truth), shown(edge + hair)).correct == (truth == 0)


def _grouped(number: Decimal, comma: str) -> str:
    return f"{number:,f}".replace(",", comma)


@pytest.mark.parametrize(
    "write",
    [
        lambda number: _grouped(number, ","),
        lambda number: _grouped(number, "{,}"),
        lambda number: _grouped(number, "\u2009"),
        lambda number: _grouped(number, "\\,"),
        lambda number: f"{number:e}",
        lambda number: f"{number:E}".replace("-", "−"),
        lambda number: f"{number:e}".replace("e", r" \times 10^{") + "}",
        lambda number: f"${shown(number)}$",
        lambda number: f"\\({shown(number)}\\)",
        lambda number: f"{shown(number)}.0" if "." not in shown(number) else f"{shown(number)}000",
        lambda number: shown(number).replace("-", "–"),
        lambda number: f"**{shown(number)}**",
        lambda number: rf"\frac{{{shown(number)}}}{{1}}",
        lambda number: f"{shown(number * 7)}/7",
        lambda number: shown(number) + ".",
    ],
    ids=["comma", "TeX comma", "thin space", "TeX thin space", "e", "E and U+2212", "times ten", "math", "inline math",
         "zeros",
         "en dash", "bold", "over one", "times 7 over 7", "full stop"],
)  # fmt: skip
def test_a_number_is_the_same_in_every_spelling(write):
    @given(DECIMALS)
    def is_same(number):
        text = write(number)
        ruling = rule_num(shown(number), text, protocol="strict")
        assert ruling.correct and ruling.sure, text
        assert read_quantity(text).value == read_quantity(shown(number)).value

    is_same()


@pytest.mark.parametrize(
    ("text", "dimension", "size"),
    [
        ("kΩ", {"Ω": 1}, 1000),
        ("mA", {"A": 1}, 0.001),
        ("MA", {"A": 1}, 1e6),
        ("milliamps", {"A": 1}, 0.001),
        ("megohm", {"Ω": 1}, 1e6),
        ("kilohms", {"Ω": 1}, 1000),
        ("kOhm", {"Ω": 1}, 1000),
        ("cm^2", {"m": 2}, 0.0001),
        ("cm2", {"m": 2}, 0.0001),
        ("square cm", {"m": 2}, 0.0001),
        ("cubic meters", {"m": 3}, 1),
        ("m/s", {"m": 1, "s": -1}, 1),
        ("m s^{-1}", {"m": 1, "s": -1}, 1),
        ("km per h", {"m": 1, "s": -1}, 1000 / 3600),
        ("g/mol", {"g": 1, "mol": -1}, 1),
        ("kg", {"g": 1}, 1000),
        ("kHz", {"Hz": 1}, 1000),
        ("min", {"s": 1}, 60),
        ("units", {}, 1),
        ("Ω·m", None, None),  # `·` is spelled * before units are read
    ],
)
def test_a_unit_is_what_it_measures_and_how_large(text, dimension, size):
    unit = read_unit(text)
    if dimension is None:
        assert unit is None
        return
    assert dict(unit.dimension) == dimension and unit.known
    assert float(unit.size) == pytest.approx(size)


@pytest.mark.parametrize("text", ["V or so, I think", "V = IR", "+ 3", "/ 0", "5", "V; 6 A", "⚡"])
def test_what_is_more_than_a_unit_is_none(text):
    assert read_unit(text) is None
    with pytest.raises(NotANumber):
        read_quantity(f"5 {text}")


@given(
    st.lists(st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=6), min_size=1, max_size=8),
    st.randoms(),
)
def test_a_list_is_the_same_set_in_any_order_with_repeats(items, rng):
    shuffled = [*items, rng.choice(items)]
    rng.shuffle(shuffled)
    truth = str([item.replace("'", "") for item in items])
    ruling = rule_answer(truth, ", ".join(shuffled), "LIST")
    assert ruling.correct or not ruling.sure  # "A or B" and the like are for the judge
    others = {normalise_term(item) for item in items[1:]}
    if len(items) > 1 and normalise_term(items[0]) not in others:
        assert not rule_answer(truth, ", ".join(items[1:]), "LIST").correct


@given(
    st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=12),
    st.sampled_from([str.upper, str.lower, str.title]),
)
def test_a_term_is_the_same_in_any_case(term, recase):
    if recase(term).casefold() == term.casefold():
        assert rule_answer(term, f' "{recase(term)}". ', "TERM").correct


@pytest.mark.parametrize(
    ("answer_type", "truth", "answer", "paper", "strict"),
    [
        ("NUM", "2e-30", "4e-30", True, False),  # 2e-30 apart, and twice as much
        ("NUM", "1e-9", "0", True, False),
        ("NUM", "0", "0.0000009", True, True),  # of zero there is no share
        ("NUM", "0.00005", "0.0000505", True, True),  # exactly 1 %
        ("NUM", "0.00005", "0.000051", True, False),  # 1e-6 apart, 2 %
        ("NUM", "2e-12 F", "3e-12 F", True, False),
        ("NUM", "5", "5", True, True),
        ("TERM", "a", "A", True, None),
        ("TERM", "Diode", "DIODE", True, True),
        ("TERM", "v1", "V1", True, None),
        ("LIST", '["a", "B"]', '["A", "B"]', True, None),
        ("LIST", '["Node A"]', '["node a"]', True, True),
    ],
)
def test_the_strict_variant_is_strict_about_tiny_numbers_and_short_labels(
    answer_type, truth, answer, paper, strict
):
    for protocol, expected in (("paper", paper), ("strict", strict)):
        ruling = rule_answer(truth, answer, answer_type, protocol=protocol)
        assert (ruling.correct if ruling.sure else None) == expected, protocol


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('["A", "C"]', ("A", "C")),
        ("['A', 'C']", ("'A'", "'C'")),
        ("[(1,2), (3,4)]", ("(1,2)", "(3,4)")),
        ("[[1,2],[3,4]]", ("(1,2)", "(3,4)")),
        ("(1,2); (3,4)", ("(1,2)", "(3,4)")),
        ("A, f(x, y), C", ("A", "f(x, y)", "C")),
        ('"a, b", c', ('"a, b"', "c")),
        ("A', B", ("A'", "B")),
        ("- A\n- C", ("A", "C")),
        ("1. A\n2. C", ("A", "C")),
        ("[]", ()),
        ("{}", ()),
        ("[ ]", ()),
        ("$\\left\\{1, 2\\right\\}$", ("1", "2")),
    ],
)
def test_a_list_is_cut_where_its_items_end(text, items):
    read = read_items(text)
    assert read.items == items and read.clear


@pytest.mark.parametrize(
    "piece",
    ["1,", "'", '"', "(", "{", "\\frac{", "√", "9", "A and ", "a ", "[", "\\text{", "$", "½", "^", "- "],
)
def test_a_long_answer_takes_no_long_time(piece):
    answer = piece * (40_000 // len(piece))
    started = time.process_time()
    for answer_type in ("NUM", "TERM", "LIST"):
        rule_answer("5 V", answer, answer_type)
        rule_answer(answer, "5 V", answer_type)
    assert time.process_time() - started < 5
