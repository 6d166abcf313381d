"""From a form's answers to judgments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assize.base.judgment import NOT_APPLICABLE, Judgment, Order, Question
from assize.web._forms.filled import ended_by, passed_over
from assize.web._forms.form import Answers, Form


@dataclass(frozen=True, slots=True)
class Rating:
    """Who answered, when and how: what every judgment of an answer carries.

    Args:
        rater: the person's name.
        version: number of the task's version that was answered.
        seconds: of work, idle time left out.
        order: `BA` where the sides of a pair were shown exchanged.
        chosen: how the item came to this person: random, file, gold, ...
        suggestion: what a judge proposed and was shown, by field; None where nothing was.
        at: ISO 8601, UTC.
        person: their number in the project's database, which stays when they are renamed.
    """

    rater: str
    version: int
    seconds: float
    at: str
    order: Order | None = None
    repeat: int = 0
    chosen: str = "random"
    pilot: bool = False
    suggestion: Mapping[str, Any] | None = None
    person: int = 0


_EXCHANGED = {"A": "B", "B": "A", "a": "b", "b": "a"}


def judgment(
    item: str,
    question: str,
    answer: str | None,
    rating: Rating,
    *,
    details: Mapping[str, Any] | None = None,
    **more: Any,
) -> Judgment:
    """A person's judgment, with what every one carries in `details`.

    Args:
        details: of this one, beside those.
        more: other fields of a judgment.
    """
    known: dict[str, Any] = {"seconds": round(rating.seconds, 1), "version": rating.version}
    known["chosen"] = rating.chosen
    if rating.pilot:
        known["pilot"] = True
    if rating.suggestion is not None:
        known["suggestion"] = dict(rating.suggestion)
    return Judgment(
        item,
        rating.rater,
        question,
        answer=answer,
        order=rating.order,
        repeat=rating.repeat,
        kind="person",
        details={**known, **(details or {})},
        at=rating.at,
        **more,
    )


def rows_of(
    questions: Iterable[Question], form: Form, item: str, answers: Answers, rating: Rating
) -> Iterator[Judgment]:
    """One judgment a question that is asked by a field of its name.

    A question that the form does not have does not apply to the item: NA, unless an answer
    before it ended the form. One that was passed over is NA or has no row, as the form says; one
    that was left empty has no row.
    """
    asked = {one.name for one in form.fields}
    over, last = passed_over(form, answers), ended_by(form, answers)
    ended = False
    for one in questions:
        if one.id not in asked and ended and form.passed_over == "nothing":
            continue
        ended = ended or one.id == last
        if one.id not in asked:
            yield judgment(item, one.id, NOT_APPLICABLE, rating, details={"applies": one.applies})
        elif over.get(one.id) == "NA":
            yield judgment(item, one.id, NOT_APPLICABLE, rating, details={"passed_over": True})
        elif one.id in answers and one.id not in over:
            yield answered(one, item, str(answers[one.id]), rating)


def answered(question: Question, item: str, answer: str, rating: Rating, **more: Any) -> Judgment:
    """The judgment of one answer; a `number` has it as its score, too."""
    score = None
    if question.kind == "number" and answer != NOT_APPLICABLE:
        score = float(answer)
    if question.kind == "preference":
        answer = real_side(answer, rating.order)
    return judgment(item, question.id, answer, rating, score=score, **more)


def real_side(answer: str, order: Order | None) -> str:
    """The real side of an answer that was given about what was shown.

    >>> real_side("A", "BA"), real_side("tie", "BA"), real_side("A", None)
    ('B', 'tie', 'A')
    """
    return _EXCHANGED.get(answer, answer) if order == "BA" else answer
