"""`rate`: a conversation on the questions of a rubric file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field as Setting

from assize.base.conversation import Conversation, Item
from assize.base.judgment import Judgment, Order, Question
from assize.rubric import Rubric, applies
from assize.web._forms.form import Answers, Field, Form, FormSection, PassedOver, Widget
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating, Worked
from assize.web._tasks.rows import rows_of
from assize.web._tasks.rubrics import rubric_named
from assize.web._tasks.settings import Settings, settings_of
from assize.web._tasks.shown import information_need, shown_turns
from assize.web._tasks.typed import items_of, only

_WIDGETS: dict[str, Widget] = {"number": "number", "text": "lines"}


class RateSettings(Settings):
    """Of a task that rates on a rubric."""

    rubric: str  # a shipped one's name, or a file of the project
    information_need: str = ""  # the metadata field that says what the user wants
    not_applicable: list[str] | Literal["all"] = Setting(
        default_factory=list
    )  # where NA is offered
    ended: PassedOver = "nothing"  # what becomes of questions behind an answer that ends the form


class Rate(Kind):
    """Rates a conversation on a rubric.

    Questions that do not apply to a conversation are not asked, and NA. What an answer passes
    over on the way to a later question is NA; what it passes over because it ends the form has
    no row at all: the conversation was screened out.

    Source: LLM-Rubric (2024.acl-long.745), appendices C and E.
    """

    name = "rate"
    about = "rate a conversation on a rubric"
    template = "conversation.html"

    def check(self, task: Task) -> None:
        """Raises DataError where the rubric is none, or a setting names no question of it."""
        rubric, given = rubric_of(task), settings_of(task, RateSettings)
        known = [one.id for one in rubric.asked("people")]
        if not known:
            raise problem_in(task, "the rubric asks people nothing", "settings", "rubric")
        for one in given.not_applicable if given.not_applicable != "all" else ():
            if one not in known:
                raise problem_in(
                    task,
                    f"no question {one!r}; people are asked {', '.join(known)}",
                    "settings",
                    "not_applicable",
                )

    def items(self, task: Task) -> Sequence[Item]:
        """The conversations of the task's files."""
        return items_of(task, Conversation)

    def form(self, task: Task, item: Item) -> Form:
        """The sections of the rubric, without questions that do not apply to the conversation."""
        rubric, given = rubric_of(task), settings_of(task, RateSettings)
        talk = only(item, Conversation)
        sections = []
        for section in rubric.sections:
            asked = tuple(
                _field(one, given)
                for one in section.questions
                if one.audience != "models" and applies(one.applies, talk)
            )
            if asked:
                sections.append(FormSection(section.title, asked, section.instructions))
        return Form(tuple(sections), rubric.skips, given.ended)

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The conversation, without its system's name, and the information need."""
        need = settings_of(task, RateSettings).information_need
        talk = only(item, Conversation)
        return {"turns": shown_turns(talk.turns), "need": information_need(talk, need)}

    def questions(self, task: Task) -> Sequence[Question]:
        """Those that people are asked."""
        return rubric_of(task).asked("people")

    def main(self, task: Task) -> str:
        """That of the rubric."""
        return rubric_of(task).main or ""

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One a question."""
        form = self.form(task, item)
        return list(rows_of(self.questions(task), form, item.id, answers, rating))

    def instructions(self, task: Task) -> str:
        """Those of the rubric."""
        return rubric_of(task).instructions

    def examples(self, task: Task) -> Sequence[Worked]:
        """Those of the rubric that people can be asked about."""
        asked = {one.id for one in self.questions(task)}
        return tuple(
            Worked(
                one.conversation,
                {name: answer for name, answer in one.answers.items() if name in asked},
                reasons=one.reasons,
            )
            for one in rubric_of(task).examples
        )


def rubric_of(task: Task) -> Rubric:
    """The rubric of the task's settings."""
    return rubric_named(task, settings_of(task, RateSettings).rubric)


def _field(one: Question, given: RateSettings) -> Field:
    offered = given.not_applicable == "all" or one.id in given.not_applicable
    return Field(
        one.id,
        one,
        _WIDGETS.get(one.kind, "radio"),
        required=one.kind != "text",
        not_applicable=offered and one.kind not in _WIDGETS,
    )
