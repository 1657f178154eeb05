"""Options in brackets, as pgfkeys reads them."""

from __future__ import annotations

from collections.abc import Iterator

from diagrammar.manuals.reading.blocks import closing


def split_options(text: str) -> dict[str, str]:
    """Values by key, without the braces around them; "" for a bare key. The last one wins."""
    settings: dict[str, str] = {}
    for item in _items(text):
        key, _, value = item.partition("=")
        settings[" ".join(key.split())] = unbraced(value)
    return settings


def unbraced(value: str) -> str:
    """The value without the one pair of braces around all of it."""
    value = value.strip()
    if value.startswith("{") and closing(value, 0) == len(value) - 1:
        return value[1:-1].strip()
    return value


def _items(text: str) -> Iterator[str]:
    item: list[str] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character == "%":
            end = text.find("\n", position)
            position = len(text) if end < 0 else end + 1
            continue
        if character == "{":
            end = closing(text, position)
            item.append(text[position : end + 1])
            position = end + 1
            continue
        if character == "\\":
            item.append(text[position : position + 2])
            position += 2
            continue
        if character == ",":
            yield "".join(item)
            item = []
        else:
            item.append(character)
        position += 1
    if "".join(item).strip():
        yield "".join(item)
