"""Views of simulated numbers: items by raters, written as judgments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import View

NUMBER = Question("q", kind="number", range=(1.0, 4.0))
CHOICE = Question("q", kind="nominal", answers=("a", "b", "c"), labels={"c": "the last"})
LIKERT = Question("q", kind="ordinal", answers=("1", "2", "3", "4"), values=(1.0, 2.0, 3.0, 4.0))


def view_of_scores(
    folder: Path,
    scores: NDArray[np.float64],
    *,
    question: Question = NUMBER,
    raters: Sequence[str] = (),
    systems: Sequence[str] = (),
) -> View:
    """A view of scores (items N, raters R); NaN for none."""
    names = list(raters) or [f"rater {at}" for at in range(scores.shape[1])]
    rows = [
        Judgment(f"i{item}", names[rater], "q", score=float(score), kind="person")
        for (item, rater), score in np.ndenumerate(scores)
        if score == score
    ]
    items = [
        Conversation(f"i{at}", (Turn("user", f"prompt {at // 2}"),), name)
        for at, name in enumerate(systems)
    ]
    return prepare_view(JudgmentTable.of(rows, [question]), items, folder)


def view_of_answers(
    folder: Path, answers: Sequence[Sequence[str | None]], *, systems: Sequence[str] = ()
) -> View:
    """A view of people's answers "a", "b" and "c" (items N, raters R); None for none."""
    rows = [
        Judgment(f"i{item}", f"rater {rater}", "q", answer=answer, kind="person")
        for item, given in enumerate(answers)
        for rater, answer in enumerate(given)
        if answer is not None
    ]
    items = [
        Conversation(f"i{at}", (Turn("user", f"prompt {at}"),), name)
        for at, name in enumerate(systems)
    ]
    return prepare_view(JudgmentTable.of(rows, [CHOICE]), items, folder)


def view_of_choices(folder: Path, p: NDArray[np.float64]) -> View:
    """A view of predicted answers to a nominal question (items N, raters R, 3 answers)."""
    rows = [
        Judgment(
            f"i{item}",
            f"calibration:{rater}",
            "q",
            distribution=dict(zip(CHOICE.answers, p[item, rater].tolist(), strict=True)),
        )
        for item in range(p.shape[0])
        for rater in range(p.shape[1])
    ]
    return prepare_view(JudgmentTable.of(rows, [CHOICE]), [], folder)


def view_of_chances(folder: Path, p: NDArray[np.float64]) -> View:
    """A view of calibrated predictions (items N, raters R, answers K)."""
    answers = LIKERT.answers[: p.shape[2]]
    question = Question("q", "", "ordinal", answers, tuple(map(float, answers)))
    worth = np.arange(1, p.shape[2] + 1)
    rows = [
        Judgment(
            f"i{item}",
            f"calibration:{rater}",
            "q",
            score=float(p[item, rater] @ worth),
            distribution=dict(zip(answers, p[item, rater].tolist(), strict=True)),
        )
        for item in range(p.shape[0])
        for rater in range(p.shape[1])
    ]
    return prepare_view(JudgmentTable.of(rows, [question]), [], folder)
