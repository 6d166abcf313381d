"""What a function of one's own returns, checked against its questions and made into rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite
from typing import Any

from assize.base.judgment import NOT_APPLICABLE, Judgment, Question, Unscored

_SHOWN = 80
_SHAPES = "an answer, a number, a dict by question, a Judgment or a list of them, or None"


class InvalidAnswer(Exception):
    """What was returned is nothing a judge may say; the message says what is allowed."""


def rows_of(value: Any, item: str, judge: str, questions: Sequence[Question]) -> list[Judgment]:
    """The judgments that a returned value stands for.

    Args:
        value: what the function returned.
        item: the item's id.
        judge: the judge's name.
        questions: what the judge answers; a value that is no dict and no judgment answers
            the only one.

    Raises:
        InvalidAnswer: the value is of no such shape, or answers what is not asked.
    """
    asked = {one.id: one for one in questions}
    if isinstance(value, Judgment):
        value = [value]
    if isinstance(value, list | tuple) and any(isinstance(row, Judgment) for row in value):
        rows: dict[Any, Judgment] = {}
        for row in value:
            _check_row(row, item, asked)
            if (row.question, row.turn) in rows:
                raise InvalidAnswer(
                    f"received two answers to {row.question!r}; give one, or one a turn"
                )
            rows[row.question, row.turn] = replace(row, judge=judge, order=None)
        unanswered = asked.keys() - {question for question, _ in rows}
        missing = [_row(None, item, judge, one) for one in questions if one.id in unanswered]
        return [*rows.values(), *missing]
    if not isinstance(value, Mapping):
        if value is not None and len(asked) > 1:
            raise InvalidAnswer(
                f"{_received(value)}; it answers {', '.join(asked)}: return a dict with each of"
                " them"
            )
        value = dict.fromkeys(asked, value)
    for id in (*value, *asked):
        if id not in asked or id not in value:
            what = f"no answer to {id!r}" if id in asked else f"an answer to {_short(id)}"
            raise InvalidAnswer(f"received {what}; return a dict with {', '.join(asked)}")
    return [_row(value[id], item, judge, question) for id, question in asked.items()]


def _check_row(row: Any, item: str, asked: Mapping[str, Question]) -> None:
    """Refuse a judgment that says nothing, or what its question does not allow."""
    if not isinstance(row, Judgment) or row.item != item or row.question not in asked:
        raise InvalidAnswer(
            f"{_received(row)} among judgments; return judgments of item {item!r}, that answer"
            f" {', '.join(asked)}"
        )
    question, shares = asked[row.question], row.distribution or {}
    answers = [answer for answer in (row.answer, *shares) if answer is not None]
    if row.unscored is None and row.score is None and not answers:
        raise InvalidAnswer(
            f"received a judgment of {question.id!r} without answer, score or reason"
        )
    if row.score is not None:
        number(row.score, question)
    for answer in answers:
        if question.answers and answer not in (*question.answers, NOT_APPLICABLE):
            raise _not_allowed(answer, question)
    for share in shares.values():
        if not isinstance(share, int | float) or not 0 <= share <= 1:
            raise InvalidAnswer(f"{_received(share)} as a probability; give 0 to 1")


def _row(value: Any, item: str, judge: str, question: Question) -> Judgment:
    value, values = _scalar(value), _values(question)
    row = Judgment(item, judge, question.id)
    if value is None:
        return replace(row, unscored=Unscored("missing", "the function gave no answer"))
    if isinstance(value, bool) and question.kind == "binary" and len(question.answers) == 2:
        return replace(row, answer=question.answers[value])
    if isinstance(value, bool) and (question.kind != "number" or question.answers):
        raise _not_allowed(value, question)
    if isinstance(value, str):
        allowed = value in (NOT_APPLICABLE, *question.answers)
        if not allowed and not (question.kind == "text" and value.strip()):
            raise _not_allowed(value, question)
        return replace(row, answer=value)
    if not isinstance(value, int | float):
        raise InvalidAnswer(f"{_received(value)}; return {_SHAPES}")
    value = float(value) if isinstance(value, bool) else value
    if question.kind not in ("number", "preference"):
        if question.kind in ("text", "nominal") or not values:
            raise _not_allowed(value, question)
        if value in values:
            row = replace(row, answer=question.answers[values.index(value)])
    return replace(row, score=number(value, question))


def number(value: Any, question: Question) -> float:
    """A score that the question allows, as a float; raises InvalidAnswer for any other."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        more = "; return None where there is no answer" if value != value else ""
        raise InvalidAnswer(f"{_received(value)} for {question.id!r}; give a finite number{more}")
    values = _values(question)
    low, high = (min(values), max(values)) if values else (-inf, inf)
    if question.kind == "preference":
        low, high = -1.0, 1.0
    if question.range is not None:
        low, high = question.range
    if not low <= value <= high:
        span = f"{low:g} to {high:g}"
        raise InvalidAnswer(f"{_received(value)} for {question.id!r}; allowed are numbers {span}")
    return float(value)


def _values(question: Question) -> tuple[float, ...]:
    """The answers' values: given, or the answers themselves where all are numbers."""
    return question.values or numbers_in(question.answers) or ()


def numbers_in(answers: Sequence[str]) -> tuple[float, ...] | None:
    """Return the numbers that answers are; None where one of them is none."""
    try:
        numbers = tuple(map(float, answers))
    except ValueError:
        return None
    return numbers if all(map(isfinite, numbers)) else None


def _scalar(value: Any) -> Any:
    """A number or truth value of numpy or torch as Python's own."""
    of_arrays = type(value).__module__.partition(".")[0] in ("numpy", "torch")
    return value.item() if of_arrays and getattr(value, "ndim", 1) == 0 else value


def _not_allowed(value: Any, question: Question) -> InvalidAnswer:
    usual = "numbers" if question.kind == "number" else "text"
    allowed = ", ".join(question.answers) or usual
    return InvalidAnswer(f"{_received(value)} for {question.id!r}; allowed are {allowed}")


def _received(value: Any) -> str:
    return f"received {_short(value)} ({type(value).__name__})"


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
