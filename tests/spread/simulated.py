"""Ratings of simulated numbers, answers and predictions: conversations by raters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.spread import Ratings, Resampling, SpreadOptions, gather_ratings
from assize.spread.groups import make_groups
from assize.spread.look import Look, look_at

NUMBER = Question("q", kind="number", range=(1.0, 4.0))
CHOICE = Question("q", kind="nominal", answers=("a", "b", "c"), labels={"c": "the last"})
LIKERT = Question("q", kind="ordinal", answers=("1", "2", "3", "4"), values=(1.0, 2.0, 3.0, 4.0))
NAN = float("nan")


def talks(systems: Sequence[str], days: Sequence[int] = ()) -> list[Conversation]:
    """A conversation a system; each prompt stands twice, one behind the other."""
    when = [{"at": f"2026-03-{day:02d}"} for day in days] or [{}] * len(systems)
    return [
        Conversation(f"i{row}", (Turn("user", f"prompt {row // 2}"),), system, told)
        for row, (system, told) in enumerate(zip(systems, when, strict=True))
    ]


def gather(
    said: Iterable[tuple[int, int, dict[str, Any]]],
    question: Question,
    systems: Sequence[str],
    days: Sequence[int],
) -> Ratings:
    """What raters said of conversations, by number."""
    rows = [
        Judgment(f"i{item}", f"rater {rater}", "q", kind="person", **one)
        for item, rater, one in said
    ]
    table = JudgmentTable.of(rows, [question])
    return gather_ratings(table, talks(systems, days), time="metadata.at" if days else "")


def of_scores(
    scores: NDArray[np.float64],
    question: Question = NUMBER,
    systems: Sequence[str] = (),
    days: Sequence[int] = (),
) -> Ratings:
    """Scores (conversations, raters); NaN for none."""
    said = ((*at, {"score": float(one)}) for at, one in np.ndenumerate(scores) if one == one)
    return gather(said, question, systems, days)


def of_answers(
    answers: Sequence[Sequence[str | None]], systems: Sequence[str] = (), days: Sequence[int] = ()
) -> Ratings:
    """People's answers a, b and c (conversations, raters); None for none."""
    said = (
        (item, rater, {"answer": one})
        for item, given in enumerate(answers)
        for rater, one in enumerate(given)
        if one is not None
    )
    return gather(said, CHOICE, systems, days)


def of_chances(p: NDArray[np.float64], question: Question = LIKERT) -> Ratings:
    """Predicted answers (conversations, raters, answers)."""
    answers = question.answers[: p.shape[2]]
    if question.kind == "ordinal":
        question = Question("q", "", "ordinal", answers, tuple(map(float, answers)))
    worth = np.arange(1, p.shape[2] + 1)
    rows = [
        Judgment(
            f"i{item}",
            f"calibration:{rater}",
            "q",
            score=float(p[item, rater] @ worth) if question.kind == "ordinal" else None,
            distribution=dict(zip(answers, p[item, rater].tolist(), strict=True)),
        )
        for item in range(p.shape[0])
        for rater in range(p.shape[1])
    ]
    return gather_ratings(JudgmentTable.of(rows, [question]))


def look(
    ratings: Ratings, sources: Sequence[str] = (), replicates: int = 20, **named: object
) -> Look:
    """The question q of ratings."""
    how = Resampling(sources, replicates)  # type: ignore[arg-type]
    options = SpreadOptions(resampling=how, **named)  # type: ignore[arg-type]
    return look_at(ratings, options, ratings.question("q"), make_groups(ratings, options))
