"""Answers held to those that count as right: gold items and the qualification round."""

from __future__ import annotations

from assize.errors import DataError
from assize.formats import read_judgments
from assize.judgment import Judgment, Question
from assize.webapp.tasks.definition import Task

_CLOSE = 1e-9


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
