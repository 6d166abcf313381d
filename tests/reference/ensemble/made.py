"""Metrics and ratings with a known truth, as judgments give them."""

from __future__ import annotations

import numpy as np

from assize.base.conversation import Continuation, Turn
from assize.base.judgment import Judgment, Question
from assize.formats.research.upheld import QUESTIONS
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.sample import Sample, sample_of
from assize.reference._ensemble.targets import targets_of
from assize.stats._arrays import FloatArray

CONTENT = QUESTIONS[0]
METRICS = ("cosine", "rouge1-recall", "length-ratio")


def metrics_table(values: FloatArray, judge: str = "metrics") -> JudgmentTable:
    """Judgments `metrics` of items i0, i1, ...: (N, up to 3) values, NaN unscored."""
    rows = [
        Judgment(f"i{at}", judge, name, score=None if np.isnan(one) else float(one), kind="metric")
        for at, row in enumerate(values)
        for name, one in zip(METRICS, row, strict=False)
    ]
    return JudgmentTable.of(rows, [Question(name, kind="number") for name in METRICS])


def ratings_table(answers: FloatArray, question: Question = CONTENT) -> JudgmentTable:
    """Judgments by raters r0, r1, ... of items i0, i1, ...: (N, R), NaN where there is none."""
    rows = [
        Judgment(f"i{at}", f"r{rater}", question.id, answer=f"{one:g}", kind="person")
        for at, row in enumerate(answers)
        for rater, one in enumerate(row)
        if not np.isnan(one)
    ]
    return JudgmentTable.of(rows, [question])


def continuations(count: int, each: int = 4) -> list[Continuation]:
    """Items i0, i1, ..., `each` of a conversation."""
    return [
        Continuation(
            f"i{at}",
            (Turn("user", f"Question {at}?"),),
            f"Answer {at}.",
            (f"Said {at}.",),
            conversation=f"c{at // each}",
            turn=1,
        )
        for at in range(count)
    ]


def simulated(
    count: int = 240, *, raters: int = 3, noise: float = 0.5, seed: int = 0, each: int = 4
) -> tuple[FloatArray, FloatArray]:
    """Metrics (N, 3) and answers 1 to 5 (N, R): the first two matter, the second by a step.

    Raters differ more where the third metric is high.
    """
    rng = np.random.default_rng(seed)
    metrics = rng.normal(size=(count, 3))
    metrics += np.repeat(rng.normal(0, 0.3, size=(-(-count // each), 3)), each, axis=0)[:count]
    truth = 3 + 0.9 * metrics[:, 0] + np.where(metrics[:, 1] > 0, 0.8, -0.8)
    apart = noise * np.exp(0.8 * metrics[:, 2])
    said = truth[:, None] + apart[:, None] * rng.normal(size=(count, raters))
    return metrics, np.clip(np.round(said), 1, 5)


def sample(count: int = 240, *, missing: str = "unscored", **given: float) -> Sample:
    """`simulated` as a sample, four items a conversation."""
    metrics, answers = simulated(count, **given)  # type: ignore[arg-type]
    return sample_of(
        Columns.of(metrics_table(metrics)),
        targets_of(ratings_table(answers), "content"),
        {f"i{at}": f"c{at // 4}" for at in range(count)},
        missing=missing,  # type: ignore[arg-type]
    )
