"""Figures by period."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.spread.simulated import of_answers, of_scores

from assize.base.errors import ConfigError
from assize.spread import SpreadOptions, measure_spread

DAYS = [2] * 10 + [9] * 10  # two Mondays


def test_each_week_has_its_mean_with_an_interval() -> None:
    scores = np.random.default_rng(0).uniform(1, 4, (20, 3))
    ratings = of_scores(scores, systems=["a"] * 20, days=DAYS)
    rows = measure_spread(ratings, SpreadOptions(every="week")).periods
    assert [row.period for row in rows] == ["2026-03-02", "2026-03-09"]
    figures: list[Any] = [row.figure for row in rows]
    for figure, part in zip(figures, (scores[:10], scores[10:]), strict=True):
        assert figure.estimate == pytest.approx(part.mean())
        assert (figure.n, figure.unscored) == (10, 0)
        assert figure.interval[0] < part.mean() < figure.interval[1]


def test_a_quantile_is_that_of_the_means_over_raters() -> None:
    values = np.tile(np.linspace(1, 4, 10), 2)[:, None]
    ratings = of_scores(values, systems=["a"] * 20, days=DAYS)
    figure: Any = (
        measure_spread(ratings, SpreadOptions(every="week", figure="50%")).periods[0].figure
    )
    assert figure.estimate == pytest.approx(np.linspace(1, 4, 10)[4], abs=0.01)


def test_a_nominal_question_has_a_line_an_answer_or_its_first_by_group() -> None:
    answers = [["a", "b"]] * 10 + [["c", "c"]] * 10
    ratings = of_answers(answers, systems=["x", "y"] * 10, days=DAYS)
    rows = measure_spread(ratings, SpreadOptions(every="week")).periods
    shares = {(row.line, row.period[-2:]): row.share for row in rows}
    assert shares["a", "02"].estimate == 0.5  # type: ignore[union-attr]
    assert shares["c: the last", "09"].estimate == 1  # type: ignore[union-attr]
    grouped = measure_spread(ratings, SpreadOptions(every="week", by="system")).periods
    assert {row.line for row in grouped} == {"x", "y"}


def test_without_times_and_for_quantiles_kept_apart_it_says_what_to_do() -> None:
    scores = np.random.default_rng(0).uniform(1, 4, (20, 3))
    with pytest.raises(ConfigError, match="no times"):
        measure_spread(of_scores(scores), SpreadOptions(every="week"))
    timed = of_scores(scores, systems=["a"] * 20, days=DAYS)
    with pytest.raises(ConfigError, match="leave apart out"):
        measure_spread(timed, SpreadOptions(every="week", figure="5%", apart=True))
