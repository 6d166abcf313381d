"""`label`: a conversation is good or bad, and why; what criteria are learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from pydantic import Field as Setting

from assize.base.conversation import Conversation, Item
from assize.base.judgment import NOT_APPLICABLE, Judgment, Order, Question
from assize.web._forms.form import Answers, Field, Form, FormSection
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating
from assize.web._tasks.rows import judgment
from assize.web._tasks.settings import Settings, settings_of
from assize.web._tasks.shown import information_need, shown_turns
from assize.web._tasks.typed import items_of, only

LABEL, REASONS, WHY = "label", "reasons", "why"
GOOD, BAD = "1", "0"


class LabelSettings(Settings):
    """Of a task that labels conversations."""

    question: str = Setting(
        "Did the assistant help the user with what they came for?", min_length=1
    )
    good: str = "yes, the conversation went well"  # what the two answers mean
    bad: str = "no, it went badly"
    reasons: list[str] = Setting(default_factory=list)  # offered to be ticked
    why: Literal["no", "optional", "required"] = "required"  # reasons in words
    unsure: bool = False  # whether a person may say that they cannot tell
    information_need: str = ""  # the metadata field that says what the user wants


class GoodOrBad(Kind):
    """Labels a conversation good or bad, with reasons.

    The row has the question `label`, 1 for good and 0 for bad, as `--label` reads it from a
    file of judgments; reasons in words are its explanation, those that were ticked stand in
    `details.reasons`. Who cannot tell answers NA.

    Source: RUBICON, section 4.1: conversations are positive or negative in what they did for
    the user's task, by two people.
    """

    name = "label"
    about = "label a conversation good or bad, with reasons"
    template = "conversation.html"

    def check(self, task: Task) -> None:
        """Raises DataError where a reason stands twice."""
        given = settings_of(task, LabelSettings)
        if len(set(given.reasons)) < len(given.reasons) or not all(given.reasons):
            raise problem_in(task, "reasons differ, and none is empty", "settings", "reasons")

    def items(self, task: Task) -> Sequence[Item]:
        """The conversations of the task's files."""
        return items_of(task, Conversation)

    def form(self, task: Task, item: Item) -> Form:
        """The label, the reasons to tick, and reasons in words."""
        given = settings_of(task, LabelSettings)
        asked = _question(task)
        asked = replace(asked, labels={**asked.labels, NOT_APPLICABLE: "I cannot tell"})
        fields = [Field(LABEL, asked, not_applicable=given.unsure)]
        if given.reasons:
            offered = Question(REASONS, "Which of these?", "nominal", tuple(given.reasons))
            fields.append(
                Field(REASONS, offered, "checks", required=False, note="As many as hold.")
            )
        if given.why != "no":
            why = Question(WHY, "Why? Say what in the conversation shows it.", "text")
            fields.append(Field(WHY, why, "lines", required=given.why == "required"))
        return Form((FormSection("", tuple(fields)),))

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The conversation and the information need."""
        talk = only(item, Conversation)
        need = settings_of(task, LabelSettings).information_need
        return {"turns": shown_turns(talk.turns), "need": information_need(talk, need)}

    def questions(self, task: Task) -> Sequence[Question]:
        """The label."""
        return [_question(task)]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """The label, with its reasons."""
        ticked = answers.get(REASONS, [])
        label, why = str(answers.get(LABEL, NOT_APPLICABLE)), answers.get(WHY)
        return [
            judgment(
                item.id,
                LABEL,
                label,
                rating,
                explanation=None if why is None else str(why),
                details={"reasons": list(ticked)} if ticked else None,
            )
        ]

    def instructions(self, task: Task) -> str:
        """How to label."""
        return (
            "Read the whole conversation before you answer. What counts is what it did for the"
            " user, not whether you like its tone; where good and bad are mixed, say what weighs"
            " more."
        )


def _question(task: Task) -> Question:
    given = settings_of(task, LabelSettings)
    return Question(
        LABEL,
        given.question,
        "binary",
        (BAD, GOOD),
        (0.0, 1.0),
        {BAD: given.bad, GOOD: given.good},
    )
