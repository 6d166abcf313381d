"""Charts of quality over time: means by period, with the dates at which they changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from assize.formats.times import Period, day_of
from assize.pages import charts
from assize.pages.charts.timelines import Change, Timeline, timelines
from assize.pages.criteria.figures import cuts_of
from assize.pages.result_page import Charts
from assize.versions.over_time_result import DriftResult, Series

MOST = 24  # questions that are drawn
_SMALL = 330
_MILLI = 1000.0


def draw_drift(result: DriftResult) -> Charts:
    """Return NetSAT, or the first question, over time, and each other one that changed."""
    first = result.series[0].id
    changed = dict.fromkeys(each.id for each in result.series if each.changes and each.id != first)
    main = (_figure(result, first), _caption(result, first))
    small = [
        (_figure(result, name, small=True), _caption(result, name)) for name in list(changed)[:MOST]
    ]
    return {f"{result.series[0].text} over time": [main], "changes": small}


def _caption(found: DriftResult, name: str) -> str:
    one = next(one for one in found.series if one.id == name)
    what = f"{one.kind}: {one.text.rstrip('.')}." if one.kind else one.text
    return (
        f"{what} Means by {found.period} with {found.confidence} intervals."
        if one.kind
        else (
            f"{what}: means by {found.period} with {found.confidence} intervals; vertical lines"
            " mark changes, with the interval of their date; horizontal bars are the levels"
            " between them."
        )
    )


def _figure(found: DriftResult, name: str, small: bool = False) -> charts.Spec:
    cuts = cuts_of(found.labelling if name == "NetSAT" else None)
    lines = [_timeline(one, found.periods) for one in found.series if one.id == name]
    title = "NetSAT" if name == "NetSAT" else "mean"
    size: dict[str, Any] = {"width": _SMALL, "height": 170} if small else {}
    return timelines(lines, y_title=title, cuts=cuts, **size)


def _timeline(one: Series, periods: Sequence[Period]) -> Timeline:
    x = [_MILLI * (period.start + period.stop) / 2 for period in periods]
    curve = charts.Curve.of(x, [None if means is None else means.mean for means in one.periods])
    marks = [
        Change(
            _MILLI * each.at,
            _MILLI * each.interval[0],
            _MILLI * each.interval[1],
            day_of(each.at),
            one.verdict(each.difference.estimate) == "worse",
        )
        for each in one.changes
    ]
    levels = []
    if one.changes:
        ends = [periods[0].start, *(each.at for each in one.changes), periods[-1].stop]
        means_between = [one.changes[0].before, *(each.after for each in one.changes)]
        levels = [
            (_MILLI * start, _MILLI * stop, level.estimate)
            for (start, stop), level in zip(pairwise(ends), means_between, strict=True)
        ]
    return Timeline(one.group or one.text, curve, levels, marks)
