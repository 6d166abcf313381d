"""Means and quantiles by period, with intervals."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t
from tests.web.dashboard.project import conversations, predictions
from tests.web.dashboard.simulated import NUMBER

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.results import to_json
from assize.stats import mean
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.periods import OverTime, over_time
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import View

ALONE = Drawing(("conversations",))  # raters and answers are taken as they are


def test_a_period_has_the_mean_of_its_conversations_with_its_interval(view: View) -> None:
    found = over_time(view, Look("Q0"), every="month", how=ALONE)
    assert found.drawn is None
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


def test_an_interval_draws_raters_and_answers_too(view: View) -> None:
    alone = over_time(view, Look("Q0", "system"), every="month", how=ALONE)
    found = over_time(view, Look("Q0", "system"), every="month", how=Drawing(replicates=400))
    assert found.drawn is not None
    assert found.drawn["sources"] == ["raters", "conversations", "answers"]
    for line, before in zip(found.lines, alone.lines, strict=True):
        one, other = line.figures[0], before.figures[0]
        assert one is not None
        assert other is not None
        assert (one.estimate, one.n) == (other.estimate, other.n)
        assert np.diff(one.interval)[0] > 1.05 * np.diff(other.interval)[0]
        assert one.signature != other.signature


def view_in_time(folder: Path, scores: NDArray[np.float64]) -> View:
    """A view of scores (items N, raters R), NaN for none; items are of January and February in
    turn."""
    rows = [
        Judgment(f"i{item}", f"r{rater}", "q", score=float(score))
        for (item, rater), score in np.ndenumerate(scores)
        if score == score
    ]
    items = [
        Conversation(f"i{at}", (Turn("user", "hi"),), metadata={"at": f"2026-0{1 + at % 2}-03"})
        for at in range(len(scores))
    ]
    return prepare_view(JudgmentTable.of(rows, [NUMBER]), items, folder, time="metadata.at")


def test_raters_who_differ_widen_every_period(tmp_path: Path) -> None:
    """Offsets of 8 raters and 30 conversations a month: both errors add up, as squares."""
    rng = np.random.default_rng(0)
    quality, offset = rng.uniform(1.8, 3.2, 60), rng.uniform(-0.8, 0.8, 8)
    view = view_in_time(tmp_path / "v", quality[:, None] + offset)
    found = over_time(view, Look("q"), every="month", how=Drawing(replicates=2_000))
    for month, one in enumerate(found.lines[0].figures):
        assert one is not None
        error = np.hypot(quality[month::2].std(ddof=1) / 30**0.5, offset.std() / 8**0.5)
        assert np.diff(one.interval)[0] / 2 == pytest.approx(2.045 * error, rel=0.06)


@pytest.mark.nightly
@pytest.mark.parametrize(("apart", "low", "high"), [(0.0, 1.3, 1.8), (0.1, 1.05, 1.4)])
def test_intervals_are_too_wide_where_few_raters_share_conversations(
    tmp_path: Path, apart: float, low: float, high: float
) -> None:
    """Two of 12 raters see each conversation. Drawing raters and conversations at once counts the
    noise of an answer up to three times (Owen 2007), and conversations' differences once.
    Seen: 1.47 and 1.27 times as wide."""
    means: list[float] = []
    widths: list[float] = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        scores = 2.5 + rng.normal(0, apart, (240, 1)) + rng.normal(0, 0.1, (240, 12))
        scores[rng.permuted(np.tile(np.arange(12), (240, 1)), axis=1) >= 2] = math.nan
        view = view_in_time(tmp_path / str(seed), scores)
        for one in over_time(view, Look("q"), every="month", seed=seed).lines[0].figures:
            assert one is not None
            means.append(one.estimate)
            widths.append(float(np.diff(one.interval)[0]))
    error = float(np.sqrt(np.mean(np.square(widths)))) / (2 * t.ppf(0.975, 119))
    assert low <= error / np.std(means) <= high


def test_an_interval_ends_where_the_scale_does(view: View) -> None:
    found = over_time(view, Look("Q0", "system"), every="day", how=Drawing(replicates=20))
    ends = [end for line in found.lines for one in line.figures if one for end in one.interval]
    assert min(ends) == 1.0  # of two conversations a day
    assert max(ends) <= 4.0


def test_a_quantile_draws_raters_and_no_answers(view: View) -> None:
    found = over_time(view, Look("Q0"), every="month", figure="25%", how=Drawing(replicates=200))
    assert found.drawn is not None
    assert (found.drawn["sources"], found.drawn["answers"]) == (["raters", "conversations"], 0)
    one = found.lines[0].figures[0]
    assert one is not None
    assert one.interval[0] < one.estimate < one.interval[1]
    assert "replicates-percentile" in one.method


def test_the_same_seed_gives_the_same_and_what_is_kept_reads_back(view: View) -> None:
    first, again, other = (
        to_json(over_time(view, Look("Q0", "system"), every="day", seed=seed)) for seed in (0, 0, 1)
    )
    assert first == again != other
    assert to_json(OverTime.from_json(json.loads(json.dumps(first)))) == json.loads(
        json.dumps(first)
    )


def test_a_quantile_has_its_exact_interval_where_raters_do_not_vary(view: View) -> None:
    line = over_time(view, Look("Q0"), every="month", figure="25%", how=ALONE).lines[0]
    found = line.figures[0]
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
    assert to_json(found)["lines"][0]["name"] == "new"
    assert not any(one is not None and math.isnan(one.estimate) for one in figures)


def test_what_cannot_be_is_refused(view: View) -> None:
    with pytest.raises(ConfigError, match="every hour"):
        over_time(view, Look("Q0"), every="hour")
    with pytest.raises(ConfigError, match="length have no order"):
        over_time(view, Look("length"))
    with pytest.raises(ConfigError, match="figure 'sum'"):
        over_time(view, Look("Q0"), figure="sum")
    with pytest.raises(ConfigError, match="quantiles over time are of means"):
        over_time(view, Look("Q0", disaggregated=True), figure="5%")
