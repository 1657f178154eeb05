"""grading: JSON as models write it, with TeX in its strings.

`"\\frac{1}{2}"` with a single backslash is legal JSON: \\f is a form feed. So backslashes are looked at before
the parser sees them.
"""

from __future__ import annotations

import json
import re
from typing import Any

# Commands whose first letter makes a legal escape with the backslash. A run of letters after the backslash that
# is one of these is TeX: what else could it be at \b and \f, and a line end or tab followed by exactly these
# letters is rarer. `\ni` is left out: a line end before "i" is likelier.
_N = (
    "nabla natural ne nearrow neg neq newline nexists ngeq nleq nmid nolimits nonumber not notin nparallel nsubseteq "
    "nu"
)
_T = (
    "tan tanh tau tbinom text textbf textcircled textdegree textit textmu textnormal textohm textrm textsc textsf "
    "textstyle textsuperscript textsubscript texttt textup tfrac therefore theta thickapprox thinspace tilde times "
    "tiny to top triangle triangledown triangleleft triangleright tt"
)
_R = (
    "rangle rbrace rbrack rceil real ref rfloor rho right rightarrow rightharpoondown rightharpoonup "
    "rightleftharpoons rightangle rm root rtimes rvert rVert"
)
_COMMANDS = frozenset(f"{_N} {_T} {_R}".split())
_ESCAPE = re.compile(r'\\(?:(?P<pair>[\\"/])|u(?P<hex>[0-9a-fA-F]{4})|(?P<word>[A-Za-z]+)|)')


def repair_backslashes(text: str) -> str:
    r"""The text with every backslash that JSON would refuse or misread doubled.

    Kept: \\ \" \/ \uXXXX, and \n \t \r where no TeX command begins there. \b and \f before a letter are always TeX.
    """
    return _ESCAPE.sub(_repaired, text)


def _repaired(escape: re.Match[str]) -> str:
    whole = escape[0]
    if escape["pair"] or escape["hex"]:
        return whole
    word = escape["word"] or ""
    if word[:1] in ("n", "t", "r") and word not in _COMMANDS:
        return whole
    if word in ("b", "f"):  # a true backspace or form feed: nobody answers so, but it is legal
        return whole
    return "\\" + whole


def load_json(text: str) -> Any:
    """The value, every number as the text that stands there. Raises ValueError where it is no JSON.

    Numbers as text: 1.0 stays 1.0, and no digit of 0.303 is lost; NaN and Infinity are words.
    """
    try:
        return json.loads(repair_backslashes(text), **_AS_TEXT)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def load_json_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at `start`, and where it ends. `text` has its backslashes repaired already."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def dump_json(value: Any) -> str:
    """JSON that `load_json` reads back as it was: control characters in the form that no TeX command has."""
    plain = json.dumps(value, ensure_ascii=False)
    return re.sub(r"\\(?:([\\\"])|([nrtbf]))", _unmistakable, plain)


def _unmistakable(escape: re.Match[str]) -> str:
    return escape[0] if escape[1] else f"\\u{ord(_CHARACTER[escape[2]]):04x}"


_CHARACTER = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_AS_TEXT: dict[str, Any] = {"strict": False, "parse_int": str, "parse_float": str, "parse_constant": str}
_DECODER = json.JSONDecoder(**_AS_TEXT)
