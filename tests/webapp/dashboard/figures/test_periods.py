"""Means and quantiles by period, with intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.webapp.dashboard.project import conversations, predictions

from assize.errors import ConfigError
from assize.stats import mean
from assize.webapp.dashboard.figures.charts import Look
from assize.webapp.dashboard.figures.periods import over_time
from assize.webapp.dashboard.prepared.view import View


def test_a_period_has_the_mean_of_its_conversations_with_its_interval(view: View) -> None:
    found = over_time(view, Look("Q0"), every="month")
    assert [one.name for one in found.periods] == ["2026-03"]
    scores: dict[str, list[float]] = {}
    for one in predictions():
        if one.question == "Q0" and one.score is not None:
            scores.setdefault(one.item, []).append(one.score)
    told = mean([float(np.mean(one)) for one in scores.values()])
    figure = found.lines[0].figures[0]
    assert figure is not None
    assert figure.estimate == pytest.approx(told.estimate)
    assert figure.interval == pytest.approx(told.interval)
    assert figure.n == 60


def test_curves_and_weeks_stand_apart(view: View) -> None:
    found = over_time(view, Look("Q0", "system"), every="week")
    assert [one.name for one in found.lines] == ["new", "old"]
    assert len(found.periods) == 5
    counted = sum(one.n for line in found.lines for one in line.figures if one is not None)
    assert counted == len(conversations())
    assert found.rows[1][0] == found.periods[1].name


def test_a_quantile_has_its_exact_interval(view: View) -> None:
    found = over_time(view, Look("Q0"), every="month", figure="25%").lines[0].figures[0]
    assert found is not None
    assert found.interval[0] <= found.estimate <= found.interval[1]
    assert "quantile|v1|0.25" in found.method


def test_kept_apart_intervals_are_over_conversations(view: View) -> None:
    found = over_time(view, Look("Q0", disaggregated=True), every="month").lines[0].figures[0]
    assert found is not None
    assert (found.n, found.clusters) == (360, 60)


def test_a_period_without_conversations_of_a_curve_has_no_figure(view: View) -> None:
    found = over_time(view, Look("Q0", "system"), every="day")
    figures = [one for line in found.lines for one in line.figures]
    assert None in figures
    assert any("–" in row for row in found.rows)
    assert found.to_json()["lines"][0]["name"] == "new"
    assert not any(one is not None and math.isnan(one.estimate) for one in figures)


def test_what_cannot_be_is_refused(view: View) -> None:
    with pytest.raises(ConfigError, match="every hour"):
        over_time(view, Look("Q0"), every="hour")
    with pytest.raises(ConfigError, match="figure 'sum'"):
        over_time(view, Look("Q0"), figure="sum")
    with pytest.raises(ConfigError, match="quantiles over time are of means"):
        over_time(view, Look("Q0", disaggregated=True), figure="5%")
