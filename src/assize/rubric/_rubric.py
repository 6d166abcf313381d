"""A rubric: questions in sections, which one is the main one, who is asked what, and when.

A rubric is read from a file (`reading.py`), asked of models (`asking.py`), and shown to
people as a form. What each question is stays a `Question`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.rubric._conditions import applies

Audience = Literal["people", "models"]

END = "end"


@dataclass(frozen=True, slots=True)
class Section:
    """Questions that stand together, with what is said before them."""

    title: str
    questions: tuple[Question, ...]
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A conversation whose right answers are shown to a model: one shot of few.

    Args:
        answers: by question id; a question that is missing is not shown with it.
        reasons: by question id, in a sentence or two.
    """

    conversation: Conversation
    answers: Mapping[str, str]
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rubric:
    """Questions about a conversation.

    Args:
        name: letters, digits, `-` and `_`.
        title: for people.
        main: id of the question that the others serve to predict.
        sections: in the order of the form.
        skips: question -> answer -> `end`, or the id of a later question: where the
            form goes on after this answer. What it passes over is answered NA.
        personas: by name, who a model is told to be.
        hash: of the file it was read from.
    """

    name: str
    title: str
    main: str
    sections: tuple[Section, ...]
    about: str = ""
    version: str = "1"
    instructions: str = ""
    skips: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    personas: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Shown, ...] = ()
    hash: str = ""

    @property
    def questions(self) -> tuple[Question, ...]:
        """All questions, in the order of the form."""
        return tuple(question for section in self.sections for question in section.questions)

    def asked(self, audience: Audience) -> tuple[Question, ...]:
        """The questions that people, or models, are asked."""
        return tuple(one for one in self.questions if one.audience in (audience, "both"))

    def question(self, id: str) -> Question:
        """The question of that id; raises ConfigError where there is none."""
        for one in self.questions:
            if one.id == id:
                return one
        known = ", ".join(one.id for one in self.questions)
        raise ConfigError(f"rubric {self.name} has no question {id!r}; it has {known}")

    def section(self, id: str) -> Section:
        """The section in which a question stands."""
        wanted = self.question(id)
        return next(one for one in self.sections if wanted in one.questions)

    def passed_over(self, id: str, answer: str | None) -> tuple[str, ...]:
        """Ids of the questions that are not asked after this answer to question `id`.

        () where the answer skips nothing, or is None because there was none.
        """
        target = None if answer is None else self.skips.get(id, {}).get(answer)
        if target is None:
            return ()
        order = [one.id for one in self.questions]
        stop = len(order) if target == END else order.index(target)
        return tuple(order[order.index(id) + 1 : stop])

    def open_questions(
        self, audience: Audience, conversation: Conversation, answers: Mapping[str, str | None]
    ) -> tuple[Question, ...]:
        """What is still to be asked, given the answers so far (id -> answer, None for a failure).

        Left out is what is answered, what does not apply to the conversation, and what
        an answer passes over.
        """
        over = {id for one, answer in answers.items() for id in self.passed_over(one, answer)}
        return tuple(
            one
            for one in self.asked(audience)
            if one.id not in answers and one.id not in over and applies(one.applies, conversation)
        )
