"""Replies as models send them -> the answer, by which step, or why there is none."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diagrammar.grading.escapes import load_json, repair_backslashes
from diagrammar.grading.extract import Extracted, Unreadable, as_reply, extract_answer, extract_given

ASKED = '{"answer": "5 V", "reasoning": "U = R I"}'


@pytest.mark.parametrize(
    ("reply", "answer", "step"),
    [
        (ASKED, "5 V", "json"),
        (f"\n  {ASKED}\n", "5 V", "json"),
        ('{"reasoning": "first", "answer": "5 V"}', "5 V", "json"),
        ('{"Answer": "5 V"}', "5 V", "json"),
        ('{"answer": 5}', "5", "json"),
        ('{"answer": 0.30}', "0.30", "json"),
        ('{"answer": 123456789012345678901234567890.5}', "123456789012345678901234567890.5", "json"),
        ('{"answer": null}', "", "json"),
        ('{"answer": true}', "true", "json"),
        ('{"answer": ["A", 2]}', '["A", "2"]', "json"),
        ('{"answer": {"value": 5}}', '{"value": "5"}', "json"),
        ('{"answer": "two\nlines"}', "two\nlines", "json"),  # a raw line end, which strict JSON refuses
        ('\ufeff{"answer": "5"}', "5", "json"),
        (f"```json\n{ASKED}\n```", "5 V", "fence"),
        (f"```\n{ASKED}\n```", "5 V", "fence"),
        (f"~~~json\n{ASKED}\n~~~", "5 V", "fence"),
        (f"Here you are:\n```json\n{ASKED}\n```\nAnything else?", "5 V", "fence"),
        ('```json\n{"answer": "4"}\n```\nWait.\n```json\n{"answer": "5"}\n```', "5", "fence"),
        ('```json\n{"answer": "5", "reasoning": "```x```"}\n```', "5", "braces"),
        (f"The answer: {ASKED} I hope.", "5 V", "braces"),
        (f"Let x be in {{1, 2}}. {ASKED}", "5 V", "braces"),
        ('{"answer": "4"} No: {"answer": "5"}', "5", "braces"),
        ('{"plan": {"answer": "4"}} and {"answer": "5"}', "5", "braces"),
        ('[{"answer": "5"}]', "5", "braces"),
        ('{"answer": "5 V", "reasoning": "cut off in', "5 V", "regex"),
        ('{"answer": "5 V", "reasoning": "a "quoted" word"}', "5 V", "regex"),
        ('{"answer": "5 V",}', "5 V", "regex"),
        ("{'answer': '5 V', 'reasoning': 'Python'}", "5 V", "regex"),
        ("{answer: 5 V}", "5 V", "regex"),
        ('{"answer": 5, "reasoning": "cut', "5", "regex"),
        ('{"answer": ["A", "B"], "reasoning": "cut', '["A", "B"]', "regex"),
        ('{"answer": "say \\"5\\"", "reasoning": "cut', 'say "5"', "regex"),
        ('{"answer": "\\frac{1}{2}", "reasoning": "cut', "\\frac{1}{2}", "regex"),
        ("So it is \\boxed{\\frac{1}{2}}.\nDone.", "\\frac{1}{2}", "boxed"),
        ("\\boxed{4} is wrong, \\boxed{5} right", "5", "boxed"),
        ("First this.\nThen that.\nFinal answer: **5 V**", "5 V", "stated"),
        ("We add 2 and 3.\nThe answer is 5.", "5.", "stated"),
        ("The answer is 4. No.\nAnswer: 5", "5", "stated"),
        ("**Answer:**\n5", "5", "stated"),
        ("5 V", "5 V", "bare"),
        ('["A", "B"]', '["A", "B"]', "bare"),
        ('```json\n["A"]\n```', '["A"]', "bare"),
        ("3.0", "3.0", "bare"),
    ],
)  # fmt: skip
def test_the_answer_is_read_and_the_step_told(reply, answer, step):
    assert extract_answer(reply) == Extracted(answer, step)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (f"<think>maybe {{\"answer\": \"4\"}}</think>{ASKED}", "5 V"),
        (f"<thinking>\n4\n</thinking>\n```json\n{ASKED}\n```", "5 V"),
        (f"it began before</think>{ASKED}", "5 V"),
        (f"<think>a<think>b</think>{ASKED}", "5 V"),
        (f"{ASKED}<think>was that right? {{\"answer\": \"4\"}}", "5 V"),
        ('{"answer": "<think>", "reasoning": "the tag itself was asked for"}', "<think>"),
    ],
)  # fmt: skip
def test_thinking_is_no_answer(reply, answer):
    assert extract_answer(reply) == Extracted(answer, extract_answer(reply).step)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ('<think>it is {"answer": "5"}, is it', "inside its thinking"),
        ("<think>5</think>", "inside its thinking"),
        ('{"reasoning": "no idea"}', "no answer"),
        ('{"answer": "5 V and then it', "cut off"),
        ('{"answer": ', "cut off"),
        ("I would first look at the resistors.\nThere are two of them.", "in the form asked for"),
        ("word " * 40, "in the form asked for"),
    ],
)
def test_what_cannot_be_read_is_told_apart_from_what_is_wrong(reply, reason):
    read = extract_answer(reply)
    assert isinstance(read, Unreadable)
    assert reason in read.reason


@pytest.mark.parametrize("command", ["frac{1}{2}", "beta", "theta", "times", "tan", "text{V}", "nu", "neq", "nabla",
                                     "rho", "right)", "rangle", "sqrt{2}", "pi", "Omega", "mu", "upsilon", "alpha",
                                     "bar{x}", "forall", "(", "{", "%", ",", " "])  # fmt: skip
def test_a_command_survives_whatever_letter_it_begins_with(command):
    assert extract_answer(f'{{"answer": "\\{command}"}}').answer == f"\\{command}".strip()
    assert (
        extract_answer(f'{{"answer": "\\\\{command}"}}').answer == f"\\{command}".strip()
    )  # escaped as JSON wants it


@pytest.mark.parametrize(("escape", "meant"), [("\\nThe next", "\nThe next"), ("a\\tb", "a\tb"), ("\\r\\n1", "\r\n1"),
        ("\\u00b0", "°"), ("\\/", "/"), ("\\\\n", "\\n"), ('\\"', '"')])  # fmt: skip
def test_real_escapes_stay_what_they_are(escape, meant):
    assert load_json(f'"{escape}"') == meant


def test_an_answer_of_a_case_is_taken_as_it_is():
    assert extract_given("Steps 1 and 2 give 7. Answer: 7") == Extracted(
        "Steps 1 and 2 give 7. Answer: 7", "given"
    )
    assert extract_given("") == Extracted("", "given")
    assert extract_given("{1,2}") == Extracted("{1,2}", "given")
    assert extract_given(ASKED) == Extracted("5 V", "json")


NO_HALF = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    NO_HALF | st.booleans() | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@given(NO_HALF, NO_HALF)
def test_what_is_written_as_a_reply_is_read_back(answer, reasoning):
    read = extract_answer(as_reply(answer, reasoning=reasoning))
    assert read == Extracted(answer.strip(), "json")


@given(st.lists(NO_HALF), NO_HALF)
def test_a_list_that_is_written_as_a_reply_is_read_back(items, reasoning):
    read = extract_answer("Here:\n" + as_reply(items, reasoning="").replace("reasoning", "why"))
    assert load_json(read.answer) == items


@given(VALUES)
def test_a_written_value_is_the_same_for_every_reader(value):
    from diagrammar.grading.escapes import dump_json

    assert json.loads(dump_json(value)) == value


PIECES = st.sampled_from(
    ["{", "}", '"', "'", "answer", ":", '"answer": ', "\\", "\\frac", "\\u12", "```", "```json\n", "<think>",
     "</think>",
     "[", "]", ",", "\n", "5", "\\boxed{", "é", "\ud800", "\x00", "\x0c", "null", "NaN", " "]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_reply_raises(reply):
    assert isinstance(extract_answer(reply), Extracted | Unreadable)
    assert isinstance(extract_given(reply), Extracted)
    repair_backslashes(reply)


@pytest.mark.parametrize(
    "piece",
    [
        '{"',
        "[",
        '{"a":',
        "```",
        "\\boxed{",
        '"answer": "',
        "answer: ",
        "<think>",
        "\\",
        "answer is ",
        "'answer': '",
    ],
)
def test_a_long_reply_takes_no_long_time(piece):
    reply = piece * (60_000 // len(piece))
    started = time.process_time()
    extract_answer(reply)
    assert time.process_time() - started < 2
