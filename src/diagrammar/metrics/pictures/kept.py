"""metrics, pictures: what is known of the pictures seen last, by digest: one truth meets many candidates."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """The last `size` values made of pictures. A picture is known by its SHA-256; its bytes are not kept."""

    def __init__(self, *, size: int) -> None:
        self.size = size
        self._value_by_digest: OrderedDict[bytes, T] = OrderedDict()

    def of(self, png: bytes, make: Callable[[bytes], T]) -> T:
        """`make(png)`, made once as long as it is kept."""
        digest = hashlib.sha256(png).digest()
        if digest not in self._value_by_digest:
            value = make(png)
            if len(self._value_by_digest) >= self.size:
                self._value_by_digest.popitem(last=False)
            self._value_by_digest[digest] = value
        self._value_by_digest.move_to_end(digest)
        return self._value_by_digest[digest]
