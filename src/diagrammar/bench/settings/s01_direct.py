"""S1, diagram-to-code parsing, direct coding: the picture in, one program out, nothing else to go by.

Source: Diagram-MMU, table 4 and appendix E.1. The preamble is an option of the run: section 3.2 gives it to the
model, appendix E does not.
"""

from __future__ import annotations

from diagrammar.bench.setting import Question, Setting, Solved, ask_for_code
from diagrammar.models import Model
from diagrammar.records.outputs import Prompt

SYSTEM = r"""You write LaTeX that redraws pictures. Your answer has to follow these rules:
1. Give one complete LaTeX document in a single code block that opens with ```latex.
2. The document begins with \documentclass and stops at \end{document}.
3. Write nothing before or after that code block: no remarks, no explanation, no reasoning."""


def prompt(question: Question) -> Prompt:
    """The picture and what to do with it."""
    user = question.text
    if question.preamble:
        user = f"{user}\nBegin your document with this preamble:\n{question.preamble.strip()}"
    return Prompt(system=SYSTEM, user=user, image_png=question.image_png)


async def solve(model: Model, question: Question, sample_id: str) -> Solved:
    """One reply, the program in it."""
    return await ask_for_code(model, prompt(question), sample_id)


SETTING = Setting(name="S1", title="direct coding", task_kind="d2c_parse", prompt=prompt, solve=solve)
