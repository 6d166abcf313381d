"""What questions are worth, and what a study compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.base.judgment import Judgment, Question
from assize.calibrate._study.importance import Along, Importance
from assize.calibrate._study.methods import Method
from assize.judgments import JudgmentTable, Unit
from assize.results import Result, Table


@dataclass(frozen=True, slots=True)
class ImportanceResult(Result):
    """What a point more of each question is worth for the main one, by kind of directions."""

    heading = "Importance of questions"
    target: str
    raters: Sequence[str]
    questions: Annotated[
        Sequence[Importance],
        Table(
            "Worth of one point more",
            "How much the main score rises where a question's score is raised by 1.",
            group="question",
            notes=[
                "Intervals are over items; networks of other seeds differ by more. Refitted: over"
                " resampled items and ratings, and other first weights (`refits`)."
            ],
        ),
    ]
    signature: str
    units: Sequence[Unit] = field(repr=False)

    @property
    def sentence(self) -> str:
        """For what questions are worth something."""
        return f"What a point more of each question is worth for {self.target}."

    def to_judgments(self, along: Along = "simplex") -> JudgmentTable:
        """The importance at each item as judgments by `importance`, as `assize.spread` reads them.

        Items at which nothing raises a question have none.

        Args:
            along: kind of directions; those of `simplex` keep each question's mass.
        """
        rows, questions = [], []
        for one in self.questions:
            if one.along == along:
                id = f"importance of {one.question}"
                text = f"Points of {self.target} per point of {one.question}"
                questions.append(Question(id, text, "number"))
                for (item, turn), value in zip(self.units, one.by_item.tolist(), strict=True):
                    row = Judgment(item, "importance", id, turn=turn, kind="model", score=value)
                    rows += [row] if value == value else []
        return JudgmentTable.of(rows, questions)


@dataclass(frozen=True, slots=True)
class MethodList(Result):
    """The methods that a study compares."""

    methods: Annotated[Mapping[str, Method], Table("Methods", key="method", group="group")]
