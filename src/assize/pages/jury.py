"""The charts of `assize jury`: who wins, where each decision fell, how reliable judges are."""

from __future__ import annotations

from assize.juries import JuryResult
from assize.juries.jury_result import short_names
from assize.juries.outcome import JudgeResult
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.reliabilities import draw_reliabilities
from assize.pages.result_page import Charts

COLOURS = (charts.SERIES[2], charts.SERIES[5], charts.SERIES[3], charts.RAMP[0])


def draw_jury(result: JuryResult) -> Charts:
    """Return the charts of a jury, by the table that they stand above."""
    return {
        "judges": [(result_bars(result), "The jury, and each judge alone.")],
        **draw_reliabilities(result),
    }


def result_bars(result: JuryResult) -> Spec:
    """Return win, tie and loss of the jury and of each judge alone as stacked bars."""
    short = short_names(result.members)
    answers = ["win", "tie", "loss"] if result.gold else ["A", "tie", "B"]
    rows: list[tuple[str, str, float]] = []
    bars: list[tuple[str, JuryResult | JudgeResult]] = [("jury", result)]
    bars += [(short[row.judge], row) for row in result.judges]
    for name, row in bars:
        shares = (row.win, row.a, row.tie, row.loss, row.b)
        counts = [share.count for share in shares if share is not None]
        rows += [(name, answer, count) for answer, count in zip(answers, counts, strict=True)]
        rows.append((name, "unscored", row.n - sum(counts)))
    return charts.shares(rows, answers=[*answers, "unscored"], title="items", palette=COLOURS)
