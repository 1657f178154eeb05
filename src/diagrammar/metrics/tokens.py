"""metrics: TeX code -> tokens and n-grams, what the code metrics compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from pygments.lexer import Lexer
from pygments.token import Comment, Whitespace

Ngram = tuple[str, ...]
ORDERS = (1, 2, 3, 4)


def tex_tokens(code: str) -> tuple[str, ...]:
    """The tokens of Pygments' TexLexer without comments and white space.

    Source: Diagram-MMU, appendix C.2, code-based metrics. Differs: that lexer leaves white space inside
    tokens (`, \\n  ` or `(0,0) -- (1,1)`), so runs of it count as one space and none at either end; TeX
    reads both alike.
    """
    kept = [" ".join(value.split()) for kind, value in _lexer().get_tokens(code) if not _is_dropped(kind)]
    return tuple(token for token in kept if token)


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """The runs of `order` neighbouring tokens, in order."""
    return zip(*(tokens[start:] for start in range(order)), strict=False)


@cache  # a handful of kinds, asked for each token
def _is_dropped(kind: Any) -> bool:
    # Pygments' token types are tuples that redefine `in` as "is a subtype of"; its stubs do not say so.
    return kind in Comment or kind in Whitespace


@cache
def _lexer() -> Lexer:
    from pygments.lexers.markup import TexLexer

    return TexLexer()
