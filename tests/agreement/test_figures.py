"""The figures of one question: which are made, between whom, and that they are those of stats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.agreement.conftest import RATING, pairs_table, ratings

from assize.agreement import AgreeOptions, CloserToGold, measure_agreement
from assize.base.judgment import PREFERENCE, Judgment, Question, QuestionKind
from assize.judgments import JudgmentTable
from assize.stats import alpha, cohen_kappa, pairwise_accuracy, spearman
from assize.stats._statistics import StatisticsSettings


def test_figures_of_a_pair_are_those_of_stats() -> None:
    table, values = ratings()
    found = measure_agreement(table, ["q"], AgreeOptions(judges=["m1", "m2"]))
    (pair,) = found.pairs
    x, y = values[0].astype(float), values[1].astype(float)
    x[0] = np.nan
    assert (pair.n, pair.unscored) == (79, 1)
    assert pair.spearman == spearman(x, y)
    assert pair.alpha == alpha(np.stack([x, y]), level="ordinal")
    order = (1.0, 2.0, 3.0, 4.0, 5.0)
    assert pair.kappa == cohen_kappa(x, y, weights="quadratic", order=order)
    assert [row.unscored for row in found.judges] == [1, 0]


def test_people_can_be_gold_and_are_then_no_partners_of_their_own_mean() -> None:
    table, _ = ratings()
    options = AgreeOptions(gold="people", compare=CloserToGold(("m1", "m2")))
    found = measure_agreement(table, ["q"], options)
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("m1", "people"),
        ("m2", "people"),
        ("m1", "m2"),
    ]
    (comparison,) = found.comparisons
    assert (comparison.measure, comparison.better) == ("spearman", "m1")


def test_preferences_with_gold_get_the_three_accuracies() -> None:
    table, _ = pairs_table()
    found = measure_agreement(table, ["preference"], AgreeOptions())
    pair: Any = found.pairs[0]
    assert [row.judge for row in found.judges if row.gold] == ["gold"]
    values = found.answers["preference"].by_judge
    expected = pairwise_accuracy(values["io@m"].values, values["gold"].values)
    assert pair.accuracy.estimate == expected.without_tie.estimate
    assert pair.coverage.estimate == expected.coverage.estimate


def test_anonymous_raters_count_together_and_not_in_pairs() -> None:
    rows = [
        Judgment(f"i{at}", f"slot{slot}", "q", answer=str(1 + (at + slot) % 3), anonymous=True)
        for at in range(9)
        for slot in range(3)
    ]
    found = measure_agreement(JudgmentTable.of(rows, [RATING]), ["q"], AgreeOptions())
    assert found.pairs == []
    assert found.notes == ["q: left out 3 anonymous raters: positions are not people"]
    overall = {row.statistic: row.estimate for row in found.overall}
    assert overall["alpha (ordinal)"].n == 9
    assert "perfect" in overall


def test_many_judges_are_not_paired_unless_named() -> None:
    rows = [
        Judgment(f"i{at}", f"j{judge}", "q", answer=str(1 + (at * judge) % 5))
        for at in range(5)
        for judge in range(31)
    ]
    table = JudgmentTable.of(rows, [RATING])
    found = measure_agreement(table, ["q"], AgreeOptions())
    assert found.notes == ["q: left out pairs of 31 judges: name some with --judges"]
    named = AgreeOptions(judges=["j1", "j2", "j3"])
    assert len(measure_agreement(table, ["q"], named).pairs) == 3


def of_kind(kind: QuestionKind, *answers: str) -> Question:
    values = (1.0, 2.0, 3.0) if kind == "ordinal" else None
    return Question("q", kind=kind, answers=answers, values=values)


@pytest.mark.parametrize(
    ("question", "level", "measure"),
    [
        (of_kind("ordinal", "1", "2", "3"), "ordinal", "spearman"),
        (of_kind("number"), "interval", "spearman"),
        (of_kind("binary", "no", "yes"), "nominal", "accuracy"),
        (of_kind("nominal", "x", "y", "z"), "nominal", "accuracy"),
        (PREFERENCE, "nominal", "accuracy_with_tie"),
    ],
)
def test_the_scale_says_how_far_apart_answers_are_and_what_judges_are_compared_by(
    question: Question, level: str, measure: str
) -> None:
    answer = {"answer": question.answers[0]} if question.answers else {"score": 1.0}
    rows = [Judgment(f"i{n}", name, question.id, **answer) for name in "jkg" for n in range(3)]
    how = StatisticsSettings(permutations=1)
    options = AgreeOptions(gold="g", compare=CloserToGold(("j", "k")), statistics=how)
    found = measure_agreement(JudgmentTable.of(rows, [question]), [question.id], options)
    assert found.overall[0].statistic == f"alpha ({level})"
    assert found.comparisons[0].measure == measure


def test_three_judges_on_four_items_by_hand() -> None:
    # x and y agree on 3 of 4, x and z on 2, y and z on 1 of 4
    said = {"x": "AABB", "y": "AABA", "z": "ABAB"}
    rows = [
        Judgment(f"p{at}", judge, "preference", answer=answer)
        for judge, answers in said.items()
        for at, answer in enumerate(answers)
    ]
    found = measure_agreement(JudgmentTable.of(rows, [PREFERENCE]), ["preference"], AgreeOptions())
    pairs = {
        (one.first, one.second): one.agreement.estimate for one in found.pairs if one.agreement
    }
    assert pairs == {("x", "y"): 0.75, ("x", "z"): 0.5, ("y", "z"): 0.25}
    # the mean over items of agreeing pairs: all of p0's 3, and 1 of 3 elsewhere
    overall = {row.statistic: row.estimate for row in found.overall}
    assert overall["agreement"].estimate == pytest.approx((1 + 1 / 3 + 1 / 3 + 1 / 3) / 4)
    assert round(4 * overall["perfect"].estimate) == 1


def test_a_mean_between_answers_is_on_no_scale_and_has_no_kappa() -> None:
    # j's two ratings of i0 are 1 and 2: 1.5 is no answer
    rows = [
        Judgment("i0", "j", "q", answer="1"),
        Judgment("i0", "j", "q", answer="2", repeat=1),
        *(Judgment(f"i{at}", "j", "q", answer=str(at)) for at in range(1, 5)),
        *(Judgment(f"i{at}", "k", "q", answer=str(at + 1)) for at in range(5)),
    ]
    pair: Any
    (pair,) = measure_agreement(JudgmentTable.of(rows, [RATING]), ["q"], AgreeOptions()).pairs
    assert pair.kappa is pair.agreement is None
    # k less j: 1 - 1.5, then 1 four times
    assert pair.mae.estimate == pytest.approx((0.5 + 4) / 5)


def test_two_judges_are_compared_on_what_all_three_answered() -> None:
    # m1 has no answer to i0: 79 of 80 count
    table, _ = ratings()
    options = AgreeOptions(gold="ann", compare=CloserToGold(("m1", "m2")))
    (found,) = measure_agreement(table, ["q"], options).comparisons
    assert found.measure == "spearman"
    assert (found.first_figure.n, found.first_figure.unscored) == (79, 1)
