"""`rate`: a conversation on the questions of a rubric file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from pydantic import Field as Setting

from assize.base.conversation import Conversation, Item
from assize.base.judgment import Question
from assize.judging.aspects import ASPECTS, OVERALL
from assize.judging.judges.rating import RATING_DIMENSIONS
from assize.rubric import Rubric, applies
from assize.rubric._rubric import Section
from assize.web._forms.form import Field, Form, FormSection, PassedOver, Widget
from assize.web._tasks.definition import Settings, Task, problem_in, settings_of
from assize.web._tasks.inputs import only, rubric_named
from assize.web._tasks.kind import Kind, Worked

DIMENSIONS = "dimensions"
_WIDGETS: dict[str, Widget] = {"number": "number", "text": "lines"}


class RateSettings(Settings):
    """Of a task that rates on a rubric."""

    rubric: str  # a shipped one's name, `dimensions`, or a file of the project
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

    def questions(self, task: Task) -> Sequence[Question]:
        """Those that people are asked."""
        return rubric_of(task).asked("people")

    def main(self, task: Task) -> str:
        """That of the rubric."""
        return rubric_of(task).main or ""

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
    """Return the rubric of the task's settings."""
    name = settings_of(task, RateSettings).rubric
    return dimensions() if name == DIMENSIONS else rubric_named(task, name)


@cache
def dimensions() -> Rubric:
    """Return MTDEval's ten dimensions and overall, 1 to 10 each.

    The questions are those of the judge `rating-dimensions`, so that people and models answer the
    same ones. Pairs on the same dimensions are `compare` with `questions: dimensions`.

    Source: MTDEval, appendices A.2 and B: five annotators, ten dimensions and overall.
    """
    about = {name: f"{name}: {text}." for name, text in ASPECTS.items()}
    questions = tuple(
        replace(one, text=about.get(one.id.removeprefix("rating:"), OVERALL))
        for one in RATING_DIMENSIONS.questions
    )
    main = f"rating:{OVERALL}"
    how = (
        "Rate the assistant over the whole dialogue: 1 is as bad as it can be, 10 leaves nothing to"
        " be desired. Each dimension is judged by itself, whatever you think of the others; overall"
        " comes last."
    )
    sections = (Section("", questions),)
    return Rubric(DIMENSIONS, "Ten dimensions and overall", main, sections, instructions=how)


def _field(one: Question, given: RateSettings) -> Field:
    offered = given.not_applicable == "all" or one.id in given.not_applicable
    return Field(
        one.id,
        one,
        _WIDGETS.get(one.kind, "radio"),
        required=one.kind != "text",
        not_applicable=offered and one.kind not in _WIDGETS,
    )
