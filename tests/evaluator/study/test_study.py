"""The study on planted judges: what must come out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.evaluator.study.planted import planted, without_sides

from assize.base.errors import ConfigError, DataError
from assize.evaluator._study.studied import EvaluatorStudy, single_mean
from assize.evaluator._study.study import Settings, study

FIVE = {"a": 0.7, "best": 0.92, "second": 0.85, "liar": 0.25, "b": 0.75}
QUICK = Settings(
    learners=("majority vote", "Dawid-Skene", "joint"),
    folds=2,
    seeds=2,
    permutations=1_000,
    resamples=20,
)

ONE = replace(QUICK, learners=("Dawid-Skene",), learner="Dawid-Skene", seeds=1)


@cache
def found() -> EvaluatorStudy:
    return study(planted(FIVE, n=400), QUICK, question="preference")


def test_several_judges_teach_more_than_one_on_average() -> None:
    figures = found().table.figures
    together = figures["joint"]["without_tie"].estimate
    assert together > single_mean(found().table, "without_tie") + 0.1
    assert together > figures["only best"]["without_tie"].estimate - 0.03
    assert figures["gold"]["without_tie"].estimate >= together - 0.02


def test_learnt_reliabilities_are_those_of_the_judges() -> None:
    assert found().reliability_right.estimate > 0.97
    assert {one.judge: one.right for one in found().judges} == pytest.approx(FIVE, abs=0.05)


def test_other_juries_change_what_is_learnt_as_they_should() -> None:
    changes = {one.jury: one.without_tie.estimate for one in found().juries}
    assert list(changes) == ["- best", "liar for best", "+ second"]
    assert changes["liar for best"] < changes["+ second"]
    base = found().table.figures["default (joint)"]["without_tie"].estimate
    other = found().table.figures["- best (joint)"]["without_tie"].estimate
    assert changes["- best"] == pytest.approx(other - base, abs=1e-9)


def test_the_votes_themselves_stand_beside_what_is_learnt() -> None:
    figures = found().table.figures
    assert figures["best (votes)"]["without_tie"].estimate == pytest.approx(0.92, abs=0.04)
    assert figures["Dawid-Skene (votes)"]["without_tie"].estimate > 0.9


def test_the_same_votes_give_the_same_study_and_others_another() -> None:
    once, again = (study(planted(FIVE, n=60), ONE) for _ in range(2))
    assert again.signature == once.signature
    assert again.to_json()["learners"] == once.to_json()["learners"]
    assert study(planted(FIVE, n=60, seed=1), ONE).signature != once.signature


def test_a_learner_that_fails_has_its_reason_and_no_figure() -> None:
    data = planted({"good": 0.9, "silent": 0.9, "fair": 0.8}, n=120)
    data.votes.for_a[:, 1] = data.votes.for_b[:, 1] = 0.0
    data.votes.ties[:, 1] = 1.0
    made = study(data, ONE)
    assert "all targets are ties" in made.failed["only silent"]
    assert np.isnan(made.table.figures["only silent"]["with_tie"].estimate)
    assert any("only silent" in note for note in made.notes)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Settings(learners=("x",)), ConfigError, "no learner 'x'"),
        (lambda: study(planted(n=2), QUICK), DataError, "folds"),
        (lambda: study(without_sides(planted(n=60)), QUICK), DataError, "no vote is for A or B"),
    ],
)
def test_what_cannot_be_is_refused(
    call: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()
