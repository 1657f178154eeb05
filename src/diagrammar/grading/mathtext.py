"""grading: mathematics as people, TeX and Unicode write it -> one plain spelling, for numbers and units.

The result has ASCII digits, one minus sign, `*` for times, `^` for powers, `\\frac{a}{b}` for fractions, √, π, °, Ω,
μ, and U+2009 where a digit group is set apart. It means the same; nothing is computed here.
"""

from __future__ import annotations

import re

GROUP = "\N{THIN SPACE}"
_MINUS = "−‐‑‒–﹣－⁻"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅒": (1, 10),
}  # fmt: skip
_ONE_TO_ONE = str.maketrans(
    {
        **dict.fromkeys(_MINUS, "-"), **dict.fromkeys("×✕⋅·∙∗✖", "*"), **dict.fromkeys("∕⁄÷", "/"),
        **dict.fromkeys("◦º˚", "°"), "\N{OHM SIGN}": "Ω", "\N{MICRO SIGN}": "μ", "ϖ": "π", "𝜋": "π", "℃": "°C",
        "℉": "°F", "％": "%", "﹪": "%", "′": "'", "\N{SQUARE ROOT}": "√", "＋": "+", "．": ".", "，": ",",
        **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
        **dict.fromkeys("\u202f\u2006\u2008\u200a", GROUP), **dict.fromkeys("\u00a0\u2002\u2003\u3000\t\n\r\f\v", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u2061\u2062", ""),
        **{sign: rf"\frac{{{above}}}{{{below}}}" for sign, (above, below) in _VULGAR.items()},
    }
)  # fmt: skip
# TeX spellings, in this order. A command ends where its letters end.
_TEX: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), to)
    for pattern, to in (
        (r"^\s*\\f?box(?:ed)?\s*\{(.*)\}\s*\.?\s*$", r"\1"),
        (r"\{,\}|\{\{,\}\}", ","),
        (r"(?<=[0-9])(?:\\[,:;]|\\thinspace\b ?)(?=[0-9]{3})", GROUP),
        (r"\\(?:begin|end)\{(?:math|equation\*?)\}|\\displaystyle(?![A-Za-z])", ""),
        (r"\\\(|\\\)|\\\[|\\\]|\$", " "),
        (r"\\(?:left|right|bigl?|bigr?|Bigl?|Bigr?)(?![A-Za-z])\.?", ""),
        (r"\\[,;: ]|\\!|~|\\(?:quad|qquad|thinspace|hspace\{[^}]*\})(?![A-Za-z])", " "),
        (r"\\[dtc]?frac(?![A-Za-z])", r"\\frac"),
        (r"\\frac\s*([0-9π])\s*([0-9π])", r"\\frac{\1}{\2}"),
        (r"\\frac\s*([0-9π])\s*\{", r"\\frac{\1}{"),
        (r"\\(?:cdot|times|ast)(?![A-Za-z])", "*"),
        (r"\\div(?![A-Za-z])", "/"),
        (r"\\(?:(?:text|math)(?:rm|it|bf|normal)|text|mbox|operatorname|rm|unit|si)\s*\{([^{}]*)\}", r" \1"),
        (r"\\rm(?![A-Za-z])", " "),
        (r"\^\s*(?:\{\s*)?(?:\\circ|\\degree)(?![A-Za-z])\s*\}?|\\(?:circ|degree|textdegree|degrees)(?![A-Za-z])", "°"),
        (r"\^\s*\{?\s*°\s*\}?", "°"),
        (r"\\(?:Omega|ohm|textohm|upOmega)(?![A-Za-z])", "Ω"),
        (r"\\(?:mu|micro|textmu|upmu)(?![A-Za-z])\s*", "μ"),
        (r"\\pi(?![A-Za-z])|(?<![A-Za-z\\])pi(?![A-Za-z])", "π"),
        (r"\\sqrt(?![A-Za-z])|(?<![A-Za-z\\])sqrt(?= ?\()", "√"),
        (r"\\%", "%"),
        (r"\*\*(?=\s*[-+0-9({])", "^"),
    )
)  # fmt: skip
_WRAPPED = re.compile(r"^\s*(?:\*\*|__|`)(?P<inside>[^*_`]+)(?:\*\*|__|`)\s*$")
_SUPERSCRIPT_RUN = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


def plain_math(text: str) -> str:
    """The text in the plain spelling; what is not known stays as it is."""
    if (wrapped := _WRAPPED.match(text)) is not None:
        text = wrapped["inside"]
    text = _SUPERSCRIPT_RUN.sub(lambda run: "^{" + run[0].translate(_SUPERSCRIPTS) + "}", text)
    text = text.translate(_ONE_TO_ONE)
    for pattern, to in _TEX:
        text = pattern.sub(to, text)
    return re.sub(r" {2,}", " ", text).strip()
