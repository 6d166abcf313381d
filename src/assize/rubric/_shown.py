"""Rubrics as they are listed and shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.base.judgment import Question
from assize.base.signature import sign
from assize.results import Result, Table
from assize.rubric._asking import variants
from assize.rubric._rubric import Rubric


@dataclass(frozen=True, slots=True)
class RubricRow:
    """A rubric in a list: how many questions it has, which is the main one, what it is about."""

    rubric: str
    questions: int
    main: str
    about: str


@dataclass(frozen=True, slots=True)
class RubricList(Result):
    """Rubrics with the number of their questions, the main question, and what they are about."""

    rubrics: Annotated[Sequence[RubricRow], Table("Rubrics")]
    signature: str

    @classmethod
    def of(cls, rubrics: Sequence[Rubric]) -> RubricList:
        """List some rubrics."""
        rows = [
            RubricRow(rubric.name, len(rubric.questions), rubric.main, rubric.about)
            for rubric in rubrics
        ]
        return cls(rows, sign([rubric.hash for rubric in rubrics]))

    @property
    def notes(self) -> Sequence[str]:
        """What to do next."""
        return ["assize rubric show NAME prints one; --yaml its file, to begin your own"]


@dataclass(frozen=True, slots=True)
class ShownRubric(Result):
    """One rubric: questions, answers, who is asked, and when.

    Args:
        variants: how it can be asked.
        shape: the rubric as a form's text, or its file.
    """

    rubric: Rubric
    variants: Sequence[str]
    signature: str
    shape: Sequence[str] = field(repr=False)

    @classmethod
    def of(cls, rubric: Rubric, text: str, *, yaml: bool = False) -> ShownRubric:
        """Show a rubric as a form's text, or as its file `text`, to begin one's own."""
        shape = [text.rstrip("\n")] if yaml else _lines(rubric)
        return cls(rubric, variants(rubric), sign([rubric.hash]), shape)

    @property
    def lines(self) -> Sequence[str]:
        """The rubric as a form's text, or its file."""
        return self.shape


def _lines(rubric: Rubric) -> list[str]:
    lines = [f"{rubric.title} ({rubric.name}, version {rubric.version})"]
    lines += [rubric.about] if rubric.about else []
    lines.append(f"Main question: {rubric.main}. Variants: {', '.join(variants(rubric))}.")
    for section in rubric.sections:
        lines += ["", section.title] if section.title else []
        lines += [f"  {section.instructions.strip()}"] if section.instructions else []
        for question in section.questions:
            lines += ["", f"  {question.id}  {question.text}"]
            lines += [f"      {note}" for note in _notes(question, rubric)]
            lines += [
                f"      {answer}  {question.labels.get(answer, '')}" for answer in question.answers
            ]
    return [line.rstrip() for line in lines]


def _notes(question: Question, rubric: Rubric) -> list[str]:
    notes = []
    if question.kind in ("nominal", "number", "text"):
        words = {"nominal": "answers are not ordered", "text": "free text", "number": "a number"}
        notes.append(words[question.kind])
    if question.audience != "both":
        notes.append(f"for {question.audience} only")
    if question.applies != "always":
        notes.append(f"asked where {question.applies}, else NA")
    for answer, target in rubric.skips.get(question.id, {}).items():
        goes_on = "ends" if target == "end" else f"goes to {target}"
        notes.append(f'after "{answer}" the form {goes_on}')
    return [f"({'; '.join(notes)})"] if notes else []
