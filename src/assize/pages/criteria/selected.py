"""The page of `assize criteria select`: what was chosen, how sharply it tells good from bad."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from assize.criteria.selected import Chosen, SelectedCriteria
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.criteria.figures import (
    cuts_of,
    netsat,
    precision,
    sentences,
    share_tile,
    yield_tiles,
)
from assize.pages.criteria.quotes import fitted, short
from assize.pages.page import Section, Tile
from assize.results import Column, ResultTable, columns
from assize.results.numbers import number, percent

MOST_CHOSEN = 200
MOST_LEFT_OUT = 50


def write_selected(
    path: Location,
    found: SelectedCriteria,
    *,
    title: str = "Criteria selected",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    tables = found.tables
    sections = [
        Section("At a glance", page.join(_tiles(found), page.table(tables["together"]))),
        Section("Precision and scores", _figures(found)),
        Section("The criteria", _criteria(found)),
        Section("The weight of sharpness", _weights(found, tables.get("weights"))),
        Section("Folds", page.table(_folds(found))),
        Section("Left out", page.table(_left_out(found))),
    ]
    good = int(sum(found.good))
    subtitle = (
        f"{len(found.chosen):,} of {found.pool:,} criteria by {found.policy}, on {good:,} good and"
        f" {len(found.good) - good:,} bad conversations"
    )
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=found.signature,
        subtitle=subtitle,
        notes=sentences([*found.labels.notes, *found.told]),
        reproduce=reproduce,
    )


def _tiles(found: SelectedCriteria) -> Markup:
    labelling = found.criteria.labelling
    assert labelling is not None
    measured = found.training if found.held_out is None else found.held_out
    where = "chosen on" if found.held_out is None else "held out"
    kept = measured.yielded
    wanted = f"Labelled at {100 * labelling.precision:g}% precision"
    right = measured.shares["accuracy"]
    return page.tiles(
        [
            Tile("Good less bad, NetSAT", number(measured.separation, 1), where),
            *yield_tiles(wanted, kept, where),
            share_tile("Accuracy of the threshold", right, where),
        ]
    )


def figures_of(found: SelectedCriteria) -> dict[str, charts.Spec]:
    """`curves` and `distributions`, as the page and `plot` draw them; `weights` where tuned."""
    labelling = found.criteria.labelling
    assert labelling is not None
    cuts = cuts_of(labelling)
    nets = found.nets if found.folds is None else found.folds.nets
    drawn = {
        "curves": precision(found.curves, cuts, labelling.precision),
        "distributions": netsat(nets, found.good, cuts),
    }
    if found.tuned is not None and len(found.tuned.tried) > 1:
        rows = [
            (f"{one.weight:g}", one.yielded, float("nan"), float("nan"))
            for one in found.tuned.tried
        ]
        drawn["weights"] = charts.means(rows, title="share labelled", format="~%")
    return drawn


def _figures(found: SelectedCriteria) -> Markup:
    drawn = figures_of(found)
    labelling = found.criteria.labelling
    assert labelling is not None
    curves = (
        "Precision of each label at every threshold (solid), on the conversations that the criteria"
        f" were chosen on, and the tanh that sharpness compares it with (dashed). {_shaded(found)}"
    )
    spread = "NetSAT by class" + (
        ", each fifth scored by criteria that were chosen without it."
        if found.folds is not None and len(set(found.folds.folds.tolist())) == 5
        else ", each fold scored by criteria that were chosen without it."
        if found.folds is not None
        else ", on the conversations that the criteria were chosen on."
    )
    return page.figures(
        page.figure(drawn["curves"], curves), page.figure(drawn["distributions"], spread)
    )


def _shaded(found: SelectedCriteria) -> str:
    one = found.criteria.labelling
    assert one is not None
    if one.low is not None and one.low == one.high:
        return f"Nothing is left open: scores above {one.low:g} are called good, all others bad."
    wanted = f"{100 * one.precision:g}%"
    return f"Shaded: scores that are left open, for no label there has a precision of {wanted}."


def _criteria(found: SelectedCriteria) -> Markup:
    shown = found.chosen[:MOST_CHOSEN]
    lasting = any(one.survives is not None for one in shown)
    lead = (
        "In the order of choice; all of them weigh alike in NetSAT. Separation: the mean"
        " evaluation of the class that a criterion speaks of less that of the other, of 10."
    )
    lead += (
        " Survives: how often it is chosen on bootstrap samples; one that survives half of the"
        " time has a rival that says as much."
        if lasting
        else " How stable the choice is was not asked (--stability 100)."
    )
    rest = len(found.chosen) - len(shown)
    return page.render(
        "criteria/chosen.html",
        lead=lead,
        chosen=[_row(one) for one in shown],
        rest=rest,
        lasting=lasting,
        unscored=any(one.unscored for one in shown),
    )


def _row(one: Chosen) -> dict[str, object]:
    criterion = fitted(one.criterion)
    return {
        "criterion": criterion,
        "separation": number(one.separation, 2, signed=True),
        "bar": min(max(one.separation, 0.0), 10.0),
        "survives": None if one.survives is None else percent(one.survives, 0),
        "lasts": 0.0 if one.survives is None else 10 * one.survives,
        "unscored": one.unscored,
    }


def _weights(found: SelectedCriteria, table: ResultTable | None) -> Markup:
    lead = f"The objective is separation less {found.weight:g} times the sharpness error"
    lead += ": sharpness does not count." if found.weight == 0 else "."
    if table is None:
        return page.paragraph(lead)
    drawn = figures_of(found).get("weights")
    picture = page.EMPTY
    if drawn is not None and len(table.rows) > 1:
        caption = "How many of the conversations held out can be labelled, by weight."
        picture = page.figure(drawn, caption)
    return page.join(page.paragraph(lead), page.figures(page.table(table), picture))


def _folds(found: SelectedCriteria) -> ResultTable | None:
    """What each fold got from criteria that were chosen on the others."""
    folds = found.folds
    if folds is None:
        return None
    good = np.asarray(found.good, dtype=bool)
    rows = []
    for fold in range(int(folds.folds.max()) + 1):
        held = folds.folds == fold
        nets, labels = folds.nets[held], good[held]
        means = nets[labels].mean(), nets[~labels].mean()
        rows.append(
            (
                f"{fold + 1}",
                int(labels.sum()),
                int((~labels).sum()),
                *map(float, means),
                float(means[0] - means[1]),
            )
        )
    named = columns("words", "fold") + columns("count", "good", "bad")
    named += columns("number", "NetSAT of good", "of bad", "difference", digits=2)
    note = "Each fold is scored by criteria that were chosen on the others."
    return ResultTable("NetSAT of the conversations held out, by fold", named, rows, [note])


def _left_out(found: SelectedCriteria) -> ResultTable | None:
    if not found.left_out:
        return None
    rows = [
        (one.criterion.polarity.upper(), short(one.criterion.text), one.unscored, one.of)
        for one in found.left_out[:MOST_LEFT_OUT]
    ]
    more = len(found.left_out) - len(rows)
    named = [Column("kind"), Column("criterion"), *columns("count", "unscored", "of")]
    notes = [f"{more:,} more are not shown."] if more else []
    return ResultTable("Scored on too few conversations to be chosen", named, rows, notes)
