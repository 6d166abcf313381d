"""Rows beside each other, and tests between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata, zscore
from tests.evaluator.measuring.tasks_of import NAN, table, task, votes

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.evaluator._measuring.measure import (
    MeasuredRow,
    against,
    averages,
    measure,
    on_one_scale,
)
from assize.judgments import JudgmentTable

N = 120
RNG = np.random.default_rng(5)
TRUTH = RNG.choice([1.0, -1.0], N)


PAIRS = task(TRUTH)


def right(name: str, share: float, question: str = "preference") -> list[Judgment]:
    """The votes of a judge who is right so often."""
    rng = np.random.default_rng(int(1000 * share))
    return votes(name, np.where(rng.random(N) < share, TRUTH, -TRUTH), question)


def test_evaluators_judges_and_judges_together_stand_beside_each_other() -> None:
    own = table(right("evaluator@x", 0.8))
    found = measure([PAIRS], own, table(right("good", 0.9), right("poor", 0.6)))
    assert [(row.judge, row.group) for row in found] == [
        ("evaluator@x", "evaluators"),
        ("good", "judges"),
        ("poor", "judges"),
        ("majority vote", "together"),
        ("Dawid-Skene", "together"),
    ]
    shares = {row.judge: row.figures["with_tie"].estimate for row in found}
    assert shares["good"] > shares["evaluator@x"] > shares["poor"]


def test_where_judges_are_the_truth_they_are_not_measured_by_themselves() -> None:
    alone = task(TRUTH, source="judges")
    found = measure([alone], table(right("evaluator@x", 0.8)), table(right("good", 0.9)))
    assert [row.judge for row in found] == ["evaluator@x"]


def compare(rows: Sequence[MeasuredRow]) -> dict[tuple[str, str], Any]:
    """By judge and figure."""
    return {(one.judge, one.figure): one for one in against(rows, permutations=500)}


def test_a_better_judge_is_told_from_a_worse_one() -> None:
    own = table(right("evaluator@x", 0.7))
    rows = measure([PAIRS], own, table(right("good", 0.95), right("same", 0.7001)))
    found = compare(rows)
    better = found["good", "with_tie"]
    assert better.difference.estimate > 0.1
    assert better.p_holm < 0.05 < found["same", "with_tie"].p_holm
    with pytest.raises(ConfigError, match="no row 'nobody'"):
        against(rows, "nobody")
    with pytest.raises(ConfigError, match="nothing could be measured"):
        against([])


def test_a_rating_on_another_scale_is_no_worse_for_it() -> None:
    rng = np.random.default_rng(6)
    truth = rng.normal(size=60)
    one, noisy = (truth + rng.normal(0, deviation, 60) for deviation in (1, 4))
    rated = {"e": one, "same": 1000 * one + 7, "noisy": 1000 * noisy}
    rows = [
        Judgment(f"p{at}", name, "nice", score=value, kind="model")
        for name, values in rated.items()
        for at, value in enumerate(values.tolist())
    ]
    every = JudgmentTable.of(rows, [Question("nice", kind="number")])
    nice = task(truth, "conversation", question="nice")
    found = compare(measure([nice], every.where(judge="e"), every))
    for figure in ("pearson", "spearman"):
        same = found["same", figure]
        assert (same.difference.estimate, same.p_value) == (pytest.approx(0, abs=1e-9), 1.0)
        assert found["noisy", figure].p_value < 0.05


def test_columns_that_are_exchanged_are_on_one_scale() -> None:
    """Standard scores for Pearson's correlation, mid-ranks for Spearman's, as scipy has them."""
    rng = np.random.default_rng(7)
    truth, first, second = rng.normal(size=(3, 30)) * [[1], [1], [1000]]
    first[3] = second[5] = truth[8] = NAN
    known = np.delete(np.arange(30), [3, 5, 8])
    for measure_name, scaled in (("pearson", zscore), ("spearman", rankdata)):
        for column, values in zip(
            on_one_scale(first, second, truth, measure_name), (first, second), strict=True
        ):
            assert np.flatnonzero(~np.isnan(column)).tolist() == known.tolist()
            assert column[known] == pytest.approx(scaled(values[known]))
    assert on_one_scale(first, second, truth, "accuracy") == (first, second)


def test_dimensions_have_an_average() -> None:
    tasks = [task(TRUTH, question=name) for name in ("Accuracy", "Safety", "preference")]
    judge = table(right("j", 0.9, "Accuracy"), right("j", 0.6, "Safety"), right("j", 0.8))
    rows = measure(tasks, None, judge)
    (found,) = averages(rows)
    each = [row.figures["with_tie"].estimate for row in rows if not row.task.overall]
    assert found.accuracy.estimate == pytest.approx(np.mean(each))
    assert found.accuracy.clusters == N
