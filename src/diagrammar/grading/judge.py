"""grading, step 3: what a judge is asked about a doubtful answer, and what its reply says. Next: grade.

Source: Diagram-MMU, appendix C.3, stage 3: guidelines per answer type, a reply of two lines, three labels. The words
are ours, in judge_prompt.toml.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from diagrammar.errors import BadInput
from diagrammar.grading.extract import without_thinking
from diagrammar.records.grades import AnswerType, Label
from diagrammar.records.outputs import Prompt

OWN_WORDS = Path(__file__).with_name("judge_prompt.toml")
LONGEST_TEXT = 4000  # characters of a question or answer that the judge is shown
_NEEDED = ("question", "ground_truth", "model_answer")
_PLACE = re.compile(r"\{(answer_type|guidelines|question|ground_truth|model_answer)\}")
_LABEL = re.compile(r"\blabel\b\W{0,12}\b(correct|incorrect|unattempted)\b\W*$", re.IGNORECASE | re.MULTILINE)
_EVALUATION = re.compile(
    r"\bevaluation\b[\"'*_\s]*[:=][\"'*_\s]*(?P<text>\S.*)$", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True)
class JudgeWords:
    """What a judge is told: the system's words, the question's with places for its texts, guidelines by type."""

    system: str
    user: str
    guidelines: Mapping[AnswerType, str]

    @property
    def digest(self) -> str:
        """Changes when any of the words do."""
        parts = [
            self.system,
            self.user,
            *(f"{kind}\0{text}" for kind, text in sorted(self.guidelines.items())),
        ]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Judgement:
    """A judge's label and the reason that it gives."""

    label: Label
    evaluation: str


@dataclass(frozen=True)
class Unjudged:
    """A judge's reply that decides nothing, and why."""

    reason: str


def read_words(path: Path | None = None) -> JudgeWords:
    """The words in a TOML file, by default our own. Raises BadInput, which says what is wrong with the file."""
    where = path or OWN_WORDS
    try:
        read = tomllib.loads(where.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{where}: {error.strerror or error}") from error
    except ValueError as error:  # no TOML, no UTF-8
        raise BadInput(f"{where}: no TOML file: {error}; copy judge_prompt.toml and change it") from error
    guidelines = read.get("guidelines", {})
    texts = [
        read.get("system"),
        read.get("user"),
        *(guidelines.values() if isinstance(guidelines, dict) else [None]),
    ]
    if not all(isinstance(text, str) for text in texts) or not {"NUM", "TERM", "LIST"} <= set(guidelines):
        raise BadInput(
            f"{where}: has to hold the texts system, user and guidelines.NUM, guidelines.TERM, guidelines.LIST"
        )
    words = JudgeWords(
        read["system"].strip(),
        read["user"].strip(),
        {kind: text.strip() for kind, text in guidelines.items()},
    )
    for place in _NEEDED:
        if f"{{{place}}}" not in words.user:
            raise BadInput(f"{where}: {{{place}}} does not occur in user; the judge would not see it")
    return words


def judge_prompt(
    words: JudgeWords, *, question: str, ground_truth: str, model_answer: str, answer_type: AnswerType
) -> Prompt:
    """What the judge sees. The texts of others stand between lines that none of them can contain."""
    texts = {"question": question, "ground_truth": ground_truth, "model_answer": model_answer}
    mark = hashlib.sha256("\0".join(texts.values()).encode("utf-8", "replace")).hexdigest()[:16]
    filled = {name: f"----- {mark}\n{_shortened(text)}\n----- {mark} ends" for name, text in texts.items()}
    filled |= {"answer_type": answer_type, "guidelines": words.guidelines[answer_type]}
    # One pass: a text that holds {question} stays as it is.
    return Prompt(system=words.system, user=_PLACE.sub(lambda place: filled[place[1]], words.user))


def read_judgement(reply: str) -> Judgement | Unjudged:
    """The label in a judge's reply. None, or several that differ, decide nothing: nothing is guessed."""
    text = without_thinking(reply).strip()
    labels = {label.casefold() for label in _LABEL.findall(text)}
    if not labels:
        return Unjudged("the judge's reply has no label: " + (" ".join(text.split())[:80] or "it is empty"))
    if len(labels) > 1:
        return Unjudged(f"the judge's reply has several labels: {', '.join(sorted(labels))}")
    evaluation = _EVALUATION.search(text)
    said = evaluation["text"].strip() if evaluation else " ".join(text.split())
    label: Label = labels.pop()
    return Judgement(label, said[:500])


def _shortened(text: str) -> str:
    if not text.strip():
        return "(empty)"
    return (
        text
        if len(text) <= LONGEST_TEXT
        else f"{text[:LONGEST_TEXT]}\n(cut here; {len(text):,} characters in all)"
    )
