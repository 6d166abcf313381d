"""`compare`: which of two responses, or of two dialogues, is better; A, B or a tie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field as Setting

from assize.base.conversation import Item, Pair
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.judging.aspects import ASPECTS, OVERALL, compared_on
from assize.web._forms.form import Answers, Field, Form, FormSection
from assize.web._tasks.definition import Settings, Task, problem_in, settings_of
from assize.web._tasks.inputs import rubric_named
from assize.web._tasks.kind import Kind
from assize.web._tasks.rows import Rating, answered

WHY = "why"
_LABELS = {"A": "A is better", "tie": "as good as each other", "B": "B is better"}


class Asked(Settings):
    """One question of one's own."""

    id: str = Setting(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")
    text: str = Setting(min_length=1)
    note: str = ""


class CompareSettings(Settings):
    """Of a task that compares; one of the first two says what on, by default overall alone."""

    questions: Literal["preference", "dimensions"] | list[Asked] = "preference"
    rubric: str = ""  # compared on each of its questions
    ties: bool = True  # whether a tie may be answered
    why: Literal["no", "optional", "required"] = "optional"  # a reason in words
    information_need: str = ""  # the metadata field that says what the user wants


class Compare(Kind):
    """Compares two responses to one context, or two whole dialogues.

    The sides are shown in a random order, and answers are about the real ones. The reason is
    the explanation of the last row, which is the overall one where there is one.

    Source: MTDEval, appendix A.2, for `questions: dimensions`: ten aspects and overall.
    """

    name = "compare"
    about = "compare two responses, or two dialogues"
    template = "pair.html"
    types = (Pair,)
    paired = True

    def check(self, task: Task) -> None:
        """Raises DataError where both, or nothing, say what is compared on."""
        given = settings_of(task, CompareSettings)
        if given.rubric and given.questions != "preference":
            raise problem_in(task, "give questions or a rubric", "settings", "rubric")
        asked = [one.id for one, _ in _asked(task)]
        if not asked or len(set(asked)) < len(asked):
            raise problem_in(
                task, "questions need ids that differ, and one at least", "settings", "questions"
            )
        if WHY in asked:
            problem = f"{WHY!r} is the field of the reason; choose another id"
            raise problem_in(task, problem, "settings", "questions")

    def form(self, task: Task, item: Item) -> Form:
        """A question for each dimension, and the reason."""
        given = settings_of(task, CompareSettings)
        fields = [Field(one.id, one, note=note) for one, note in _offered(task)]
        if given.why != "no":
            why = Question(WHY, "Why? A sentence is enough.", "text")
            fields.append(Field(WHY, why, "lines", required=given.why == "required"))
        return Form((FormSection("", tuple(fields)),))

    def questions(self, task: Task) -> Sequence[Question]:
        """Preferences."""
        return [one for one, _ in _asked(task)]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One a question, about the real A and B."""
        shown = rating if rating.order is not None else replace(rating, order="AB")
        given = [one for one in self.questions(task) if one.id in answers]
        why = str(answers[WHY]) if WHY in answers else None
        return [
            answered(
                one,
                item.id,
                str(answers[one.id]),
                shown,
                explanation=why if one is given[-1] else None,
            )
            for one in given
        ]

    def instructions(self, task: Task) -> str:
        """How to compare."""
        tie = (
            "Choose neither where you see no difference that matters."
            if settings_of(task, CompareSettings).ties
            else "Choose one even where it is close."
        )
        return (
            "Read both sides to the end before you answer. Their order is random and says nothing,"
            f" and neither does their length. {tie}"
        )


def _asked(task: Task) -> list[tuple[Question, str]]:
    """The questions with their notes; the overall one stands last."""
    given = settings_of(task, CompareSettings)
    if given.rubric:
        rubric = rubric_named(task, given.rubric)
        ranked = sorted(rubric.asked("people"), key=lambda one: one.id == rubric.main)
        kinds = ("ordinal", "number")
        return [(_preferred(one.id, one.text), "") for one in ranked if one.kind in kinds]
    if given.questions == "preference":
        return [(PREFERENCE, "")]
    if given.questions == "dimensions":
        named = [
            (compared_on(name), f"{about[:1].upper()}{about[1:]}.")
            for name, about in ASPECTS.items()
        ]
        overall = replace(compared_on(OVERALL), text="Which is better overall?")
        return [*named, (overall, "")]
    return [(_preferred(one.id, one.text), one.note) for one in given.questions]


def _preferred(id: str, text: str) -> Question:
    return replace(PREFERENCE, id=id, text=text)


def _offered(task: Task) -> list[tuple[Question, str]]:
    """The same as the form has them: answers in words, a tie where it is allowed."""
    ties = settings_of(task, CompareSettings).ties
    answers = ("A", "tie", "B") if ties else ("A", "B")
    labels = {one: _LABELS[one] for one in answers}
    return [
        (replace(one, answers=answers, values=None, labels=labels), note)
        for one, note in _asked(task)
    ]
