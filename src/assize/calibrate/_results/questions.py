"""What questions are worth, and what a study compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from assize.base.judgment import Judgment, Question
from assize.calibrate._study.importance import Along, Importance
from assize.calibrate._study.methods import METHODS
from assize.judgments import JudgmentTable, Unit
from assize.results import Column, Estimate, Result, Table

Number = Annotated[float, Column(digits=2, ends="none")]
Refitted = Annotated[Estimate | None, Column(digits=2)]


@dataclass(frozen=True, slots=True)
class QuestionImportance:
    """What a point more of one question is worth for the main one.

    Args:
        along: kind of directions: free, simplex or manifold.
        mean, median: over the items; few flat gradients can carry a mean away.
        pooled: the sum of grad y0 . grad yi over that of grad yi . grad yi.
        mean_refitted, pooled_refitted: with the intervals of networks refitted on resampled
            ratings; None without.
    """

    question: str
    along: str
    mean: Annotated[Estimate, Column(digits=2)]
    median: Number
    pooled: Number
    mean_refitted: Refitted = None
    pooled_refitted: Refitted = None


@dataclass(frozen=True, slots=True)
class ItemImportance:
    """The same at one item, by question and kind of directions; NaN where nothing is known."""

    item: str
    turn: int | None
    importance: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class ImportanceResult(Result):
    """What a point more of each question is worth for the main one, by kind of directions."""

    heading = "Importance of questions"
    target: str
    raters: Sequence[str]
    questions: Annotated[
        Sequence[QuestionImportance],
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
    items: Sequence[ItemImportance]
    signature: str

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
        rows, questions = [], {}
        for item in self.items:
            for name, ways in item.importance.items():
                id = f"importance of {name}"
                text = f"Points of {self.target} per point of {name}"
                questions[id] = Question(id, text, "number")
                if ways[along] == ways[along]:
                    row = Judgment(item.item, "importance", id, turn=item.turn, kind="model")
                    rows.append(replace(row, score=ways[along]))
        return JudgmentTable.of(rows, questions.values())


def importance_rows(
    questions: Mapping[str, Mapping[Along, Importance]],
) -> list[QuestionImportance]:
    """Return a row a question and kind of directions."""
    return [
        QuestionImportance(
            question,
            way,
            figures.mean,
            figures.median,
            figures.pooled,
            *(figures.refitted or (None, None)),
        )
        for question, ways in questions.items()
        for way, figures in ways.items()
    ]


def item_rows(
    questions: Mapping[str, Mapping[Along, Importance]], units: Sequence[Unit]
) -> list[ItemImportance]:
    """Return the importance of all questions at each item."""
    return [
        ItemImportance(
            item,
            turn,
            {
                question: {way: float(figures.each[row]) for way, figures in ways.items()}
                for question, ways in questions.items()
            },
        )
        for row, (item, turn) in enumerate(units)
    ]


@dataclass(frozen=True, slots=True)
class MethodInfo:
    """A method of a study: the group that it stands in, and what it does."""

    group: str
    about: str


@dataclass(frozen=True, slots=True)
class MethodList(Result):
    """The methods that a study compares."""

    methods: Annotated[Mapping[str, MethodInfo], Table("Methods", key="method", group="group")]

    @classmethod
    def of_study(cls) -> MethodList:
        """Return all that a study knows."""
        return cls(
            {name: MethodInfo(method.group, method.about) for name, method in METHODS.items()}
        )
