"""Answers held to those that count as right: gold items and the qualification round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assize.errors import DataError
from assize.formats import read_judgments
from assize.judgment import NOT_APPLICABLE, Judgment, Order, Question
from assize.webapp.forms.form import Answers, Form
from assize.webapp.tasks.definition import Task
from assize.webapp.tasks.rows import real_side

_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Marked:
    """How many answers are right, of those that are known."""

    right: int
    asked: int
    wrong: tuple[str, ...] = ()  # questions

    @property
    def share(self) -> float | None:
        """In [0, 1]; None where nothing is known."""
        return self.right / self.asked if self.asked else None


def right(
    form: Form,
    answers: Answers,
    expected: Mapping[str, str],
    within: int = 0,
    order: Order | None = None,
) -> Marked:
    """Marks answers.

    Args:
        answers: by field, as they were given.
        expected: by question, as the records have them: of a pair, the real sides.
        within: places on an ordered scale that an answer may be off; nothing else has places.
        order: `BA` where the sides were shown exchanged.

    A question that the form does not ask of the item is passed over; one that was asked and has
    no answer is wrong, unless NA is expected.
    """
    wrong: list[str] = []
    asked = 0
    for one in form.fields:
        if one.name not in expected:
            continue
        asked += 1
        given = str(answers.get(one.name, NOT_APPLICABLE))
        if one.question.kind == "preference":
            given = real_side(given, order)
        if not is_right(one.question, given, expected[one.name], within):
            wrong.append(one.name)
    return Marked(asked - len(wrong), asked, tuple(wrong))


def is_right(question: Question, given: str, expected: str, within: int = 0) -> bool:
    """Whether an answer counts as right.

    >>> q = Question("q", kind="ordinal", answers=("1", "2", "3"))
    >>> is_right(q, "2", "3", within=1), is_right(q, "NA", "3", within=1)
    (True, False)
    """
    if given == expected:
        return True
    if question.kind == "number":
        low, high = _number(given), _number(expected)
        return low is not None and high is not None and abs(low - high) <= within + _CLOSE
    if question.kind != "ordinal" or not {given, expected} <= set(question.answers):
        return False
    places = question.answers
    return abs(places.index(given) - places.index(expected)) <= within


def expected_of(task: Task, files: tuple[str, ...] | list[str]) -> dict[str, dict[str, str]]:
    """By item and question the answer that counts as right, from files of judgments.

    Judges do not matter; a question that they answer differently is left out.

    Raises:
        DataError: a file cannot be read, or holds no answer.
    """
    found: dict[str, dict[str, set[str]]] = {}
    for name in files:
        rows = list(read_judgments(task.file(name)))
        if not any(_answer(one) is not None for one in rows):
            raise DataError("holds no answers", source=name)
        for one in rows:
            answer = _answer(one)
            if answer is not None:
                found.setdefault(one.item, {}).setdefault(one.question, set()).add(answer)
    return {
        item: {name: min(said) for name, said in asked.items() if len(said) == 1}
        for item, asked in found.items()
    }


def _answer(one: Judgment) -> str | None:
    if one.answer is not None:
        return one.answer
    return None if one.score is None else f"{one.score:g}"


def _number(answer: str) -> float | None:
    try:
        return float(answer)
    except ValueError:
        return None
