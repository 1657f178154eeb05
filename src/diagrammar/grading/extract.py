"""grading, step 1: a model's reply -> the answer in it, or Unreadable. Next: rules.

Source: Diagram-MMU, appendix C.3, stage 1. Differs: backslashes are repaired first; three more steps for replies
in another form are ours, and each answer says by which step it was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from diagrammar.grading.escapes import dump_json, load_json, load_json_at, repair_backslashes
from diagrammar.records.grades import ExtractionStep

LONGEST_BARE = 80  # characters; a longer reply that is no answer form is prose
MOST_OBJECTS = 200  # a reply with more braces than this is searched no further
MOST_BOXES = 20
_TAG = re.compile(r"<(?P<closing>/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+-]*[ \t]*\n?(?P<body>.*?)(?:`{3,}|~{3,})", re.DOTALL)
_OBJECT = re.compile(r"\{\s*[\"']")
_QUOTED = re.compile(r"[\"']answer[\"']\s*:\s*\"(?P<value>(?:[^\"\\]|\\.)*)\"", re.IGNORECASE | re.DOTALL)
_LOOSE = re.compile(
    r"[\"']?\banswer[\"']?\s*:\s*(?:'(?P<quoted>[^'\n]*)'|(?P<value>\[[^\]\n]*\]|[^\s\"'\[{,}][^\n,}]{0,500}+))\s*[,}\n]",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\boxed\s*\{")
_STATED = re.compile(
    r"\banswer\b[\s*_]*(?:is\b[\s:]*|[:=])[\s*_]*(?P<value>[^\s*_].*)$", re.IGNORECASE | re.MULTILINE
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]|^\ufeff")
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class Extracted:
    """An answer as text. A list is written as a JSON list; numbers stand as the model wrote them."""

    answer: str
    step: ExtractionStep


@dataclass(frozen=True)
class Unreadable:
    """A reply without an answer that can be read."""

    reason: str


def extract_answer(reply: str) -> Extracted | Unreadable:
    """The answer in a model's whole reply.

    Steps, the first that finds one: the reply is JSON; JSON in a fence; the outermost braces, of several objects the
    last; the text `"answer": ...`; then ours: \\boxed{...}; "the answer is ..."; a reply that is one short line.
    """
    text = _clean(reply)
    if (found := _in_answer_form(text)) is not None:
        return found
    rest = without_thinking(text).strip()
    if not rest:
        return Unreadable("the reply ends inside its thinking" if text.strip() else "the reply is empty")
    if (key := re.search(r"[\"']answer[\"']\s*:", rest, re.IGNORECASE)) is not None:
        return Unreadable(f"its answer is cut off or broken: {_start(rest[key.start() :])}")
    if _is_object(rest):
        return Unreadable("its JSON object has no answer")
    if (value := _plain_value(rest)) is not None:
        return Extracted(value, "bare")
    if (boxed := _last_boxed(rest)) is not None:
        return Extracted(boxed, "boxed")
    if stated := list(_STATED.finditer(rest)):
        return Extracted(stated[-1]["value"].strip().rstrip("*_ "), "stated")
    if "\n" not in rest and len(rest) <= LONGEST_BARE:
        return Extracted(rest, "bare")
    return Unreadable(f"no answer in the form asked for: {_start(rest)}")


def extract_given(answer: str) -> Extracted:
    """The answer in a text that is one, or a reply in the form asked for: nothing else is looked for."""
    text = _clean(answer)
    if (found := _in_answer_form(text)) is not None:
        return found
    value = _plain_value(text)
    return Extracted(text.strip() if value is None else value, "given")


def as_reply(answer: object, *, reasoning: str = "") -> str:
    """A reply in the form asked for, from which `extract_answer` reads the same answer."""
    return dump_json({"answer": answer, "reasoning": reasoning})


def without_thinking(text: str) -> str:
    """The text without what stands between thinking tags.

    A closing tag alone ends thinking that began before the text; an opening one alone begins what never ended.
    """
    kept: list[str] = []
    position = 0
    begin: int | None = None
    for tag in _TAG.finditer(text):
        if not tag["closing"]:
            begin = tag.start() if begin is None else begin
        elif begin is not None:
            kept.append(text[position:begin])
            position, begin = tag.end(), None
        else:
            kept, position = [], tag.end()
    kept.append(text[position:] if begin is None else text[position:begin])
    return "".join(kept)


def _in_answer_form(text: str) -> Extracted | None:
    """The paper's four steps. A reply that is one JSON value is taken whole: tags in its strings are text."""
    if (answer := _answer_of_object(text)) is not None:
        return Extracted(answer, "json")
    rest = without_thinking(text).strip()
    if (answer := _answer_of_object(rest)) is not None:
        return Extracted(answer, "json")
    for fence in reversed(list(_FENCE.finditer(rest))):
        if (answer := _answer_of_object(fence["body"])) is not None:
            return Extracted(answer, "fence")
    if (answer := _last_object_answer(rest)) is not None:
        return Extracted(answer, "braces")
    if (answer := _written_answer(rest)) is not None:
        return Extracted(answer, "regex")
    return None


def _answer_of_object(text: str) -> str | None:
    try:
        value = load_json(text.strip())
    except ValueError:
        return None
    return _answer_of(value) if isinstance(value, dict) else None


def _plain_value(text: str) -> str | None:
    """The answer where the text is a JSON value by itself, fenced or not: a list, a number, a string."""
    for body in (text, *(fence["body"] for fence in _FENCE.finditer(text))):
        try:
            value = load_json(body.strip())
        except ValueError:
            continue
        if not isinstance(value, dict):
            return as_text(value)
    return None


def _answer_of(fields: dict[str, Any]) -> str | None:
    for key, value in reversed(fields.items()):
        if key.strip().casefold() == "answer":
            return as_text(value)
    return None


def _is_object(text: str) -> bool:
    try:
        return isinstance(load_json(text), dict)
    except ValueError:
        return False


def as_text(value: Any) -> str:
    """A JSON value as an answer's text: null is no answer, true a word, a list or object JSON again."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if isinstance(value, str) else dump_json(value)
    return _HALF_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text).strip()


def _last_object_answer(text: str) -> str | None:
    first, last = text.find("{"), text.rfind("}")
    if not 0 <= first < last:
        return None
    if (whole := _answer_of_object(text[first : last + 1])) is not None:
        return whole
    # Several objects, or one among other braces: the last word counts.
    answers = list(_object_answers(repair_backslashes(text)))
    return answers[-1] if answers else None


def _object_answers(repaired: str) -> Iterator[str]:
    position = 0
    for _ in range(MOST_OBJECTS):
        if (opening := _OBJECT.search(repaired, position)) is None:
            return
        try:
            value, position = load_json_at(repaired, opening.start())
        except ValueError:
            position = opening.start() + 1
            continue
        if isinstance(value, dict) and (answer := _answer_of(value)) is not None:
            yield answer


def _written_answer(text: str) -> str | None:
    """What stands after the last `"answer":`, where the JSON around it is broken."""
    found = [(match.start(), match) for pattern in (_QUOTED, _LOOSE) for match in pattern.finditer(text)]
    if not found:
        return None
    match = max(found, key=lambda pair: pair[0])[1]
    if match.re is _QUOTED:
        return str(load_json(f'"{match["value"]}"')).strip()
    if match["quoted"] is not None:
        return match["quoted"].strip()
    # `answer: 5` in prose is no JSON, however broken: an object has to be around it
    return match["value"].strip() if "{" in text[: match.start()] else None


def _last_boxed(text: str) -> str | None:
    """What the last \\boxed{...} holds, its braces counted."""
    for opening in list(_BOXED.finditer(text))[:-MOST_BOXES:-1]:
        depth = 1
        for place in range(opening.end(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            if depth == 0:
                return text[opening.end() : place].strip()
    return None


def _clean(text: str) -> str:
    return _HALF_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", _CONTROL.sub("", text))


def _start(text: str, *, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
