"""The figures of one question: which are made, between whom, and that they are those of stats."""

from __future__ import annotations

import numpy as np
import pytest

from assize.agreement import AgreeOptions, Settings, find
from assize.agreement.columns import columns
from assize.agreement.study import alpha_level, compare_judges, default_measure, study
from assize.errors import ConfigError
from assize.judgment import PREFERENCE, Judgment, Question, QuestionKind
from assize.judgments import JudgmentTable
from assize.stats import alpha, cohen_kappa, pairwise_accuracy, spearman

from .conftest import RATING, pairs_table, ratings


def test_figures_of_a_pair_are_those_of_stats() -> None:
    table, values = ratings()
    found = find(table, "q", AgreeOptions(judges=["m1", "m2"]), {})
    (pair,) = found.study.pairs
    x, y = values[0].astype(float), values[1].astype(float)
    x[0] = np.nan
    assert (pair.n, pair.figures["spearman"].unscored) == (79, 1)
    assert pair.figures["spearman"].estimate == pytest.approx(spearman(x, y).estimate)
    assert pair.figures["alpha"].estimate == pytest.approx(
        alpha(np.stack([x, y]), level="ordinal").estimate
    )
    kappa = cohen_kappa(x, y, weights="quadratic", order=(1.0, 2.0, 3.0, 4.0, 5.0))
    assert pair.figures["kappa"].estimate == pytest.approx(kappa.estimate)
    assert found.study.found.by_judge["m1"].unscored == 1


def test_people_can_be_gold_and_are_then_no_partners_of_their_own_mean() -> None:
    table, _ = ratings()
    found = find(table, "q", AgreeOptions(gold="people", compare=("m1", "m2")), {})
    assert [(pair.first, pair.second) for pair in found.study.pairs] == [
        ("m1", "people"),
        ("m2", "people"),
        ("m1", "m2"),
    ]
    assert found.measure == "spearman"
    assert found.comparison is not None
    assert found.comparison.better == "first"


def test_preferences_with_gold_get_the_three_accuracies() -> None:
    table, _ = pairs_table()
    found = find(table, "preference", AgreeOptions(), {})
    (pair,) = found.study.pairs
    assert found.study.gold == "gold"
    columns = found.study.found.by_judge
    expected = pairwise_accuracy(columns["io@m"].values, columns["gold"].values)
    assert pair.figures["accuracy w/o tie"].estimate == expected.without_tie.estimate
    assert pair.figures["coverage"].estimate == expected.coverage.estimate


def test_anonymous_raters_count_together_and_not_in_pairs() -> None:
    rows = [
        Judgment(f"i{at}", f"slot{slot}", "q", answer=str(1 + (at + slot) % 3), anonymous=True)
        for at in range(9)
        for slot in range(3)
    ]
    study = find(JudgmentTable.of(rows, [RATING]), "q", AgreeOptions(), {}).study
    assert study.pairs == ()
    assert study.left_out == "3 anonymous raters: positions are not people"
    assert study.overall["alpha (ordinal)"].n == 9
    assert study.bins is not None


def test_many_judges_are_not_paired_unless_named() -> None:
    rows = [
        Judgment(f"i{at}", f"j{judge}", "q", answer=str(1 + (at * judge) % 5))
        for at in range(5)
        for judge in range(31)
    ]
    table = JudgmentTable.of(rows, [RATING])
    assert (
        find(table, "q", AgreeOptions(), {}).study.left_out
        == "pairs of 31 judges: name some with --judges"
    )
    assert len(find(table, "q", AgreeOptions(judges=["j1", "j2", "j3"]), {}).study.pairs) == 3


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
        (PREFERENCE, "nominal", "accuracy"),
    ],
)
def test_the_scale_says_how_far_apart_answers_are_and_what_judges_are_compared_by(
    question: Question, level: str, measure: str
) -> None:
    answer = {"answer": question.answers[0]} if question.answers else {"score": 1.0}
    rows = [Judgment("i", "j", question.id, **answer)]
    assert alpha_level(columns(JudgmentTable.of(rows, [question]), question.id)) == level
    assert default_measure(question.kind) == measure


def test_three_judges_on_four_items_by_hand() -> None:
    # x and y agree on 3 of 4, x and z on 2, y and z on 1 of 4
    said = {"x": "AABB", "y": "AABA", "z": "ABAB"}
    rows = [
        Judgment(f"p{at}", judge, "preference", answer=answer)
        for judge, answers in said.items()
        for at, answer in enumerate(answers)
    ]
    found = study(columns(JudgmentTable.of(rows, [PREFERENCE]), "preference"))
    pairs = {(one.first, one.second): one.figures["agreement"].estimate for one in found.pairs}
    assert pairs == {("x", "y"): 0.75, ("x", "z"): 0.5, ("y", "z"): 0.25}
    # the mean over items of agreeing pairs: all of p0's 3, and 1 of 3 elsewhere
    assert found.overall["agreement"].estimate == pytest.approx((1 + 1 / 3 + 1 / 3 + 1 / 3) / 4)
    assert found.bins is not None
    assert found.bins.perfect.count == 1


def test_a_mean_between_answers_is_on_no_scale_and_has_no_kappa() -> None:
    # j's two ratings of i0 are 1 and 2: 1.5 is no answer
    rows = [
        Judgment("i0", "j", "q", answer="1"),
        Judgment("i0", "j", "q", answer="2", repeat=1),
        *(Judgment(f"i{at}", "j", "q", answer=str(at)) for at in range(1, 5)),
        *(Judgment(f"i{at}", "k", "q", answer=str(at + 1)) for at in range(5)),
    ]
    (pair,) = study(columns(JudgmentTable.of(rows, [RATING]), "q")).pairs
    assert not {"kappa", "agreement"} & set(pair.figures)
    # k less j: 1 - 1.5, then 1 four times
    assert pair.figures["mae"].estimate == pytest.approx((0.5 + 4) / 5)


def test_every_figure_is_drawn_from_the_seed_anew() -> None:
    settings = Settings(seed=3)
    assert settings.rng().random() == settings.rng().random() == np.random.default_rng(3).random()


def test_two_judges_are_compared_on_what_all_three_answered() -> None:
    # m1 has no answer to i0: 79 of 80 count
    table, _ = ratings()
    found = columns(table, "q")
    measure, compared = compare_judges(found, "m1", "m2", "ann")
    assert measure == "spearman"
    assert (compared.first.n, compared.first.unscored) == (79, 1)


def test_a_judge_who_did_not_answer_cannot_be_compared() -> None:
    table, _ = ratings(5)
    with pytest.raises(ConfigError, match="no judge 'zoe' answered q; these did: m1"):
        compare_judges(columns(table, "q"), "m1", "zoe", "ann")
