"""`prometheus`, `prometheus2`, `prometheus2-pairwise`: graded by a rubric, without a reference.

Source: Kim et al. (2024), "Prometheus: Inducing fine-grained evaluation capability in language
models", and "Prometheus 2: An open source language model specialized in evaluating other language
models"; the sections, the scale and the mark `[RESULT]` are those of their releases. Differs: no
reference answer, as in MTDEval (appendix E); the sentences and the rubrics are ours; a dialogue of
several turns stands whole where they have one response.
"""

from __future__ import annotations

import re
from functools import partial

from assize.judging.aspects import OVERALL
from assize.judging.judges.published.graded import (
    Compared,
    Graded,
    compared_method,
    graded_method,
    preference_question,
    rubric_values,
)
from assize.judging.judges.published.rubrics import HIGHEST, LOWEST
from assize.judging.judges.published.verdict import Form
from assize.judging.judges.rating import rating_question
from assize.judging.method import Method

_WORD = r"(?:result|score)"
_MARK = (
    rf"(?:\[\s{{0,9}}{_WORD}\s{{0,9}}\]\s{{0,9}}:?|\[\s{{0,9}}{_WORD}\s{{0,9}}:"
    rf"|(?:^|\n)[ \t]{{0,9}}{_WORD}[ \t]{{0,9}}:)[\s(\[*]{{0,9}}"
)
_STRICT = r"\[RESULT\][\s(\[*]{0,9}"
_GRADE = r"([0-9]{1,9})(?![\w.]\w)(?:\s{0,9}(?:/|out\s{1,9}of)\s{0,9}5\b)?"
_SIDE = r"(?:response\s{1,9})?([AB])\b"
SCORED = Form(
    re.compile(_MARK + _GRADE, re.I), "[RESULT] 4", strict=re.compile(_STRICT + _GRADE, re.I)
)
CHOSEN = Form(
    re.compile(_MARK + _SIDE, re.I), "[RESULT] A", strict=re.compile(_STRICT + _SIDE, re.I)
)

# What a dialogue could imitate: the mark of the verdict, and the prompt's own sections.
GUARDED = (
    "[RESULT]",
    "[SCORE]",
    "###Task Description",
    "###The instruction",
    "###Instruction",
    "###Response",
    "###Reference Answer",
    "###Score Rubric",
    "###Feedback",
)


def graded(prompt: str, name: str, criterion: str | None) -> Method:
    """How one dialogue is graded from 1 to 5 by a criterion; None is overall."""
    asked = OVERALL if criterion is None else criterion
    question = rating_question(
        f"score:{asked}", f"How well did the assistant do on {asked}?", LOWEST, HIGHEST
    )
    return graded_method(
        SCORED,
        question,
        name=name,
        about=f"one dialogue on {asked}, {LOWEST} to {HIGHEST}",
        prompt=prompt,
        values=rubric_values(criterion),
        guarded=GUARDED,
        step=asked,
    )


def compared(name: str, criterion: str | None) -> Method:
    """How two dialogues are compared by a criterion; there is no tie."""
    return compared_method(
        CHOSEN,
        preference_question(criterion),
        {"a": "A", "b": "B"},
        name=name,
        about=f"the better of two dialogues on {criterion or OVERALL}",
        prompt="prometheus2-pairwise",
        values=rubric_values(criterion),
        guarded=GUARDED,
        step=criterion or OVERALL,
    )


PROMETHEUS = Graded(
    "Prometheus: a dialogue graded 1 to 5 by a rubric; of a pair the higher grade wins",
    "prometheus",
    partial(graded, "prometheus"),
    variants=True,
)
PROMETHEUS2 = Graded(
    "Prometheus 2: a dialogue graded 1 to 5 by a rubric; of a pair the higher grade wins",
    "prometheus2",
    partial(graded, "prometheus2"),
    variants=True,
)
PROMETHEUS2_PAIRWISE = Compared(
    "Prometheus 2: the better of two dialogues by a criterion, never a tie",
    "prometheus2-pairwise",
    compared,
)
