"""The page of `assize calibrate study`: the paper's tables and figures for one's own ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from assize.calibration.study.run import Study
from assize.calibration.study.tables import notes
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.charts.lines import reliability
from assize.pages.page import Section, Tile
from assize.results import ResultTable
from assize.results.numbers import counted, interval, number, with_interval
from assize.studies import MEASURES, MethodTable, Point
from assize.studies.tables import curve_measures

MOST_RATERS = 40


def write_study(
    path: Location,
    study: Study,
    *,
    title: str = "Calibration study",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    forms, tables = study.data.forms, study.tables
    sections = [
        *(_part(study, part, tables) for part in study.parts),
        _reliability(study, tables.get("reliability")),
        _curve(study, tables.get("curve")),
        Section("Which questions need asking?", page.table(tables.get("saved"))),
        Section("Every question", _all_of("question ", tables)),
        Section(f"Every question by {study.options.by}", _all_of("system ", tables)),
        _raters(study),
    ]
    subtitle = (
        f"{forms.target.id}: {counted(len(forms), 'form')} about"
        f" {counted(len(np.unique(forms.item)), 'item')} by {counted(len(forms.raters), 'rater')},"
        f" {study.data.folds}"
    )
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=study.signature,
        subtitle=subtitle,
        notes=notes(study),
        reproduce=reproduce,
    )


def _all_of(start: str, tables: Mapping[str, ResultTable]) -> Markup:
    return page.join(*(page.table(one) for name, one in tables.items() if name.startswith(start)))


def _part(study: Study, part: MethodTable, tables: Mapping[str, ResultTable]) -> Section:
    against = _all_of(f"{part.name} by ", tables)
    body = page.join(_tiles(study, part), page.table(tables[part.name]), against)
    return Section(part.name.capitalize(), body)


def _tiles(study: Study, part: MethodTable) -> Markup:
    """The default's headline figures, or the network's."""
    name = "default" if "default" in part.figures else "network"
    found = part.figures.get(name)
    if found is None:
        return page.EMPTY
    titles = {"rmse": "RMSE", "pearson": "Pearson", "log_loss": "Log loss"}
    tiles = [
        Tile(
            f"{titles[measure]}, {name}",
            number(found[measure].estimate),
            interval(found[measure]),
        )
        for measure in titles
        if measure in part.measured
    ]
    return page.tiles([*tiles, Tile("Forms", f"{part.count:,}", part.name)])


def _reliability(study: Study, table: ResultTable | None) -> Section:
    drawn = []
    answers = study.data.forms.target.question.answers
    for name, found in study.reliability.items():
        for answer, one in zip(answers, found, strict=False):
            spec = reliability(
                one, x_title=f"probability of {answer} by {name}", y_title="share of people"
            )
            error = with_interval(one.error)
            drawn.append(page.figure(spec, f"{name}, answer {answer}: smooth ECE {error}."))
    if table is None:
        return Section("", page.EMPTY)
    body = page.join(page.table(table), page.figures(*drawn))
    return Section("Are the probabilities true?", body)


def _curve(study: Study, table: ResultTable | None) -> Section:
    drawn = []
    for measure in curve_measures(study.curve):
        title = MEASURES[measure].title
        spec = charts.curves(
            _by_method(study.curve, measure), x_title="forms learnt from", y_title=title, dots=True
        )
        many = counted(study.curve[0].subsamples, "random subsample")
        caption = f"{title} after learning from so many forms: mean and 5-95% of {many}."
        drawn.append(page.figure(spec, caption))
    if table is None:
        return Section("", page.EMPTY)
    return Section("How many forms are needed?", page.join(page.figures(*drawn), page.table(table)))


def _by_method(points: Sequence[Point], measure: str) -> dict[str, charts.Curve]:
    found = {}
    for method in dict.fromkeys(point.method for point in points):
        kept = [point for point in points if point.method == method]
        each = [point.measures[measure] for point in kept]
        found[method] = charts.Curve(
            [float(point.rows) for point in kept],
            [one.mean for one in each],
            [one.low for one in each],
            [one.high for one in each],
        )
    return found


def _raters(study: Study) -> Section:
    target = study.data.forms.target
    answers = target.question.answers
    kept = study.habits[:MOST_RATERS]
    rows = [
        (f"{one.rater} ({sum(one.counts)})", answer, float(count))
        for one in kept
        for answer, count in zip(answers, one.counts, strict=True)
    ]
    if not rows:
        return Section("", page.EMPTY)
    spec = charts.shares(rows, answers=answers, title=f"answers to {target.id}")
    more = len(study.habits) - len(kept)
    caption = f"How often each rater gave each answer to {target.id} (number of forms)."
    caption += f" {more} raters with fewer forms are not shown." if more else ""
    return Section("How raters differ", page.figure(spec, caption))
