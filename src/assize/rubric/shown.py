"""Rubrics as they are listed and shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.formats import to_json
from assize.judgment import Question
from assize.results import Result, ResultTable, columns
from assize.rubric.asking import variants
from assize.rubric.rubric import Rubric
from assize.signature import sign


@dataclass(frozen=True, slots=True)
class RubricList(Result):
    """Rubrics, a row each."""

    rubrics: Sequence[Rubric]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`rubrics`: name, questions, the main one, what it is about."""
        rows = [(one.name, len(one.questions), one.main, one.about) for one in self.rubrics]
        named = columns("words", "rubric") + columns("count", "questions")
        named += columns("words", "main", "about")
        return {"rubrics": ResultTable("Rubrics", named, rows)}

    @property
    def notes(self) -> Sequence[str]:
        """What to do next."""
        return ["assize rubric show NAME prints one; --yaml its file, to begin your own"]

    def to_json(self) -> dict[str, Any]:
        """Each rubric with its questions."""
        described = {one.name: _described(one) for one in self.rubrics}
        return {"rubrics": described, "signature": sign([one.hash for one in self.rubrics])}


@dataclass(frozen=True, slots=True)
class ShownRubric(Result):
    """One rubric: questions, answers, who is asked, and when.

    Args:
        text: the file itself.
        yaml: whether the file is printed, to begin one's own.
    """

    rubric: Rubric
    text: str
    yaml: bool = False

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """None: a rubric is a text."""
        return {}

    @property
    def lines(self) -> Sequence[str]:
        """The rubric as a form's text, or its file."""
        return [self.text.rstrip("\n")] if self.yaml else _lines(self.rubric)

    def to_json(self) -> dict[str, Any]:
        """The rubric with its questions."""
        return _described(self.rubric) | {"signature": sign([self.rubric.hash])}


def _described(rubric: Rubric) -> dict[str, Any]:
    return {
        "rubric": rubric.name,
        "title": rubric.title,
        "about": rubric.about,
        "version": rubric.version,
        "hash": rubric.hash,
        "main": rubric.main,
        "variants": list(variants(rubric)),
        "questions": [to_json(one) for one in rubric.questions],
        "skips": rubric.skips,
    }


def _lines(rubric: Rubric) -> list[str]:
    lines = [f"{rubric.title} ({rubric.name}, version {rubric.version})"]
    lines += [rubric.about] if rubric.about else []
    lines.append(f"Main question: {rubric.main}. Variants: {', '.join(variants(rubric))}.")
    for section in rubric.sections:
        lines += ["", section.title] if section.title else []
        lines += [f"  {section.instructions.strip()}"] if section.instructions else []
        for one in section.questions:
            lines += ["", f"  {one.id}  {one.text}"]
            lines += [f"      {note}" for note in _notes(one, rubric)]
            lines += [f"      {answer}  {one.labels.get(answer, '')}" for answer in one.answers]
    return [line.rstrip() for line in lines]


def _notes(one: Question, rubric: Rubric) -> list[str]:
    said = []
    if one.kind in ("nominal", "number", "text"):
        words = {"nominal": "answers are not ordered", "text": "free text", "number": "a number"}
        said.append(words[one.kind])
    if one.audience != "both":
        said.append(f"for {one.audience} only")
    if one.applies != "always":
        said.append(f"asked where {one.applies}, else NA")
    for answer, target in rubric.skips.get(one.id, {}).items():
        goes_on = "ends" if target == "end" else f"goes to {target}"
        said.append(f'after "{answer}" the form {goes_on}')
    return [f"({'; '.join(said)})"] if said else []
