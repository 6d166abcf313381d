"""What questions are worth, and what a study compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from assize.base.judgment import Judgment, Question
from assize.calibrate._study.importance import Along, Importance
from assize.calibrate._study.methods import METHODS
from assize.judgments import JudgmentTable, Unit
from assize.results import Result, Table


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


def item_rows(questions: Sequence[Importance], units: Sequence[Unit]) -> list[ItemImportance]:
    """Return the importance of all questions at each item."""
    rows = []
    for row, unit in enumerate(units):
        at: dict[str, dict[str, float]] = {}
        for one in questions:
            at.setdefault(one.question, {})[one.along] = float(one.by_item[row])
        rows.append(ItemImportance(*unit, at))
    return rows


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
