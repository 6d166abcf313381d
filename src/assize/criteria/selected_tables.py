"""The tables of a selection: its criteria, what they make together, the weights that were tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from assize.criteria.criterion import Labelling
from assize.criteria.selected import Measures, SelectedCriteria
from assize.results import Column, ResultTable, columns
from assize.results.columns import Cell, Mean, Scaled
from assize.results.types import Estimate

_WORDS: Mapping[str, str] = {"sat": "SAT", "dsat": "DSAT"}


def selected_tables(found: SelectedCriteria) -> dict[str, ResultTable]:
    """`criteria` in the order of choice, `together`, and `weights` where they were tuned."""
    tables = {"criteria": _criteria(found), "together": _together(found)}
    if found.tuned is not None:
        tables["weights"] = _weights(found)
    return tables


def _criteria(found: SelectedCriteria) -> ResultTable:
    named = [
        Column("", "count"),
        Column("criterion", cut=True),
        Column("polarity"),
        Column("separation", "number", digits=2, signed=True),
        Column("survives", "percent", digits=0, unit="%"),
        Column("unscored", "count"),
    ]
    some_unscored = any(one.unscored for one in found.chosen)
    rows = [
        (
            place,
            one.criterion.text,
            _WORDS[one.criterion.polarity],
            one.separation,
            one.survives,
            one.unscored if some_unscored else None,
        )
        for place, one in enumerate(found.chosen, start=1)
    ]
    title = f"{len(rows)} criteria of {found.pool:,}, in the order of choice ({found.policy})"
    return ResultTable(title, named, rows)


def _together(found: SelectedCriteria) -> ResultTable:
    labelling = found.criteria.labelling
    assert labelling is not None
    wanted = f"{100 * labelling.precision:g}%"
    sides = [_figures(found.training), _figures(found.held_out)]
    names = (
        "NetSAT of good less that of bad",
        "accuracy of the threshold, %",
        f"labelled at {wanted} precision, %",
        "precision of these labels, %",
    )
    rows = [(name, *(one[at] for one in sides)) for at, name in enumerate(names)]
    rows.insert(1, ("sharpness error", Scaled(found.sharpness_error, 4), None))
    count, good = len(found.items), int(sum(found.good))
    title = f"What they tell apart: {good:,} good and {count - good:,} bad conversations"
    note = (
        "Held out: each fold is scored by criteria that were chosen without it."
        if found.held_out is not None
        else "Chosen and measured on the same conversations: on new ones expect less."
    )
    named = [Column("together"), *columns("number", "chosen on", "held out")]
    return ResultTable(title, named, rows, notes=(_cuts(found), note))


def _figures(one: Measures | None) -> Sequence[Cell]:
    if one is None:
        return [None] * 4
    return [Scaled(one.separation, 2), *map(_percent, one.shares.values())]


def _percent(share: Estimate) -> Scaled:
    low, high = share.interval
    return Scaled(Mean(100 * share.estimate, (100 * low, 100 * high)), 1)


def _cuts(found: SelectedCriteria) -> str:
    one = found.criteria.labelling
    assert one is not None
    low, high = one.low, one.high
    if low is None and high is None:
        said = "no score is labelled, all are left open"
    elif low is None:
        said = f"none is labelled bad, good above {high:g}, left open up to there"
    elif high is None:
        said = f"bad up to {low:g}, none is labelled good, left open above"
    elif low == high:
        said = f"bad up to {low:g}, good above, none is left open"
    else:
        said = f"bad up to {low:g}, good above {high:g}, left open between"
    return f"NetSAT: {said}; threshold {one.threshold:.2f}.{_outside(one)}"


def _outside(one: Labelling) -> str:
    """What to say where the threshold and the window disagree, as where one class is rare."""
    above = one.high is not None and one.threshold > one.high
    if not above and (one.low is None or one.threshold >= one.low):
        return ""
    label, side = ("good", "below") if above else ("bad", "above")
    middle = f"{one.threshold:.2f}"
    between = f"{one.high:g} to {middle}" if above else f"{middle} to {one.low:g}"
    return (
        f" Scores from {between} are labelled {label}, though they lie {side}"
        " the threshold: with these shares of good and bad the precision holds there too."
    )


def _weights(found: SelectedCriteria) -> ResultTable:
    """Weights that choose alike stand on one line."""
    assert found.tuned is not None
    named = [
        Column("weight"),
        Column("labelled", "percent", digits=1),
        Column("separation", "number", digits=2),
        Column("used"),
    ]
    rows = []
    for (share, apart), alike in groupby(
        found.tuned.tried, key=lambda one: (one.yielded, one.separation)
    ):
        weights = [one.weight for one in alike]
        span = f"{weights[0]:g}" + (f" to {weights[-1]:g}" if len(weights) > 1 else "")
        used = f"{found.weight:g}" if found.weight in weights else None
        rows.append((span, share, apart, used))
    title = "Weights of sharpness, on folds held out"
    return ResultTable(title, named, rows)
