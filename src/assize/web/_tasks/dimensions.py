"""`dimensions`: a dialogue on ten dimensions and overall, from 1 to 10 (MTDEval)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import Field as Setting

from assize.base.conversation import Conversation, Item
from assize.base.judgment import Judgment, Order, Question
from assize.judging.aspects import ASPECTS, OVERALL
from assize.judging.judges.rating import RATING_DIMENSIONS
from assize.web._forms.form import Answers, Field, Form, FormSection
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating
from assize.web._tasks.rows import rows_of
from assize.web._tasks.settings import Settings, settings_of
from assize.web._tasks.shown import information_need, shown_turns
from assize.web._tasks.typed import items_of, only

NAMES = (*ASPECTS, OVERALL)


class DimensionsSettings(Settings):
    """Of a task that rates dimensions."""

    dimensions: list[str] = Setting(default=list(NAMES), min_length=1)
    information_need: str = ""  # the metadata field that says what the user wants


class Dimensions(Kind):
    """Rates a dialogue on MTDEval's ten dimensions and overall, from 1 to 10 each.

    The questions are those of the judge `rating-dimensions`, `rating:Accuracy` and so on, so
    that people and models answer the same ones. Pairs on the same dimensions are `compare` with
    `questions: dimensions`. `together` makes one judgment of several people's.

    Source: MTDEval, appendices A.2 and B: five annotators, ten dimensions and overall.
    """

    name = "dimensions"
    about = "rate a dialogue on ten dimensions and overall"
    template = "conversation.html"

    def check(self, task: Task) -> None:
        """Raises DataError where a dimension is unknown or stands twice."""
        wanted = settings_of(task, DimensionsSettings).dimensions
        for one in wanted:
            if one not in NAMES or wanted.count(one) > 1:
                problem = f"no dimension {one!r}" if one not in NAMES else f"{one!r} stands twice"
                known = ", ".join(NAMES)
                raise problem_in(task, f"{problem}; there are {known}", "settings", "dimensions")

    def items(self, task: Task) -> Sequence[Item]:
        """The conversations of the task's files."""
        return items_of(task, Conversation)

    def form(self, task: Task, item: Item) -> Form:
        """A scale for each dimension."""
        fields = tuple(_field(one) for one in self.questions(task))
        return Form((FormSection("", fields),))

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The conversation and the information need."""
        talk = only(item, Conversation)
        need = settings_of(task, DimensionsSettings).information_need
        return {"turns": shown_turns(talk.turns), "need": information_need(talk, need)}

    def questions(self, task: Task) -> Sequence[Question]:
        """Those of `rating-dimensions`."""
        wanted = settings_of(task, DimensionsSettings).dimensions
        known = {one.id.removeprefix("rating:"): one for one in RATING_DIMENSIONS.questions}
        return [known[name] for name in wanted]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One a dimension."""
        form = self.form(task, item)
        return list(rows_of(self.questions(task), form, item.id, answers, rating))

    def instructions(self, task: Task) -> str:
        """What the ends of the scale mean."""
        return (
            "Rate the assistant over the whole dialogue: 1 is as bad as it can be, 10 leaves"
            " nothing to be desired. Each dimension is judged by itself, whatever you think of the"
            " others; overall comes last."
        )


def _field(one: Question) -> Field:
    name = one.id.removeprefix("rating:")
    if name == OVERALL:
        return Field(one.id, replace(one, text="Overall"))
    about = ASPECTS[name]
    return Field(one.id, replace(one, text=name), note=f"{about[:1].upper()}{about[1:]}.")
