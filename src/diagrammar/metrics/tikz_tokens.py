"""metrics: TikZ code -> tokens as TikZ reads it. Options, coordinates and colours fall into their parts.

Beside the paper's tokeniser (tokens.py), which leaves `[fill=red!20, draw=blue]` and `(0,0) -- (1,1);` one token each.
"""

from __future__ import annotations

import re

# In the signature of every metric over these tokens: up by one when they change.
VERSION = 1
_UNITS = "pt|cm|mm|in|ex|em|bp|pc|dd|cc|sp|mu"
# What comes first wins: a control symbol such as \% begins no comment, |-| is |- and |, 1e-3 is one number.
_TOKEN = re.compile(
    r"""
      (?P<command>\\(?:[A-Za-z@]+|.))              # \draw, \\, \%
    | (?P<comment>%[^\n]*)
    | (?P<number>(?:\d+(?:\.(?!\.)\d*)?|\.\d+)     # 1, 1.5, 1., .5; the dots of 1..controls are none of it
        (?:[eE][+-]?\d+)?)
        (?:\s*(?P<unit>UNITS)(?![^\W_]))?          # 2pt and 2 pt are the same length
    | (?P<other>
        [^\W\d_][^\W_]*                            # names and words: node1, Größe
      | \#+\d                                      # a macro's argument
      | <->|->|<-|--|\|-|-\||\.\.|\+\+             # what TikZ reads as one sign
      | \S
      )
    """.replace("UNITS", _UNITS),
    re.VERBOSE | re.DOTALL,
)


def tikz_tokens(code: str) -> tuple[str, ...]:
    """The tokens of `code`, none of them with white space in it, comments left out.

    A token is a command, a number with its unit, a name or word, an operator (`--`, `|-`, `-|`, `..`, `++`, an
    arrow), a macro's argument or any other single character. A sign is a token of its own. Where code has white
    space, and how much, shows only where it parts two words, numbers or signs.
    """
    tokens: list[str] = []
    for command, comment, number, unit, other in _TOKEN.findall(code):
        if command:
            # a backslash before any white space is the same space to TeX
            tokens.append("\\ " if command[1:].isspace() else command)
        elif not comment:
            tokens.append(number + unit if number else other)
    return tuple(tokens)


def without_comments(code: str) -> str:
    """`code` with every comment cut off its line."""
    return _TOKEN.sub(lambda found: "" if found["comment"] else found[0], code)
