"""Rubrics: files of narrow questions, asked of models one by one, shown to people as a form.

rubric = load_rubric("information-seeking")     # or a file of your own
[question.id for question in rubric.asked("models")]
"""

from assize.rubric.conditions import CONDITIONS, applies
from assize.rubric.reading import load_rubric, parse_rubric, shipped
from assize.rubric.rubric import Rubric, Section, Shown

__all__ = [
    "CONDITIONS",
    "Rubric",
    "Section",
    "Shown",
    "applies",
    "load_rubric",
    "parse_rubric",
    "shipped",
]
