"""The page of `assize criteria watch`: quality over time, when it changed, what dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup

from assize.criteria.watching.watched import Series, Watched
from assize.formats.files import Location
from assize.formats.times import Period, day_of
from assize.pages import charts, page
from assize.pages.charts.timelines import Bands, Change, Timeline, timelines
from assize.pages.page import Section, Tile
from assize.results.numbers import counted, interval, number

MOST = 24  # questions that are drawn
_SMALL = 330
_MILLI = 1000.0


def figures_of(found: Watched) -> Mapping[str, charts.Spec]:
    """`NetSAT`, or the first question, over time; and each other one that changed."""
    first = found.series[0].id
    names = dict.fromkeys([first, *(one.id for one in found.changed)])
    return {name: _figure(found, name) for name in list(names)[: MOST + 1]}


def write_watched(
    path: Location,
    found: Watched,
    *,
    title: str = "Quality over time",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    tables, first = found.tables, found.series[0]
    drawn = [
        page.figure(_figure(found, name, small=True), _caption(found, name))
        for name in dict.fromkeys(one.id for one in found.changed if one.id != first.id)
    ]
    names = [name for name in dict.fromkeys(one.id for one in found.series) if name != first.id]
    others = [page.table(found.by_period(name)) for name in names[:MOST]]
    sections = [
        Section(
            f"{first.text} over time",
            page.join(
                _tiles(found),
                page.figure(_figure(found, first.id), _caption(found, first.id)),
                page.table(tables[first.id]),
            ),
        ),
        Section(
            "What changed, and when",
            page.join(
                page.table(tables["changes"]),
                page.figures(*drawn[:MOST]),
                _further(len(drawn) - MOST),
            ),
        ),
        Section(f"The latest {found.period}", page.table(tables.get("latest"))),
        Section("Every question by period", page.join(*others, _further(len(names) - MOST))),
    ]
    whole = sum(one.n for one in found.periods)
    days = f"{found.periods[0].name} to {day_of(found.periods[-1].stop)}"
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=found.signature,
        subtitle=f"{counted(whole, 'conversation')}, {days}",
        notes=found.notes,
        reproduce=reproduce,
    )


def _further(left: int) -> Markup:
    said = f"{counted(left, 'further question')} not shown."
    return page.paragraph(said, kind="quiet") if left > 0 else page.EMPTY


def _tiles(found: Watched) -> Markup:
    """The first question now, how many changed, how many dropped."""
    tiles = []
    for one in [one for one in found.series if one.id == found.series[0].id]:
        latest = next((each for each in reversed(one.periods) if each is not None), None)
        if latest is not None:
            name = f"{one.text}, {one.group}" if one.group else one.text
            spread = interval(latest.mean, 1)
            tiles.append(
                Tile(f"{name}, latest {found.period}", number(latest.mean.estimate, 1), spread)
            )
    asked = f"of {counted(len(found.series), 'question')}"
    tiles.append(Tile("Changed", f"{len(found.changed):,}", asked))
    tiles.append(Tile("Worse than before", f"{len(found.dropped):,}", f"latest {found.period}"))
    return page.tiles(tiles)


def _caption(found: Watched, name: str) -> str:
    one = next(one for one in found.series if one.id == name)
    what = f"{one.kind}: {one.text.rstrip('.')}." if one.kind else one.text
    return (
        f"{what} Means by {found.period} with 95% intervals."
        if one.kind
        else (
            f"{what}: means by {found.period} with 95% intervals; vertical lines are changes, with"
            " the interval of their date; bars the levels between them."
        )
    )


def _figure(found: Watched, name: str, small: bool = False) -> charts.Spec:
    chosen = [one for one in found.series if one.id == name]
    labelling = found.labelling if name == "NetSAT" else None
    bands = None
    if labelling is not None:
        bands = Bands(labelling.threshold, labelling.low, labelling.high)
    lines = [_timeline(one, found.periods) for one in chosen]
    title = "NetSAT" if name == "NetSAT" else "mean"
    if small:
        return timelines(lines, y_title=title, bands=bands, width=_SMALL, height=170)
    return timelines(lines, y_title=title, bands=bands)


def _timeline(one: Series, periods: Sequence[Period]) -> Timeline:
    x, means = [], []
    for period, figures in zip(periods, one.periods, strict=True):
        x.append(_MILLI * (period.start + period.stop) / 2)
        means.append(figures)
    curve = charts.Curve(
        x,
        [float("nan") if each is None else each.mean.estimate for each in means],
        [float("nan") if each is None else each.mean.interval[0] for each in means],
        [float("nan") if each is None else each.mean.interval[1] for each in means],
    )
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
