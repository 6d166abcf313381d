"""Scales of published ratings, and the judgment that one published rating becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from assize.errors import DataError
from assize.formats.records import judgment
from assize.judgment import Judgment, Question

MISSING = "missing"

_KINDS = {"human": "person", "llm": "model", "model": "model"}

Direction = Literal["better", "worse"]


def ordinal(
    id: str, text: str, answers: Sequence[int | str], higher: Direction = "better", **labels: str
) -> Question:
    """A question with ordered answers, lowest first.

    Args:
        id: the question's id.
        text: what is asked, in our own words.
        answers: whole numbers are their own values; words get 0 to 1 in equal steps.
        higher: what a higher answer means; kept as the question's field `higher`.
        labels: words for single answers, the name being `_` and the answer.

    >>> ordinal("tone", "How warm?", ("cold", "warm")).values
    (0.0, 1.0)
    """
    last = len(answers) - 1
    values = tuple(
        float(answer) if isinstance(answer, int) else place / last
        for place, answer in enumerate(answers)
    )
    return Question(
        id=id,
        text=text,
        kind="ordinal",
        answers=tuple(map(str, answers)),
        values=values,
        labels={name.removeprefix("_"): words for name, words in labels.items()},
        higher=higher,
    )


def number(id: str, text: str, low: float, high: float | None) -> Question:
    """A question answered by any number of a range, higher being better."""
    bounds = None if high is None else (low, high)
    return Question(id=id, text=text, kind="number", range=bounds, higher="better")


def rated(
    item: str,
    rating: Mapping[str, Any],
    questions: Mapping[str, Question],
    *,
    question: str,
    anonymous: bool,
) -> Judgment:
    """The judgment for one `{judge, kind, dimension, score, turn?, run?}` of a rated corpus.

    A question with answers gets the score as its `answer`, any other as its `score`.
    `run` counts from 1 and becomes `repeat`, which counts from 0. A null score is
    unscored with the reason `missing`. A rating by a program is never anonymous.
    """
    kind = _KINDS.get(str(rating.get("kind")))
    given: dict[str, Any] = {
        "item": item,
        "judge": rating.get("judge"),
        "question": question,
        "turn": rating.get("turn"),
        "repeat": rating["run"] - 1 if isinstance(rating.get("run"), int) else 0,
        "anonymous": anonymous and kind == "person",
        "kind": kind,
    }
    return judgment(given | scored(rating.get("score"), questions.get(question)))


def scored(score: Any, question: Question | None) -> dict[str, Any]:
    """The fields of a judgment that hold a published score: `answer`, `score` or `unscored`."""
    if score is None:
        return {"unscored": {"reason": MISSING, "message": "the source holds no score"}}
    if question is None or not question.answers:
        _check_range(score, question)
        return {"score": score}
    answer = str(int(score)) if isinstance(score, float) and score.is_integer() else str(score)
    if answer not in question.answers:
        allowed = ", ".join(question.answers)
        raise DataError(
            f"received {answer!r} for question {question.id}; allowed are {allowed}", field="score"
        )
    return {"answer": answer}


def _check_range(score: Any, question: Question | None) -> None:
    if question is None or question.range is None or not isinstance(score, int | float):
        return
    low, high = question.range
    if not low <= score <= high:
        raise DataError(
            f"received {score} for question {question.id}; allowed is {low:g} to {high:g}",
            field="score",
        )
