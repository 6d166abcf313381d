"""What a judgment is worth as a number, a vote, a probability: decided here and nowhere else.

An unscored judgment is worth nothing, nor is NA, whatever stands beside it. Otherwise

- its number is the first that is there of: the score; the answer's value in the question, or
  its place where the question gives no values; the mean of the distribution over the known
  answers;
- its vote between A and B is the first that is there of: the answer; the sign of a score
  within [-1, 1]; the unique most probable answer of the distribution, a shared first place
  being a tie.

Each is there for one row, and for all rows of a table that answer one question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from assize.base.judgment import NOT_APPLICABLE, PREFERENCE, Judgment, Question
from assize.judgments.table import IntArray, JudgmentTable

FloatArray = NDArray[np.float64]

SIGN: Mapping[str, float] = {"A": 1.0, "tie": 0.0, "B": -1.0}
"""Votes as numbers."""

SPELT = ("ordinal", "binary", "number")
"""Kinds of question whose answers are ordered, and numbers where the question names none."""


def value_of_answer(answer: str, question: Question) -> float | None:
    """The number that an answer stands for; None where it stands for none.

    The question's value for it, or its place where the question gives no values; where the
    question names no answers, the number that it spells. Words of a nominal or free question
    have no place: they are worth something only where the question says what.
    """
    if question.kind == "preference":
        return SIGN.get(answer)
    if answer not in question.answers:
        return _spelt(answer) if question.kind in SPELT and not question.answers else None
    place = question.answers.index(answer)
    if question.values is not None:
        return question.values[place]
    return float(place) if question.kind in SPELT else None


def scale_of(question: Question) -> dict[str, float]:
    """The value of each answer that the question names; of a nominal one its place."""
    if question.kind == "preference":
        return dict(SIGN)
    if question.kind == "nominal":
        return {answer: float(place) for place, answer in enumerate(question.answers)}
    values = ((answer, value_of_answer(answer, question)) for answer in question.answers)
    return {answer: value for answer, value in values if value is not None}


def name_answer(question: Question, answer: str | float) -> str:
    """Return an answer, or a number that an answer stands for, with its label.

    >>> two = Question("q", "", "binary", ("1", "2"), (1.0, 2.0), {"1": "no", "2": "yes"})
    >>> name_answer(two, "1"), name_answer(two, 2.0), name_answer(two, 1.5)
    ('1: no', '2: yes', '1.5')
    """
    if isinstance(answer, float):
        answers = {value: name for name, value in scale_of(question).items()}
        answer = answers.get(answer, f"{answer:.4g}")
    label = question.labels.get(answer, "")
    return f"{answer}: {label}" if label else answer


def scale_ends(question: Question) -> tuple[float, float] | None:
    """The least and the greatest number that an answer can stand for; None where not known.

    >>> graded = Question("q", kind="ordinal", answers=("poor", "fair", "good"))
    >>> scale_ends(graded), scale_ends(Question("q"))
    ((0.0, 2.0), None)
    """
    scale = question.range or tuple(scale_of(question).values())
    apart = len(set(scale)) > 1 and all(map(math.isfinite, scale))
    return (float(min(scale)), float(max(scale))) if apart else None


def _spelt(answer: str) -> float | None:
    try:
        value = float(answer)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def number_of(row: Judgment, question: Question) -> float | None:
    """The number that a judgment stands for; None where it has none.

    >>> likert = Question("q", kind="ordinal", answers=("low", "high"))
    >>> number_of(Judgment("i", "j", "q", distribution={"low": 0.25, "high": 0.75}), likert)
    0.75
    """
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return None
    if row.score is not None and math.isfinite(row.score):
        return float(row.score)
    if row.answer is not None and (value := value_of_answer(row.answer, question)) is not None:
        return value
    total = mass = 0.0
    for answer, p in (row.distribution or {}).items():
        value = value_of_answer(answer, question)
        if value is not None:
            total, mass = total + value * p, mass + p
    return total / mass if mass > 0 else None


def numbers(table: JudgmentTable, question: Question) -> FloatArray:
    """`number_of` each row of a table whose rows all answer `question`: (N,), NaN for none."""
    score = table.numeric("score")
    score[~np.isfinite(score)] = np.nan
    codes, answers = table.codes("answer")
    worth = _look_up([value_of_answer(answer, question) for answer in answers], codes)
    return _first_known(table, score, worth, _means(table, question))


def _means(table: JudgmentTable, question: Question) -> FloatArray:
    """The mean of each row's distribution over the answers that have a value; NaN for none."""
    if not table.present("distribution").any():
        return np.full(len(table), np.nan)
    row, share, p, answers = table.shares()
    worth = _look_up([value_of_answer(answer, question) for answer in answers], share)
    known = ~np.isnan(worth)
    mass = np.bincount(row[known], p[known], len(table))
    total = np.bincount(row[known], (worth * p)[known], len(table))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(mass > 0, total / mass, np.nan)


def _first_known(table: JudgmentTable, values: FloatArray, *others: FloatArray) -> FloatArray:
    """(N,) the first value that is there in each row; NaN where a row is worth nothing."""
    for other in others:
        values = np.where(np.isnan(values), other, values)
    values[silent(table)] = np.nan
    return values


def goodness(table: JudgmentTable, question: Question) -> FloatArray:
    """`numbers`, turned round where a higher value is worse: (N,), higher being better."""
    found = numbers(table, question)
    return -found if question.higher == "worse" else found


def silent(table: JudgmentTable) -> NDArray[np.bool_]:
    """(N,) rows that are worth nothing: unscored, or NA whatever stands beside it."""
    return table.present("unscored") | not_applicable(table)


def not_applicable(table: JudgmentTable) -> NDArray[np.bool_]:
    """(N,) rows that say that the question does not apply."""
    codes, answers = table.codes("answer")
    return np.asarray(np.array([*(one == NOT_APPLICABLE for one in answers), False])[codes])


def _look_up(values: list[float | None], codes: IntArray) -> FloatArray:
    """The value of each code (N,); NaN where it has none, and for code -1."""
    known = np.array([*values, None], dtype=np.float64)
    return np.asarray(known[codes], dtype=np.float64)


def vote_of(row: Judgment) -> str | None:
    """A vote between A and B as `A`, `B` or `tie`; None where it is none of them.

    >>> vote_of(Judgment("p", "j", "preference", distribution={"A": 0.5, "B": 0.5}))
    'tie'
    """
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return None
    if row.answer in SIGN:
        return row.answer
    if row.score is not None and -1 <= row.score <= 1:
        return "tie" if row.score == 0 else "A" if row.score > 0 else "B"
    known = {side: p for side, p in (row.distribution or {}).items() if side in SIGN and p > 0}
    best = [side for side, p in known.items() if p == max(known.values())]
    return None if not best else best[0] if len(best) == 1 else "tie"


def votes(table: JudgmentTable) -> FloatArray:
    """`vote_of` each row: (N,) 1 for A, 0 for a tie, -1 for B, NaN for none."""
    score = table.numeric("score")
    with np.errstate(invalid="ignore"):
        signs = np.where(np.abs(score) <= 1, np.sign(score), np.nan)
    answered, likeliest = _choices(table, SIGN, shared=0.0)
    return _first_known(table, answered, signs, likeliest)


def categories(table: JudgmentTable, question: Question) -> FloatArray:
    """The answers to a nominal question as places among its answers: (N,) NaN for none.

    The answer, or the unique most probable one; one that the question does not name is none.
    """
    places = {answer: float(place) for place, answer in enumerate(question.answers)}
    return _first_known(table, *_choices(table, places, shared=math.nan))


def _choices(
    table: JudgmentTable, values: Mapping[str, float], *, shared: float
) -> tuple[FloatArray, FloatArray]:
    """The value of each row's answer, and of its most probable one, or `shared`: (N,) each."""
    codes, answers = table.codes("answer")
    row, share, p, names = table.shares()
    worth = _look_up([values.get(name) for name in names], share)
    known = ~np.isnan(worth) & (p > 0)
    row, worth, p = row[known], worth[known], p[known]
    best = np.zeros(len(table))
    np.maximum.at(best, row, p)
    top = p == best[row]
    likeliest = np.full(len(table), np.nan)
    likeliest[row[top]] = worth[top]
    likeliest[np.bincount(row[top], minlength=len(table)) > 1] = shared
    return _look_up([values.get(answer) for answer in answers], codes), likeliest


def probabilities(table: JudgmentTable, question: Question) -> FloatArray:
    """The probability that each row of a table gives to the positive answer of a two-way question:
    the one of the higher value, or A among A and B (a tie counts half). NaN where it gives none.

    Returns:
        (N,); all rows answer `question`.
    """
    ends = scale_of(PREFERENCE if question.kind == "preference" else question).values()
    shared = table.present("distribution")
    found = np.full(len(table), np.nan)
    if shared.any():
        found = (_means(table, question) - min(ends)) / (max(ends) - min(ends))
    score = table.numeric("score")
    if question.kind == "binary":
        usable = ~shared & (score >= 0) & (score <= 1)
        found[usable] = score[usable]
    found[silent(table)] = np.nan
    return found
