"""The charts of `assize study juries`: who is right how often, and whether juries differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from assize.juries.study import JuryStudy
from assize.juries.study.rows import JuryRow
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.jury import COLOURS
from assize.pages.result_page import Charts

MOST_ROWS = 40
"""Juries that are drawn below each other; the tables hold all."""
ANSWERS = ("win", "tie", "loss", "unscored")
Captioned = tuple[Spec, str]


def draw_jury_study(study: JuryStudy) -> Charts:
    """Return the charts of a study, by the table that they stand above."""
    return {
        "juries": list(_draw_wins(study)),
        "comparisons": list(_draw_differences(study)),
        "runs": list(_draw_runs(study)),
    }


def _draw_wins(study: JuryStudy) -> Iterator[Captioned]:
    """Each data set's juries, most often right first: their wins, and all results."""
    least = study.study.least[0] or None
    known = [row for row in study.juries if row.win is not None and row.least_turns == least]
    for name, group in groupby(known, key=lambda row: row.set):
        rows = sorted(group, key=_losses)[:MOST_ROWS]
        labels = [row.jury for row in rows]
        wins = [
            (label, row.win) for label, row in zip(labels, rows, strict=True) if row.win is not None
        ]
        spec = charts.means(wins, title="pairs decided rightly", format="%")
        yield spec, f"{name}: share of all pairs, with 95% intervals."
        counts: list[tuple[str, str, float]] = []
        for label, row in zip(labels, rows, strict=True):
            shares = [share.count for share in (row.win, row.tie, row.loss) if share is not None]
            each = (*shares, (row.n or 0) - sum(shares))
            counts += [(label, answer, n) for answer, n in zip(ANSWERS, each, strict=True)]
        spec = charts.shares(counts, answers=ANSWERS, title="pairs", palette=COLOURS)
        yield spec, f"{name}: what each came to."


def _losses(row: JuryRow) -> float:
    return 1.0 if row.win is None else -row.win.estimate


def _draw_differences(study: JuryStudy) -> Iterator[Captioned]:
    """The first jury of each data set less the others."""
    for name, group in groupby(study.comparisons, key=lambda pair: pair.set):
        pairs = list(group)
        rows = [(pair.second, pair.difference) for pair in pairs if pair.first == pairs[0].first]
        spec = charts.means(rows[:MOST_ROWS], title="right more often by", format="+%", mark=0.0)
        where = "" if name is None else f", {name}"
        caption = f"{pairs[0].first} less each other jury{where}, with intervals of a bootstrap."
        yield spec, caption


def _draw_runs(study: JuryStudy) -> Iterator[Captioned]:
    """Every run's share of wins, a judge or jury below the other."""
    rows = [(f"{row.jury}, run {row.run}", row.win) for row in study.runs if row.win is not None]
    spec = charts.means(rows[:MOST_ROWS], title="pairs decided rightly", format="%")
    yield spec, "Each run by itself, with 95% intervals over pairs."
