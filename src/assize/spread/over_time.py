"""Means, quantiles or shares of answers by period, with intervals.

For a quantile no answers are drawn: means of drawn answers lie further out than expected ones, and
their quantiles would be no replicates of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from assize.base.errors import ConfigError
from assize.formats.times import Period, periods_of
from assize.judgments.values import name_answer, scale_ends
from assize.results import Estimate
from assize.spread.bootstrap import (
    Sample,
    estimate_mean,
    estimate_share,
    grid_counts,
    group_means,
)
from assize.spread.density import make_grid
from assize.spread.groups import MOST
from assize.spread.look import Look
from assize.spread.options import QUANTILES
from assize.spread.ratings import FloatArray
from assize.spread.result import PeriodFigure
from assize.stats._resampling import percentile_ends


def follow(look: Look) -> tuple[Sequence[Period], Sequence[PeriodFigure]]:
    """Return the periods, and a figure of each line in each of them.

    Lines are groups; of a nominal question without groups its six most frequent answers, with
    groups the share of its first answer.

    Raises:
        ConfigError: no conversation has a time, or a quantile is asked for with raters kept apart.
    """
    options, groups, times = look.options, look.groups, look.ratings.times
    nominal = look.question.kind == "nominal"
    quantile = None if nominal else QUANTILES.get(options.figure)
    if np.isnan(times).all():
        raise ConfigError("every: these conversations have no times; name the field (time)")
    if quantile is not None and options.apart:
        raise ConfigError("figure: a quantile over time is of means over raters; leave apart out")
    unit = np.flatnonzero((look.observed.count > 0) & (groups.code >= 0) & ~np.isnan(times))
    period, spans = periods_of(times[unit], options.every)
    cells = len(groups.names) * len(spans)
    code = np.full(look.ratings.size, -1)
    code[unit] = groups.code[unit] * len(spans) + period
    summarize: Callable[[Sample], FloatArray] = lambda sample: group_means(  # noqa: E731
        sample, code, cells, apart=options.apart
    )
    if quantile is not None:
        grid = make_grid(look.question, look.numbers)

        def summarize(sample: Sample) -> FloatArray:
            up_to = grid_counts(sample, grid, code, cells).cumsum(axis=1)
            position = (up_to >= quantile * up_to[:, -1:]).argmax(axis=1)
            return np.where(up_to[:, -1] > 0, grid.centres[position], np.nan)[:, None]

    value = summarize(look.observed)
    replicates = look.resample(summarize, code, answers=quantile is None)
    counts, how = look.counts(code, cells), options.resampling

    def estimate(cell: int, column: int) -> Estimate | None:
        size = int(counts.conversations[cell])
        if not size:
            return None
        figure, own = float(value[cell, column]), replicates[:, cell, column]
        n, unscored = int(counts.n[cell]), int(counts.unscored[cell])
        if nominal:
            answers = int(counts.answers[cell])
            return estimate_share(figure, own, size, how, n=n, answers=answers, unscored=unscored)
        mean = estimate_mean(figure, own, size, how, n=n, unscored=unscored)
        if quantile is not None:
            return replace(mean, interval=percentile_ends(own, how.confidence).interval)
        return mean.within(scale_ends(look.question))

    lines = [(name, row, 0) for row, name in enumerate(groups.names)]
    if nominal and len(groups.names) == 1:
        often = np.argsort(-value[:, :].T @ counts.conversations, kind="stable")[:MOST]
        answers = look.question.answers
        lines = [
            (name_answer(look.question, answers[entry]), 0, entry)
            for entry in sorted(often.tolist())
        ]
    figures = []
    for name, row, column in lines:
        for position, span in enumerate(spans):
            result = estimate(row * len(spans) + position, column)
            both = (None, result) if nominal else (result, None)
            figures.append(PeriodFigure(look.question.id, name, span.name, *both))
    return spans, figures
