"""Answers held to those that count as right: gold items and the qualification round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.web._tasks.definition import Task
from assize.web._tasks.inputs import read_votes

_CLOSE = 1e-9


def is_right(question: Question | None, given: str | None, expected: str, within: int = 0) -> bool:
    """Whether an answer counts as right.

    Args:
        question: None where the task does not ask it: only the same is right then.
        given: None where nothing was answered: wrong.
        within: places of an ordinal answer, or the difference of a number, that count as right.

    >>> q = Question("q", kind="ordinal", answers=("1", "2", "3"))
    >>> is_right(q, "2", "3", within=1), is_right(q, "NA", "3", within=1)
    (True, False)
    """
    if given is None or question is None or given == expected:
        return given == expected
    if question.kind == "number":
        low, high = _number(given), _number(expected)
        return low is not None and high is not None and abs(low - high) <= within + _CLOSE
    if question.kind != "ordinal" or not {given, expected} <= set(question.answers):
        return False
    places = question.answers
    return abs(places.index(given) - places.index(expected)) <= within


def known_as(question: str, turn: int | None) -> str:
    """The name of what is asked among what is expected of an item.

    >>> known_as("warm", None), known_as("act_check", 2)
    ('warm', 'act_check@2')
    """
    return question if turn is None else f"{question}@{turn}"


def question_of(name: str, questions: Mapping[str, Question]) -> Question | None:
    """The question of such a name; None where it is none of these."""
    return questions.get(name, questions.get(name.rpartition("@")[0]))


def answer_in(row: Judgment) -> str | None:
    """The answer of a judgment, or its score in digits; None where it is unscored."""
    if row.unscored is not None:
        return None
    return f"{row.score:g}" if row.answer is None and row.score is not None else row.answer


def expected_of(task: Task, files: Sequence[str]) -> dict[str, dict[str, str]]:
    """By item, and by question and turn as `known_as` names them, the answer that counts as right.

    Judges do not matter; what they answer differently is left out.

    Raises:
        DataError: a file cannot be read, or holds no answer.
    """
    answers: dict[str, dict[str, set[str]]] = {}
    for name, table in zip(files, read_votes(task, files), strict=True):
        rows = [(row, answer) for row in table if (answer := answer_in(row)) is not None]
        if not rows:
            raise DataError("holds no answers", source=name)
        for row, answer in rows:
            asked = answers.setdefault(row.item, {})
            asked.setdefault(known_as(row.question, row.turn), set()).add(answer)
    return {
        item: {name: min(said) for name, said in asked.items() if len(said) == 1}
        for item, asked in answers.items()
    }


def _number(answer: str) -> float | None:
    try:
        return float(answer)
    except ValueError:
        return None
