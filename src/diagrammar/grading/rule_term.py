"""grading, step 2 for TERM: a word or label.

Source: Diagram-MMU, appendix C.3, OI-TERM: equal without regard to case once quotes, runs of space and trailing
punctuation are gone; partial containment is for the judge. Differs: quotes go in pairs from the ends only, since A' is
a point of its own beside A; texts that differ only in how they are written ($R_1$, R1) are for the judge, too.
"""

from __future__ import annotations

import re
import unicodedata

from diagrammar.grading.ruling import Protocol, Ruling, correct, incorrect, is_fallback, may_deny, unsure

LONGEST_TERM = 5  # words; a longer answer to a short truth is a sentence
_QUOTES = str.maketrans(
    {**dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‘’‚‛′", "'"), **dict.fromkeys("−‐‑‒–", "-")}
)
_PAIRS = (('"', '"'), ("'", "'"), ("`", "`"))
_TRAILING = ".,;:!?。 "
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
)
_GREEK = dict(zip(_GREEK_NAMES.split(), "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_STYLES = (
    "text textrm textbf textit texttt textsf textnormal mathrm mathbf mathit mathsf mathcal mathbb operatorname mbox "
    "rm bf it left right boldsymbol displaystyle ce chemfig quad qquad"
)
_STYLE = frozenset(_STYLES.split())
_VARIANTS = {"varepsilon": "ε", "vartheta": "θ", "varphi": "φ", "varrho": "ρ", "varsigma": "σ", "varpi": "π"}
_ENDINGS = re.compile(r"(?:ing|ed|es|s|e|ly)$")


def normalise_term(text: str) -> str:
    """The text as it is compared: no case, enclosing quotes, runs of space or trailing punctuation."""
    term = " ".join(unicodedata.normalize("NFC", text.translate(_QUOTES)).split())
    while True:
        stripped = term.rstrip(_TRAILING).lstrip()
        for opening, closing in _PAIRS:
            if len(stripped) > 1 and stripped[0] == opening and stripped[-1] == closing:
                stripped = stripped[1:-1].strip()
        # A text of nothing but punctuation stays: "!" is an answer of sorts.
        if not stripped or stripped == term:
            return (stripped or term).casefold()
        term = stripped


def bare_term(text: str) -> str:
    """The letters and digits that remain without markup; Greek letters by their sign, however they were written."""
    text = _COMMAND.sub(_command, unicodedata.normalize("NFKC", text))
    for name, letter in _GREEK.items():
        text = re.sub(rf"(?i)(?<![A-Za-z]){name}(?![A-Za-z])", letter, text)
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ς", "σ")
    return "".join(sign for sign in folded if sign.isalnum())


def rule_term(truth: str, answer: str, *, protocol: Protocol = "paper") -> Ruling:
    """The verdict on a term. Equal is correct, nothing in common is incorrect, all between is for the judge."""
    wanted, found = normalise_term(truth), normalise_term(answer)
    if not found:
        return unsure(0.0, "there is no answer")
    if is_fallback(truth) and is_fallback(answer):
        return correct(1.0, "NOT_PRESENT on both sides")
    if wanted == found:
        if protocol == "strict" and _differs_in_case(truth, answer):
            return unsure(0.6, "short labels that differ in case")
        return correct(1.0, "the same term")
    if is_fallback(answer):
        return incorrect(0.9, "NOT_PRESENT, though the diagram tells")
    if bare_term(truth) == bare_term(answer) and bare_term(truth):
        return unsure(0.7, "the same letters, written in another way")
    if wanted in found or found in wanted:
        return unsure(0.5, "one term holds the other")
    if bare_term(answer) and bare_term(truth) and _holds_another(bare_term(truth), bare_term(answer)):
        return unsure(0.5, "one term holds the other, written in another way")
    if _stem(wanted) == _stem(found):
        return unsure(0.6, "two forms of one word")
    if is_fallback(truth) and may_deny(answer):
        return unsure(0.6, "the truth is NOT_PRESENT; the answer may say so in other words")
    if len(found.split()) > LONGEST_TERM >= len(wanted.split()):
        return unsure(0.4, "a sentence, not a term")
    return incorrect(0.9, "another term")


def _command(command: re.Match[str]) -> str:
    name = command[1]
    if name in _STYLE:
        return " "
    return _VARIANTS.get(name) or _GREEK.get(name.casefold()) or f" {name} "


def _holds_another(left: str, right: str) -> bool:
    return left in right or right in left


def _differs_in_case(truth: str, answer: str) -> bool:
    written = [bare_label(text) for text in (truth, answer)]
    return written[0] != written[1] and max(map(len, written)) <= 2


def bare_label(text: str) -> str:
    """A label's letters and digits in the case in which they stand."""
    return "".join(sign for sign in unicodedata.normalize("NFC", text) if sign.isalnum())


def _stem(term: str) -> str:
    stem = _ENDINGS.sub("", term)
    return stem if len(stem) >= 5 else term
