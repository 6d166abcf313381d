"""What a function of one's own returns, checked against its questions and made into rows."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from assize.base.judgment import NOT_APPLICABLE, Judgment, Question, Unscored

_TWO = 2
_SHOWN = 80
_SHAPES = "an answer, a number, a dict by question, a Judgment or a list of them, or None"


class Nonsense(Exception):
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
        Nonsense: the value is of no such shape, or answers what is not asked.
    """
    if isinstance(value, Judgment):
        return _judgments([value], item, judge, questions)
    if isinstance(value, list | tuple) and any(isinstance(one, Judgment) for one in value):
        return _judgments(value, item, judge, questions)
    if isinstance(value, Mapping):
        return _by_question(value, item, judge, questions)
    if value is None:
        return [_row(None, item, judge, one) for one in questions]
    if len(questions) > 1:
        asked = ", ".join(one.id for one in questions)
        raise Nonsense(f"{_received(value)}; it answers {asked}: return a dict with each of them")
    return [_row(value, item, judge, questions[0])]


def _by_question(
    value: Mapping[Any, Any], item: str, judge: str, questions: Sequence[Question]
) -> list[Judgment]:
    asked = [one.id for one in questions]
    unknown = [name for name in value if name not in asked]
    missing = [name for name in asked if name not in value]
    if unknown or missing:
        told = f"an answer to {_short(unknown[0])}" if unknown else f"no answer to {missing[0]!r}"
        rest = "" if unknown else " (None where there is none)"
        raise Nonsense(f"received {told}; return a dict with {', '.join(asked)}{rest}")
    return [_row(value[one.id], item, judge, one) for one in questions]


def _judgments(
    value: Sequence[Any], item: str, judge: str, questions: Sequence[Question]
) -> list[Judgment]:
    """Judgments that the function made itself, under the judge's name."""
    asked = {one.id: one for one in questions}
    rows: dict[Any, Judgment] = {}
    for row in value:
        if not isinstance(row, Judgment):
            raise Nonsense(f"{_received(row)} among judgments; return judgments alone")
        if row.item != item:
            raise Nonsense(f"received a judgment of item {row.item!r}; judge the item given")
        if row.question not in asked:
            known = ", ".join(asked)
            raise Nonsense(f"received an answer to {row.question!r}; it answers {known}")
        _check(row, asked[row.question])
        if (row.question, row.turn) in rows:
            raise Nonsense(f"received two answers to {row.question!r}; give one, or one a turn")
        rows[row.question, row.turn] = replace(row, judge=judge, order=None)
    missing = [name for name in asked if name not in {question for question, _ in rows}]
    return [*rows.values(), *(_row(None, item, judge, asked[name]) for name in missing)]


def _check(row: Judgment, question: Question) -> None:
    """Refuses a judgment that says nothing, or what its question does not allow."""
    if row.unscored is not None:
        return
    if row.answer is None and row.score is None and row.distribution is None:
        raise Nonsense(f"received a judgment of {question.id!r} without answer, score or reason")
    if row.score is not None:
        number(row.score, question)
    if row.answer is not None and not isinstance(row.answer, str):
        raise Nonsense(f"{_received(row.answer)} as an answer; answers are text")
    named = [*(row.distribution or ()), *([] if row.answer is None else [row.answer])]
    for answer in named:
        if question.answers and answer not in (*question.answers, NOT_APPLICABLE):
            raise _not_allowed(answer, question)
    for share in (row.distribution or {}).values():
        if not isinstance(share, int | float) or not 0 <= share <= 1:
            raise Nonsense(f"{_received(share)} as a probability; give 0 to 1")


def _row(value: Any, item: str, judge: str, question: Question) -> Judgment:
    value = _scalar(value)
    row = Judgment(item, judge, question.id)
    if value is None:
        return replace(row, unscored=Unscored("missing", "the function gave no answer"))
    if isinstance(value, bool):
        return _truth(value, row, question)
    if isinstance(value, str):
        return replace(row, answer=_answer(value, question))
    if isinstance(value, int | float):
        return _numbered(value, row, question)
    if inspect.isawaitable(value):
        if inspect.iscoroutine(value):
            value.close()  # or Python warns that it was never awaited
        raise Nonsense("received a coroutine; call it in a plain function and return its result")
    raise Nonsense(f"{_received(value)}; return {_SHAPES}")


def _truth(value: bool, row: Judgment, question: Question) -> Judgment:
    if question.kind == "number" and not question.answers:
        return replace(row, score=number(float(value), question))
    if question.kind == "binary" and len(question.answers) == _TWO:
        return replace(row, answer=question.answers[int(value)])
    raise _not_allowed(value, question)


def _answer(value: str, question: Question) -> str:
    if value == NOT_APPLICABLE or value in question.answers:
        return value
    if question.kind == "text" and value.strip():
        return value
    raise _not_allowed(value, question)


def _numbered(value: float, row: Judgment, question: Question) -> Judgment:
    """A number: a score, or the answer that it is the value or the text of."""
    measured = question.kind in ("number", "preference") or _values(question)
    if question.kind in ("text", "nominal") or not measured:
        raise _not_allowed(value, question)
    score = number(value, question)
    if question.kind in ("number", "preference"):
        return replace(row, score=score)
    values = _values(question)
    return replace(
        row, answer=question.answers[values.index(score)] if score in values else None, score=score
    )


def number(value: Any, question: Question) -> float:
    """A score that the question allows, as a float; raises Nonsense for any other."""
    low, high = _span(question)
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        more = "; return None where there is no answer" if value != value else ""
        raise Nonsense(f"{_received(value)} for {question.id!r}; give a finite number{more}")
    if not low <= value <= high:
        span = f"{low:g} to {high:g}"
        raise Nonsense(f"{_received(value)} for {question.id!r}; allowed are numbers {span}")
    return float(value)


def _span(question: Question) -> tuple[float, float]:
    """The lowest and the highest number that the question has."""
    if question.range is not None:
        return question.range
    if question.kind == "preference":
        return -1.0, 1.0
    values = _values(question)
    return (min(values), max(values)) if values else (float("-inf"), float("inf"))


def _values(question: Question) -> tuple[float, ...]:
    """The answers' values: given, or the answers themselves where all are numbers."""
    if question.values is not None:
        return question.values
    try:
        return tuple(map(float, question.answers))
    except ValueError:
        return ()


def _scalar(value: Any) -> Any:
    """A number or truth value of numpy or torch as Python's own."""
    if type(value).__module__.partition(".")[0] in ("numpy", "torch") and hasattr(value, "item"):
        try:
            return value.item()
        except (ValueError, RuntimeError, TypeError):  # it holds more than one
            return value
    return value


def _not_allowed(value: Any, question: Question) -> Nonsense:
    allowed = ", ".join(question.answers)
    if question.kind == "number" and not question.answers:
        allowed = "numbers"
    elif not allowed:
        allowed = "text"
    return Nonsense(f"{_received(value)} for {question.id!r}; allowed are {allowed}")


def _received(value: Any) -> str:
    return f"received {_short(value)} ({type(value).__name__})"


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
