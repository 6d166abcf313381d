"""Quality over time: a mean, a quantile, or shares of answers for each period, with intervals.

Intervals draw what bands draw (`resampling`), within each period of each curve: those of means
are Student's t with the replicates' standard error, those of quantiles percentiles. For a
quantile no answers are drawn: means of drawn answers lie further out than expected ones, and
their quantiles would be no replicates of it. Where neither raters nor answers vary the intervals
are exact ones over conversations: Student's t, and order statistics.

Of a nominal question the figures are shares (`period_shares`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.base.signature import sign
from assize.formats.times import Period, periods_of
from assize.results import Estimate, to_json
from assize.results.numbers import percent, percents, with_interval
from assize.stats._intervals import mean
from assize.stats._quantiles import quantile
from assize.web._dashboard.figures.charts import Look, numbers_of
from assize.web._dashboard.figures.densities import grid_of, scale_ends
from assize.web._dashboard.figures.estimates import by_percentiles, by_replicates
from assize.web._dashboard.figures.panels import panel_of
from assize.web._dashboard.figures.replicates import drawn_means, drawn_quantiles
from assize.web._dashboard.figures.resampling import Drawing, Drawn, Resampler
from assize.web._dashboard.prepared.view import View

METHOD = 2  # rises when numbers can change
Figure = Literal["mean", "5%", "25%", "50%", "75%", "95%"]
FIGURES: tuple[Figure, ...] = get_args(Figure)
SHARE = "share"  # the figure of a nominal question


@dataclass(frozen=True, slots=True)
class Timeline:
    """One curve's figure by period; None where a period has none of its conversations."""

    name: str
    figures: Sequence[Estimate | None]


@dataclass(frozen=True, slots=True)
class OverTime:
    """Figures over time.

    Args:
        figure: one of `FIGURES`, or `SHARE`.
        untimed: numbers of conversations without a time; of a nominal question answers.
        drawn: what the intervals draw; None where they are exact ones over conversations.
        answer: of which shares are shown; "" where each line is an answer.
        left_out: groups, or answers, that are not drawn, as there are more than six.
    """

    figure: str
    every: str
    periods: Sequence[Period]
    lines: Sequence[Timeline]
    untimed: int
    drawn: Mapping[str, Any] | None
    answer: str = ""
    left_out: Sequence[str] = ()

    @property
    def rows(self) -> Sequence[tuple[str, ...]]:
        """A row a period: its name, and each curve's figure with its interval, as words."""
        return [
            (period.name, *(_said(line.figures[at], self.figure) for line in self.lines))
            for at, period in enumerate(self.periods)
        ]

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> OverTime:
        """What `results.to_json` made of it, without the figures' methods."""
        return cls(
            given["figure"],
            given["every"],
            [Period(**one) for one in given["periods"]],
            [
                Timeline(one["name"], [_estimate(e) for e in one["figures"]])
                for one in given["lines"]
            ],
            given["untimed"],
            given.get("drawn"),
            given["answer"],
            given["left_out"],
        )


def _estimate(given: Mapping[str, Any] | None) -> Estimate | None:
    if given is None:
        return None
    low, high = (math.nan if end is None else end for end in given["interval"])
    return Estimate(
        given["estimate"],
        (low, high),
        given["n"],
        given["unscored"],
        given.get("reason"),
        given["signature"],
    )


def over_time(
    view: View,
    look: Look,
    *,
    every: str = "week",
    figure: str = "mean",
    how: Drawing = Drawing(),  # noqa: B008  (frozen)
    seed: int = 0,
) -> OverTime:
    """A figure of each curve for each period.

    Quantiles are of means over raters alone.

    Args:
        every: day, week, month, or a number of conversations.
        figure: one of `FIGURES`.
        how: what the intervals draw; kept apart no answers, as for bands.
        seed: with the look it decides every draw.

    Raises:
        ConfigError: the view has no times, or something is not allowed.
    """
    if figure not in FIGURES:
        raise ConfigError(f"figure {figure!r}: allowed are {', '.join(FIGURES)}")
    if view.question(look.question).kind == "nominal":
        raise ConfigError(
            f"the answers to {look.question} have no order: no mean, no quantile;"
            " `shares_over_time` has their shares"
        )
    if view.at is None:
        raise ConfigError("these conversations have no times; name the field in `time`")
    if look.disaggregated and figure != "mean":
        raise ConfigError("quantiles over time are of means over raters; put raters together")
    found = numbers_of(view, look)
    at = view.at[found.unit]
    timed = ~np.isnan(at)
    value, unit = found.value[timed], found.unit[timed]
    period, periods = periods_of(at[timed], every)
    cell = found.code[unit] * len(periods) + period  # a curve's numbers of one period
    cells = len(found.names) * len(periods)
    parts = np.split(np.argsort(cell, kind="stable"), np.bincount(cell, minlength=cells).cumsum())
    figures = [_figure(value[mine], unit[mine], look, figure) for mine in parts[:cells]]
    code = np.full(view.size, -1)
    code[unit] = cell
    figures, told = _drawn(view, look, figures, code, figure, how, seed)
    lines = [
        Timeline(name, figures[at * len(periods) : (at + 1) * len(periods)])
        for at, name in enumerate(found.names)
    ]
    return OverTime(
        figure,
        every,
        periods,
        lines,
        int((~timed).sum()),
        None if told.conversations_alone else to_json(told),
        left_out=found.left_out,
    )


def _drawn(
    view: View,
    look: Look,
    figures: list[Estimate | None],
    code: NDArray[np.integer],
    figure: str,
    how: Drawing,
    seed: int,
) -> tuple[list[Estimate | None], Drawn]:
    """The figures with the intervals of replicates, where raters or answers vary."""
    if figure != "mean" or look.disaggregated:
        how = how.without_answers()
    rng = np.random.default_rng([seed, int(sign(look.said, figure), 16)])
    panel = panel_of(view, look.panel)
    draws = Resampler(view.cells(look.question), panel, view.size, how, rng)
    told = draws.told(seed, METHOD, view.made_of, look.said, figure)
    if told.conversations_alone:
        return figures, told
    if figure == "mean":
        drawn = drawn_means(draws, code, len(figures), disaggregated=look.disaggregated)
        ends = scale_ends(view.question(look.question))
        return [
            one and by_replicates(one, each, one.clusters, told).within(ends)
            for one, each in zip(figures, drawn.T, strict=True)
        ], told
    grid = grid_of(view.question(look.question), numbers_of(view, look).value)
    drawn = drawn_quantiles(draws, grid, code, len(figures), _share(figure))
    return [
        one and by_percentiles(one, each, told) for one, each in zip(figures, drawn.T, strict=True)
    ], told


def _share(figure: str) -> float:
    return float(figure.rstrip("%")) / 100


def _said(one: Estimate | None, figure: str) -> str:
    if one is None:
        return "–"
    said = f"{percent(one.estimate)} {percents(one)}".rstrip()
    return f"{said if figure == SHARE else with_interval(one)}, n = {one.n:,}"


def _figure(value: Any, unit: Any, look: Look, figure: str) -> Estimate | None:
    if not len(value):
        return None
    if figure == "mean":
        return mean(value, clusters=unit if look.disaggregated else None)
    return quantile(value, _share(figure))
