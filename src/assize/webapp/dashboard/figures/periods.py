"""Quality over time: a mean or a quantile for each period, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from assize.errors import ConfigError
from assize.formats.times import Period, periods_of
from assize.stats.estimate import Estimate
from assize.stats.intervals import mean
from assize.stats.quantiles import quantile
from assize.tables.numbers import with_interval
from assize.webapp.dashboard.figures.charts import Look, numbers_of
from assize.webapp.dashboard.prepared.view import View

Figure = Literal["mean", "5%", "25%", "50%", "75%", "95%"]
FIGURES: tuple[Figure, ...] = get_args(Figure)


@dataclass(frozen=True, slots=True)
class Timeline:
    """One curve's figure by period; None where a period has none of its conversations."""

    name: str
    figures: Sequence[Estimate | None]


@dataclass(frozen=True, slots=True)
class OverTime:
    """Figures over time.

    Args:
        untimed: numbers of conversations without a time.
    """

    figure: Figure
    every: str
    periods: Sequence[Period]
    lines: Sequence[Timeline]
    untimed: int

    @property
    def rows(self) -> Sequence[tuple[str, ...]]:
        """A row a period: its name, and each curve's figure with its interval, as words."""
        return [
            (period.name, *(_said(line.figures[at]) for line in self.lines))
            for at, period in enumerate(self.periods)
        ]

    def to_json(self) -> dict[str, Any]:
        """As a page reads it."""
        return {
            "figure": self.figure,
            "every": self.every,
            "periods": [
                {"name": one.name, "start": one.start, "stop": one.stop, "n": one.n}
                for one in self.periods
            ],
            "lines": [
                {"name": one.name, "figures": [e and e.to_json() for e in one.figures]}
                for one in self.lines
            ],
            "untimed": self.untimed,
        }


def over_time(view: View, look: Look, *, every: str = "week", figure: str = "mean") -> OverTime:
    """A figure of each curve for each period.

    Means have Student's t intervals, of numbers of conversation and rater with whole
    conversations as units; quantiles have exact ones, and are of means over raters alone.
    Intervals are over conversations: the raters are taken as they are.

    Args:
        every: day, week, month, or a number of conversations.
        figure: one of `FIGURES`.

    Raises:
        ConfigError: the view has no times, or something is not allowed.
    """
    if figure not in FIGURES:
        raise ConfigError(f"figure {figure!r}: allowed are {', '.join(FIGURES)}")
    if view.question(look.question).kind == "nominal":
        raise ConfigError(f"the answers to {look.question} have no order: no mean, no quantile")
    if view.at is None:
        raise ConfigError("these conversations have no times; name the field in `time`")
    if look.disaggregated and figure != "mean":
        raise ConfigError("quantiles over time are of means over raters; put raters together")
    found = numbers_of(view, look)
    at = view.at[found.unit]
    timed = ~np.isnan(at)
    value, unit = found.value[timed], found.unit[timed]
    code, periods = periods_of(at[timed], every)
    group = found.code[unit]
    lines = []
    for place, name in enumerate(found.names):
        mine = group == place
        figures = [
            _figure(value[mine & (code == one)], unit[mine & (code == one)], look, figure)
            for one in range(len(periods))
        ]
        lines.append(Timeline(name, figures))
    return OverTime(figure, every, periods, lines, int((~timed).sum()))


def _said(figure: Estimate | None) -> str:
    return "–" if figure is None else f"{with_interval(figure)}, n = {figure.n:,}"


def _figure(value: Any, unit: Any, look: Look, figure: str) -> Estimate | None:
    if not len(value):
        return None
    if figure == "mean":
        return mean(value, clusters=unit if look.disaggregated else None)
    return quantile(value, float(figure.rstrip("%")) / 100)
