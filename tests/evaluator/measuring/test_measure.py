"""Rows beside each other, and tests between them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata, zscore

from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator._measuring.measure import _alike, against, averages, measure
from assize.evaluator._measuring.tasks import Task
from assize.judgments import JudgmentTable
from assize.stats._arrays import FloatArray

NAN = float("nan")
N = 120
RNG = np.random.default_rng(5)
TRUTH = RNG.choice([1.0, -1.0], N)
ANSWERS = {1.0: "A", -1.0: "B"}


def pairs(question: str = "preference") -> Task:
    units = tuple((f"p{at}", None) for at in range(N))
    return Task("s", question, "pair", units, TRUTH, np.arange(N), "gold")


def votes(name: str, right: float, question: str = "preference") -> list[Judgment]:
    rng = np.random.default_rng(int(1000 * right))
    said = np.where(rng.random(N) < right, TRUTH, -TRUTH)
    return [
        Judgment(f"p{at}", name, question, answer=ANSWERS[vote], kind="model")
        for at, vote in enumerate(said.tolist())
    ]


def table(*rows: list[Judgment]) -> JudgmentTable:
    asked = [
        Question(name, kind="preference", answers=PREFERENCE.answers)
        for name in ("preference", "Accuracy", "Safety")
    ]
    return JudgmentTable.of([row for some in rows for row in some], asked)


def test_evaluators_judges_and_judges_together_stand_beside_each_other() -> None:
    own = table(votes("evaluator@x", 0.8))
    found = measure([pairs()], own, table(votes("good", 0.9), votes("poor", 0.6)))
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
    task = pairs()
    alone = Task(task.benchmark, task.question, "pair", task.units, TRUTH, task.clusters, "judges")
    found = measure([alone], table(votes("evaluator@x", 0.8)), table(votes("good", 0.9)))
    assert [row.judge for row in found] == ["evaluator@x"]


def test_a_better_judge_is_told_from_a_worse_one() -> None:
    rows = measure(
        [pairs()],
        table(votes("evaluator@x", 0.7)),
        table(votes("good", 0.95), votes("same", 0.7001)),
    )
    found = {(one.judge, one.figure): one for one in against(rows, permutations=500)}
    better = found["good", "with_tie"]
    assert better.difference.estimate > 0.1
    assert better.p_holm < 0.05
    assert found["same", "with_tie"].p_holm > 0.05
    with pytest.raises(ConfigError, match="no row 'nobody'"):
        against(rows, "nobody")
    with pytest.raises(ConfigError, match="nothing could be measured"):
        against([])


def rated(name: str, values: FloatArray) -> list[Judgment]:
    return [
        Judgment(f"c{at}", name, "nice", score=value, kind="model")
        for at, value in enumerate(values.tolist())
    ]


def test_a_rating_on_another_scale_is_no_worse_for_it() -> None:
    rng = np.random.default_rng(6)
    truth = rng.normal(size=60)
    units = tuple((f"c{at}", None) for at in range(60))
    task = Task("s", "nice", "conversation", units, truth, np.arange(60), "gold")
    asked = [Question("nice", kind="number")]
    one = truth + rng.normal(0, 1, 60)
    noisy = truth + rng.normal(0, 4, 60)
    own = JudgmentTable.of(rated("e", one), asked)
    others = JudgmentTable.of(rated("same", 1000 * one + 7) + rated("noisy", 1000 * noisy), asked)
    found = {
        (t.judge, t.figure): t for t in against(measure([task], own, others), permutations=500)
    }
    for figure in ("pearson", "spearman"):
        assert found["same", figure].difference.estimate == pytest.approx(0, abs=1e-9)
        assert found["same", figure].p_value == 1.0
        assert found["noisy", figure].p_value < 0.05


def test_columns_that_are_exchanged_are_on_one_scale() -> None:
    """Standard scores for Pearson's correlation, mid-ranks for Spearman's, as scipy has them."""
    rng = np.random.default_rng(7)
    truth, first = rng.normal(size=30), rng.normal(size=30)
    second = 1000 * rng.normal(size=30)
    first[3], second[5], truth[8] = NAN, NAN, NAN
    known = np.delete(np.arange(30), [3, 5, 8])
    for measure_name, scaled in (("pearson", zscore), ("spearman", rankdata)):
        for column, values in zip(
            _alike(first, second, truth, measure_name), (first, second), strict=True
        ):
            assert np.flatnonzero(~np.isnan(column)).tolist() == known.tolist()
            assert column[known] == pytest.approx(scaled(values[known]))
    assert _alike(first, second, truth, "accuracy") == (first, second)


def test_dimensions_have_an_average() -> None:
    tasks = [pairs("Accuracy"), pairs("Safety"), pairs()]
    judge = table(votes("j", 0.9, "Accuracy"), votes("j", 0.6, "Safety"), votes("j", 0.8))
    rows = measure(tasks, None, judge)
    (found,) = averages(rows)
    each = [row.figures["with_tie"].estimate for row in rows if not row.task.overall]
    assert found.accuracy.estimate == pytest.approx(np.mean(each))
    assert found.accuracy.clusters == N
