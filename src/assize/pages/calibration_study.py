"""The page of `assize calibrate study`: the paper's tables and figures for one's own ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from assize.calibration.study.run import CURVE, Study
from assize.calibration.study.tables import (
    against_rows,
    counted,
    curve_rows,
    notes,
    part_name,
    question_rows,
    reliability_rows,
    repeated,
    saved_rows,
    shown,
    sources,
    system_rows,
    with_interval,
    with_spread,
)
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.studies import LOSSES, MEASURES, Figure, MethodTable, Point, Row, counts

MOST_RATERS = 40
SEEN = 0.02  # density below which a reliability curve means nothing


def write_study(
    path: Location,
    study: Study,
    *,
    title: str = "Calibration study",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        reproduce: command lines that lead to this page.
    """
    forms = study.data.forms
    sections = [
        *(_part(study, part) for part in study.parts),
        _reliability(study),
        _curve(study),
        _saved(study),
        _questions(study),
        _systems(study),
        _raters(study),
    ]
    subtitle = (
        f"{forms.target.id}: {counted(len(forms), 'form')} about"
        f" {counted(len(np.unique(forms.item)), 'item')} by {counted(len(forms.raters), 'rater')},"
        f" {study.data.folds}"
    )
    return page.write_page(
        path, title, [one for one in sections if one.body.strip()], signature=study.signature,
        subtitle=subtitle, notes=notes(study), reproduce=reproduce,
    )  # fmt: skip


def _part(study: Study, part: MethodTable) -> Section:
    names = list(part.measured)
    seeds = len(study.data.folds.seeds)
    over = f"Means ± deviations over {counted(seeds, 'seed')}" if seeds > 1 else "At one seed"
    note = (
        f"{over}, {study.data.folds}; below them the 95% interval over items, at one seed."
        " Unscored are forms without a prediction."
    )
    header = ["method", "group", *(one.title for one in part.measured.values()), "n"]
    rows = [_row(row, part.figures[row.name], names) for row in study.rows]
    caption = f"Every method, {part_name(study, part)}"
    tables = [page.table(caption, header, rows, texts=(0, 1), note=note)]
    for loss in LOSSES:
        header, found = against_rows(study, part, loss)
        if found:
            note = (
                "Mean loss less that of another method: below 0 is better. p: paired permutation"
                " tests, flipped item by item, after Holm's correction over all pairs of methods;"
                " --json has every pair."
            )
            tables.append(page.table(f"By {loss}", header, found, note=note))
    return Section(part.name.capitalize(), page.join(_tiles(study, part), *tables))


def _row(row: Row, found: Mapping[str, Figure], names: Sequence[str]) -> list[str | Markup]:
    cells = [page.two_lines(with_spread(found[name]), _ends(found[name])) for name in names]
    n, missing = counts(found)
    unscored = f"{missing:,} unscored" if missing else ""
    return [row.name, row.group, *cells, page.two_lines(f"{n:,}", unscored)]


def _tiles(study: Study, part: MethodTable) -> Markup:
    """The default's headline figures, or the network's."""
    name = "default" if "default" in part.figures else "network"
    found = part.figures.get(name)
    if found is None:
        return page.EMPTY
    titles = {"rmse": "RMSE", "pearson": "Pearson", "log_loss": "Log loss"}
    tiles = [
        Tile(f"{titles[measure]}, {name}", shown(found[measure].estimate), _ends(found[measure]))
        for measure in titles
        if measure in part.measured
    ]
    return page.tiles([*tiles, Tile("Forms", f"{part.count:,}", part.name)])


def _ends(figure: Figure) -> str:
    low, high = figure.interval
    return "" if np.isnan(low) else f"{shown(low)} to {shown(high)}"


def _reliability(study: Study) -> Section:
    drawn = []
    answers = study.data.forms.target.question.answers
    for name, found in study.reliability.items():
        for answer, one in zip(answers, found, strict=False):
            seen = one.density > SEEN
            curve, low, high = (
                np.where(seen, column, np.nan).tolist() for column in (one.curve, one.low, one.high)
            )
            spec = charts.line_with_band(
                one.at.tolist(), curve, low, high,
                x_title=f"probability of {answer} by {name}", y_title="share of people",
            )  # fmt: skip
            error = with_interval(one.error)
            drawn.append(page.figure(spec, f"{name}, answer {answer}: smooth ECE {error}."))
    header, rows = reliability_rows(study)
    if not rows:
        return Section("", page.EMPTY)
    table = page.table("Smooth calibration error of each answer", header, rows)
    return Section("Are the probabilities true?", page.join(table, page.figures(*drawn)))


def _curve(study: Study) -> Section:
    if not study.curve:
        return Section("", page.EMPTY)
    header, rows = curve_rows(study)
    table = page.table("Learning curve", header, rows, note=repeated(study))
    drawn = []
    for measure in CURVE:
        title = MEASURES[measure].title
        if title not in header:
            continue
        spec = charts.curves(
            _by_method(study.curve, measure), x_title="forms learnt from", y_title=title, dots=True
        )
        many = counted(study.curve[0].subsamples, "random subsample")
        caption = f"{title} after learning from so many forms: mean and 5-95% of {many}."
        drawn.append(page.figure(spec, caption))
    return Section("How many forms are needed?", page.join(page.figures(*drawn), table))


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


def _saved(study: Study) -> Section:
    header, rows = saved_rows(study)
    if not rows:
        return Section("", page.EMPTY)
    note = (
        "An adaptive rubric asks next what is expected to take most off the variance of the"
        " main score (on the target's scale, squared), and stops where that is too little."
        " Predictions average over what the model might have answered to the rest."
    )
    table = page.table("Calls saved against accuracy", header, rows, texts=(0, 1), note=note)
    return Section("Which questions need asking?", table)


def _questions(study: Study) -> Section:
    tables = []
    for measure in CURVE:
        header, rows = question_rows(study, measure)
        if rows:
            note = f"Each question being the target in turn; {study.data.folds}."
            tables.append(page.table(MEASURES[measure].title, header, rows, note=note))
    return Section("Every question", page.join(*tables))


def _systems(study: Study) -> Section:
    tables = []
    for source in sources(study.systems):
        header, rows = system_rows(study.systems, source)
        note = "Mean ± standard deviation (n). ID=ANSWER is the share of one unordered answer."
        tables.append(page.table(source, header, rows, note=note))
    return Section(f"Every question by {study.options.by}", page.join(*tables))


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
