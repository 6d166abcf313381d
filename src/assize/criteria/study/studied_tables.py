"""The tables of a study, in the shape of RUBICON's tables 1 to 3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assize.agreement.result import Agreement
from assize.criteria.study.studied import CriteriaStudy, Figures, Studied
from assize.results import Column, ResultTable
from assize.results.columns import Cell

_PUBLISHED = ("delta_netsat", "yield_test", "accuracy", "precision", "recall", "f1")
_OURS = ("yield_train", "precision_train", "correlation")
_COMPARED = len(_PUBLISHED) + 2  # all but the correlation, of which more is not better


def studied_tables(found: CriteriaStudy) -> dict[str, ResultTable]:
    """`methods`, `policies`, the differences of each to the first, and the labels' agreement."""
    tables = {}
    by_method = [one for one in found.rows if one.policy == found.policies[0]]
    several, choosing = len(found.methods) > 1, len(found.policies) > 1
    if several or not choosing or all(one.whole for one in found.rows):
        title = f"Methods, chosen by {found.policies[0]}: {_halves(found)}"
        tables["methods"] = _figures(found, title, by_method, policies=False)
    if several:
        first = found.methods[0]
        tables["methods less the first"] = _less(
            found, f"Methods less {first}", [(one, one.less_method) for one in by_method], False
        )
    chosen = [one for one in found.rows if not one.whole]
    if choosing and chosen:
        title = f"Policies: {_halves(found)}"
        tables["policies"] = _figures(found, title, chosen, policies=True)
        tables["policies less the first"] = _less(
            found,
            f"Policies less {found.policies[0]}",
            [(one, one.less_policy) for one in chosen],
            True,
        )
    if found.agreement is not None:
        tables["agreement of labels"] = _agreement(found.agreement)
    return tables


def _agreement(found: Agreement) -> ResultTable:
    """All labellers together, or the two that there are."""
    tables = found.tables
    table = tables.get("overall", tables.get("pairs", tables["judges"]))
    people = len(found.judges)
    return replace(table, title=f"Agreement of the {people:,} people who labelled")


def _halves(found: CriteriaStudy) -> str:
    good, bad = found.test
    splits = "" if found.splits == 1 else f", means over {found.splits} splits"
    return f"{good:,} good and {bad:,} bad test conversations{splits}"


def _figures(
    found: CriteriaStudy, title: str, rows: Sequence[Studied], *, policies: bool
) -> ResultTable:
    grouped = _several(rows, policies)
    some_unscored = any(one.unscored for one in rows)
    named = [
        *_names(policies, grouped),
        *_columns(found, signed=False),
        Column("criteria", "number", digits=0 if found.splits == 1 else 1),
        Column("of", "count"),
        Column("n", "count"),
        Column("unscored", "count"),
    ]
    each = [
        (
            *_named(one, policies, grouped),
            *_cells(one.figures),
            one.size,
            one.pool,
            one.n,
            one.unscored if some_unscored else None,
        )
        for one in rows
    ]
    return ResultTable(title, named, each, _notes(found, rows, policies), grouped)


def _less(
    found: CriteriaStudy,
    title: str,
    rows: Sequence[tuple[Studied, Figures | None]],
    policies: bool,
) -> ResultTable:
    grouped = _several([one for one, _ in rows], policies)
    named = [*_names(policies, grouped), *_columns(found, signed=True)[:_COMPARED]]
    each = [
        (*_named(one, policies, grouped), *_cells(less)[:_COMPARED])
        for one, less in rows
        if less is not None
    ]
    note = "Below each difference its 95% interval, both on the same resamples."
    return ResultTable(title, named, each, [note], grouped)


def _names(policies: bool, grouped: bool) -> list[Column]:
    first = [Column("group")] if grouped else []
    return [*first, Column("policy" if policies else "technique")]


def _several(rows: Sequence[Studied], policies: bool) -> bool:
    return policies and len({one.method for one in rows}) > 1


def _named(one: Studied, policies: bool, grouped: bool) -> Sequence[str]:
    first = [one.method] if grouped else []
    return [*first, one.policy if policies else one.method]


def _columns(found: CriteriaStudy, *, signed: bool) -> list[Column]:
    shares = (f"YR@{_wanted(found)}", "A", "P", "R", "F1", "YR train", "its P")
    coarse = 1 if signed else 0  # of intervals: whole points are as much as some tens can tell
    return [
        Column("ΔNS", "number", digits=1, ends="below", signed=signed),
        *(
            Column(one, "percent", digits=1, ends="below", signed=signed, coarse=coarse)
            for one in shares
        ),
        Column("r", "number", digits=2, ends="below", signed=signed),
    ]


def _cells(figures: Figures) -> Sequence[Cell]:
    return [figures[name] for name in (*_PUBLISHED, *_OURS)]


def _wanted(found: CriteriaStudy) -> str:
    return f"{100 * found.precision:g}"


def _notes(found: CriteriaStudy, rows: Sequence[Studied], policies: bool) -> Sequence[str]:
    whole = sorted({one.method for one in (found.rows if policies else rows) if one.whole})
    budget = [f"{', '.join(whole)}: within the budgets, so taken whole by every policy."]
    said = budget if whole else []
    if policies and len(found.methods) > 1:
        return said  # the table before this one says what the figures are
    wanted = _wanted(found)
    return [
        "ΔNS: NetSAT of good less that of bad. A, P, R, F1 (%): of the threshold learnt on the"
        " training half.",
        f"YR@{wanted}: % labelled at {wanted}% precision by a window found on the test half, as"
        " published. YR train, its P: % labelled by the window of the training half, and % of these"
        " labels that are right.",
        "r: Pearson, of the SAT and the DSAT sums. Below each figure its 95% interval over test"
        " conversations.",
        *said,
    ]
