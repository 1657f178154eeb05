"""TeX's old fonts whose glyph names Unicode does not know: font and code -> the character a reader sees.

pdfTeX's files say what most of these glyphs are, LuaTeX's and XeTeX's often do not, and for the extension font
none does: PDFium then hands out the code in the font.
"""

from __future__ import annotations


def character(font: str, code: int) -> str | None:
    """What the glyph at `code` of a font (its PDF name) shows; None where these tables do not know it."""
    for family, table in _TABLES.items():
        if family in font:
            return table.get(code)
    return None


def _rows(*rows: str) -> dict[int, str]:
    """Each row: the first code, then the characters from there on."""
    table: dict[int, str] = {}
    for row in rows:
        first, *characters = row.split()
        table.update(enumerate(characters, start=int(first)))
    return table


_CMMI = _rows("15 ϵ", "36 ϖ ϱ", "40 ↼ ↽ ⇀ ⇁ ↪ ↩ ▷ ◁", "63 ⋆", "91 ♭ ♮ ♯ ⌣ ⌢ ℓ", "126 \u20d7 \u0361")

_CMSY = _rows(
    "5 ⋄", "9 ⊖", "11 ⊘ ⊙ \u20dd", "16 ≍", "22 ⪯ ⪰", "28 ≪ ≫", "31 ≻", "37 ↗ ↘ ≃", "45 ↖ ↙", "48 ′",
    "51 ∋ △ ▽ \u0338 ↦", "60 ℜ ℑ ⊤", "93 ⊎", "96 ⊢ ⊣ ⌊ ⌋ ⌈ ⌉", "104 ⟨ ⟩", "107 ∥ ↕ ⇕", "111 ≀", "113 ⨿", "116 ⊔ ⊓ ⊑ ⊒",
)  # fmt: skip

_MSAM = _rows(
    "0 ⊡ ⊞ ⊠ □ ■ ▪", "7 ♦ ⟳ ⟲ ⇌ ⇋ ⊟ ⊩ ⊪ ⊨ ↠ ↞", "20 ⇈ ⇊ ↾ ⇂ ↿ ⇃ ↣ ↢ ⇆ ⇄ ↰ ↱ ⇝ ↭ ↫ ↬ ⊜ ≿ ≳ ⪆ ⊸",
    "43 ≑ ≜ ≾ ≲ ⪅ ⪕ ⪖ ⋞ ⋟ ≼ ≦ ⩽", "56 ‵", "58 ≓ ≒ ≽ ≧ ⩾", "64 ⊏ ⊐ ▷ ◁ ⊵ ⊴ ⋆ ≬ ▼ ▶ ◀",
    "77 △ ▲ ▽ ≖ ⋚ ⋛ ⪋ ⪌ ¥ ⇛ ⇚ ✓ ⊻ ⊼ ⩞", "93 ∡ ∢", "96 ⌣ ⌢ ⋐ ⋑ ⋓ ⋒ ⋏ ⋎ ⋋ ⋌ ⫅ ⫆ ≏ ≎",
    "112 ⌜ ⌝ ® Ⓢ ⋔ ∔ ∽ ⋍ ⌞ ⌟ ✠ ∁ ⊺ ⊚ ⊛ ⊖",
)  # fmt: skip

_MSBM = _rows(
    "0 ≨ ≩ ≰ ≱", "7 ⊁ ≨ ≩ ⩽̸ ⩾̸ ⪇ ⪈ ⪯̸ ⪰̸ ⋨ ⋩ ⋦ ⋧ ≦̸ ≧̸ ⪵ ⪶ ⪹ ⪺ ⪉ ⪊ ≁ ≇ ⧸ ⧹ ⊊ ⊋ ⫅̸ ⫆̸ ⫋ ⫌ ⫋ ⫌ ⊊ ⊋ ⊈ ⊉",
    "45 ∤ ∤ ∦ ⊬ ⊮ ⊭ ⊯ ⋭ ⋬ ⋪ ⋫ ↚ ↛ ⇍ ⇏ ⇎ ↮ ⋇",
    "64 ∄", "91 ^ ^ ~ ~", "96 Ⅎ ⅁", "102 ℧", "104 ≂ ℶ", "107 ℸ ⋖ ⋗ ⋉ ⋊ ∣ ∥ ∖", "117 ≊ ≿ ≾ ↶ ↷ \U0001d7cb", "125 ℏ ℏ ϶",
)  # fmt: skip

_CMEX = {
    **{code: "()[]⌊⌋⌈⌉{}〈〉|‖/\\"[code] for code in range(16)},
    **{16 + code: "()()[]⌊⌋⌈⌉{}〈〉/\\"[code] for code in range(16)},
    **{32 + code: "()[]⌊⌋⌈⌉{}〈〉/\\/\\"[code] for code in range(16)},
    **dict.fromkeys((70, 71), "⊔"), **dict.fromkeys((72, 73), "∮"), **dict.fromkeys((74, 75), "⊙"),
    **dict.fromkeys((76, 77), "⊕"), **dict.fromkeys((78, 79), "⊗"),
    **{80 + code: "∑∏∫⋃⋂⊎⋀⋁"[code] for code in range(8)},
    **{88 + code: "∑∏∫⋃⋂⊎⋀⋁"[code] for code in range(8)},
    **dict.fromkeys((96, 97), "∐"), **dict.fromkeys(range(98, 101), "^"), **dict.fromkeys(range(101, 104), "~"),
    104: "[", 105: "]", 106: "⌊", 107: "⌋", 108: "⌈", 109: "⌉", 110: "{", 111: "}",
    **dict.fromkeys(range(112, 117), "√"),
}  # fmt: skip

# By what the PDF's font name contains.
_TABLES = {
    "CMMI": _CMMI, "CMSY": _CMSY, "CMBSY": _CMSY, "MSAM": _MSAM, "MSBM": _MSBM, "CMEX": _CMEX,
    "LMMathExtension": _CMEX, "lmex": _CMEX,
}  # fmt: skip
