"""How consistently a rater orders items, whatever their level."""

from __future__ import annotations

import numpy as np
import pytest

from assize import stats
from assize.agreement.consistency import measure_consistency
from assize.agreement.rater_report import RaterReport, measure_raters
from assize.agreement.raters import others_mean
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.answers import columns

GRADE = Question("grade", kind="number")
NAMES = ("r0", "r1", "r2", "r3")


def simulate(seed: int, *, noise: float = 0.5, offset: float = 0, items: int = 80) -> JudgmentTable:
    """Grades by four raters, of whom r0 has other noise and another level."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=items)
    spread = {name: noise if name == "r0" else 0.5 for name in NAMES}
    rows = [
        Judgment(f"i{item}", name, "grade", score=score, kind="person")
        for name in NAMES
        for item, score in enumerate(
            truth + rng.normal(0, spread[name], items) + (offset if name == "r0" else 0)
        )
    ]
    return JudgmentTable.of(rows, [GRADE])


def inconsistent(report: RaterReport) -> set[str]:
    return {mark.rater for mark in report.marks if "less consistent" in mark.mark}


def test_an_inconsistent_rater_is_marked_and_a_strict_one_is_not() -> None:
    assert inconsistent(measure_raters(simulate(1, noise=2))) == {"r0"}
    strict = measure_raters(simulate(1, offset=-3))
    assert inconsistent(strict) == set()
    assert {mark.rater for mark in strict.marks if "lower than the others" in mark.mark} == {"r0"}


def test_raters_who_are_alike_are_seldom_marked_and_few_items_mark_nobody() -> None:
    alarms = sum(bool(inconsistent(measure_raters(simulate(seed)))) for seed in range(40))
    assert alarms <= 6  # 2 are expected; 7 have a chance below 1 in 100
    assert not inconsistent(measure_raters(simulate(1, noise=9, items=9)))


def test_the_correlation_is_spearmans_with_the_others_mean() -> None:
    block = columns(simulate(2), "grade")
    consistency = measure_consistency([block], NAMES)
    values = block.matrix(NAMES)
    for row, rest in enumerate(others_mean(values)):
        expected, estimate = stats.spearman(values[row], rest), consistency.estimate(row)
        assert estimate is not None
        assert estimate.estimate == pytest.approx(expected.estimate)
        assert estimate.interval == pytest.approx(expected.interval, abs=0.03)
        assert estimate.n == expected.n == 80


def test_the_others_count_by_their_items() -> None:
    table = simulate(3)
    rows = [row for row in table if row.judge != "r3" or int(row.item[1:]) < 20]
    block = columns(JudgmentTable.of(rows, [GRADE]), "grade")
    consistency = measure_consistency([block], NAMES)
    theirs, _ = consistency.compare(0, 1)
    first, second, third = consistency.correlation[1:]
    assert theirs == pytest.approx((80 * first + 80 * second + 20 * third) / 180)


def test_two_raters_have_no_consistency_and_each_question_is_a_row_of_the_report() -> None:
    two = measure_raters(simulate(1).where(judge=["r0", "r1"]))
    assert [row.correlation for row in two.rows] == [None, None]
    rows = measure_raters(simulate(1)).by_question
    assert {(row.question, row.rater) for row in rows} == {("grade", name) for name in NAMES}
