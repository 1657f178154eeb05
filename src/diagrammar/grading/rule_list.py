"""grading, step 2 for LIST: several items, in any order.

Source: Diagram-MMU, appendix C.3, OI-LIST: JSON arrays or comma-separated text, items normalised, compared as sets,
so that repeats collapse. Differs: commas inside brackets and quotes do not split, so that coordinates stay whole;
sets that differ only in how their items are written are for the judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from diagrammar.grading.escapes import load_json
from diagrammar.grading.extract import as_text
from diagrammar.grading.numbers import NotANumber
from diagrammar.grading.rule_num import read_quantity
from diagrammar.grading.rule_term import bare_label, bare_term, normalise_term
from diagrammar.grading.ruling import Protocol, Ruling, correct, incorrect, is_fallback, may_deny, unsure

MOST_COMPARED = 100  # items that are looked at in more ways than one
_FENCE = re.compile(r"^\s*`{3,}[ \t]*\w*\s*(?P<body>.*?)\s*`{3,}\s*$", re.DOTALL)
_MATH = re.compile(r"^\s*(?:\$\$?|\\\(|\\\[)(?P<body>.*?)(?:\$\$?|\\\)|\\\])\s*$", re.DOTALL)
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d+[.)])\s+(?P<item>.+)$")
_OPENING, _CLOSING = "([{⟨", ")]}⟩"
_AND = re.compile(r"\s+(?:and|&|or)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Items:
    """A list as read. `clear` is False where another reading is as good."""

    items: tuple[str, ...]
    clear: bool


def read_items(text: str) -> Items | None:
    """The items of a list as JSON, in brackets or braces, with commas, or a line each; None for an empty text."""
    for wrapper in (_FENCE, _MATH, _FENCE):
        if (wrapped := wrapper.match(text)) is not None:
            text = wrapped["body"]
    text = text.replace("\\{", "{").replace("\\}", "}").replace("\\left", "").replace("\\right", "").strip()
    if not text:
        return None
    if (value := _json_list(text)) is not None:
        return Items(tuple(map(_item_text, value)), all(not isinstance(item, dict) for item in value))
    if _encloses(text, "[{"):
        return _split(text[1:-1])
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        bullets = [_BULLET.match(line) for line in lines]
        marked = [bullet["item"].strip() for bullet in bullets if bullet]
        if len(marked) == len(lines):
            return Items(tuple(marked), True)
        return Items(tuple(line.strip().rstrip(",;") for line in lines), False)
    return _split(text)


def normalise_item(item: str) -> str:
    """An item as it is compared: as a term, without spaces inside brackets."""
    return (
        re.sub(r"\s*([,()\[\]])\s*", r"\1", normalise_term(item))
        if re.search(r"[(\[]", item)
        else normalise_term(item)
    )


def rule_list(truth: str, answer: str, *, protocol: Protocol = "paper") -> Ruling:
    """The verdict on a list: the same set is correct; a missing or an extra item is incorrect."""
    found, wanted = read_items(answer), read_items(truth)
    if found is None:
        return unsure(0.0, "there is no answer; an empty list is []")
    if wanted is None:
        return unsure(0.0, "the truth is empty")
    if is_fallback(truth) and is_fallback(answer):
        return correct(1.0, "NOT_PRESENT on both sides")
    if is_fallback(answer):
        if not wanted.items:
            return unsure(0.7, "NOT_PRESENT where [] was agreed on")
        return incorrect(0.9, "NOT_PRESENT, though the diagram tells")
    theirs, ours = _as_set(found.items), _as_set(wanted.items)
    if theirs == ours:
        if protocol == "strict" and _labels(found.items) != _labels(wanted.items):
            return unsure(0.6, "short labels that differ in case")
        return correct(0.95 if found.clear else 0.8, "the same items")
    if max(len(theirs), len(ours)) <= MOST_COMPARED and _loosened(theirs) == _loosened(ours):
        return unsure(0.7, "the same items, written in another way")
    if min(len(ours), len(theirs)) == 1 < max(len(ours), len(theirs)) and _words(truth) == _words(answer):
        return unsure(0.5, "the same words, divided in another way")
    if not found.clear:
        return unsure(0.5, "not clearly a list")
    if not wanted.items and len(found.items) == 1 and may_deny(found.items[0]):
        return unsure(0.6, "the truth is []; the answer may say so in words")
    if _hold_each_other(theirs - ours, ours - theirs):
        return unsure(0.6, "the items that differ hold each other")
    missing, extra = len(ours - theirs), len(theirs - ours)
    return incorrect(0.95, f"{missing} missing, {extra} too many")


def _json_list(text: str) -> list[Any] | None:
    try:
        value = load_json(text)
    except ValueError:
        return None
    if isinstance(value, dict):
        return [] if not value else None
    return value if isinstance(value, list) else None


def _item_text(item: Any) -> str:
    """A JSON item as text; a list within the list is a coordinate."""
    if isinstance(item, list):
        return "(" + ",".join(_item_text(part) for part in item) + ")"
    return as_text(item)


def _encloses(text: str, openings: str) -> bool:
    """Whether the first bracket closes with the last character."""
    if not text or text[0] not in openings:
        return False
    return _top_level(text, lambda sign: False)[1] == len(text) - 1  # noqa: ARG005


def _split(text: str) -> Items:
    """Items between commas, or semicolons, that stand outside brackets and quotes."""
    if not text.strip():
        return Items((), True)
    by_semicolon = _cut(text, ";")
    pieces = by_semicolon if len(by_semicolon) > 1 else _cut(text, ",")
    items = [piece.strip() for piece in pieces]
    # "A, B," ends with a comma; other gaps are no items either
    kept = [item for item in items if item]
    clear = len(kept) >= len(items) - 1 and not any(
        _AND.search(item) or item.lower().startswith("and ") for item in kept
    )
    if not clear:
        kept = [
            part.strip()
            for item in kept
            for part in _AND.split(re.sub(r"(?i)^and\s+", "", item))
            if part.strip()
        ]
    return Items(tuple(kept), clear)


def _cut(text: str, separator: str) -> list[str]:
    cuts, _ = _top_level(text, separator.__eq__)
    edges = [-1, *cuts, len(text)]
    return [text[left + 1 : right] for left, right in pairwise(edges)]


def _top_level(text: str, wanted: Any) -> tuple[list[int], int | None]:
    """Where the wanted characters stand outside brackets and quotes, and where the first bracket closes."""
    places: list[int] = []
    depth, quote, closed = 0, "", None
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif (
            sign in "\"'" and (place == 0 or not text[place - 1].isalnum()) and text.find(sign, place + 1) > 0
        ):
            quote = sign  # after a letter it is a prime, as in A'
        elif sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth -= 1
            closed = place if depth == 0 and closed is None else closed
        elif depth <= 0 and wanted(sign):
            places.append(place)
    return places, closed


def _as_set(items: Sequence[str]) -> frozenset[str]:
    return frozenset(normalise_item(item) for item in items)


def _labels(items: Sequence[str]) -> frozenset[str]:
    return frozenset(label if len(label) <= 2 else label.casefold() for label in map(bare_label, items))


def _loosened(items: Iterable[str]) -> frozenset[str]:
    return frozenset(_loose(item) for item in items)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _loose(item: str) -> str:
    try:
        quantity = read_quantity(item)
    except NotANumber:
        return bare_term(item) or normalise_item(item)
    return f"{quantity.value} {quantity.unit.dimension} {quantity.unit.size} {quantity.unit.name}"


def _hold_each_other(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether each item that only one side has holds, or is held by, exactly one of the other side's."""
    if not left or len(left) != len(right) or len(left) > MOST_COMPARED:
        return False
    if not (all(left) and all(right)):
        return False
    return all(sum(one in other or other in one for other in right) == 1 for one in left)
