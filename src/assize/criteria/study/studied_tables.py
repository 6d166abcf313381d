"""The tables of a study, in the shape of RUBICON's tables 1 to 3."""

from __future__ import annotations

from collections.abc import Sequence

from assize.criteria.study.studied import CriteriaStudy, Figures, Studied
from assize.tables import Column, ResultTable
from assize.tables.record import Cell

_PUBLISHED = ("delta_netsat", "yield_test", "accuracy", "precision", "recall", "f1")
_OURS = ("yield_train", "precision_train", "correlation")


def studied_tables(found: CriteriaStudy) -> dict[str, ResultTable]:
    """`methods`, `policies`, the differences of each to the first, and the labels' agreement."""
    tables = {}
    by_method = [one for one in found.rows if one.policy == found.policies[0]]
    several, choosing = len(found.methods) > 1, len(found.policies) > 1
    if several or not choosing:
        title = f"Methods, chosen by {found.policies[0]}: {_halves(found)}"
        tables["methods"] = _figures(found, title, by_method, policies=False)
    if several:
        first = found.methods[0]
        tables["methods less the first"] = _less(
            found, f"Methods less {first}", [(one, one.less_method) for one in by_method], False
        )
    if choosing:
        title = f"Policies: {_halves(found)}"
        tables["policies"] = _figures(found, title, found.rows, policies=True)
        tables["policies less the first"] = _less(
            found, f"Policies less {found.policies[0]}",
            [(one, one.less_policy) for one in found.rows], True,
        )  # fmt: skip
    if found.agreement is not None:
        tables |= {f"agreement, {name}": one for name, one in found.agreement.tables.items()}
    return tables


def _halves(found: CriteriaStudy) -> str:
    good, bad = found.test
    splits = "" if found.splits == 1 else f", means over {found.splits} splits"
    return f"{good:,} good and {bad:,} bad test conversations{splits}"


def _figures(
    found: CriteriaStudy, title: str, rows: Sequence[Studied], *, policies: bool
) -> ResultTable:
    grouped = policies and len(found.methods) > 1
    some_unscored = any(one.unscored for one in rows)
    named = [
        *_names(found, policies, grouped), *_columns(found, signed=False),
        Column("criteria", "number", digits=0 if found.splits == 1 else 1), Column("of", "count"),
        Column("n", "count"), Column("unscored", "count"),
    ]  # fmt: skip
    each = [
        (
            *_named(one, policies, grouped), *_cells(one.figures), one.size, one.pool, one.n,
            one.unscored if some_unscored else None,
        )
        for one in rows
    ]  # fmt: skip
    return ResultTable(title, named, each, _notes(found), grouped)


def _less(
    found: CriteriaStudy,
    title: str,
    rows: Sequence[tuple[Studied, Figures | None]],
    policies: bool,
) -> ResultTable:
    grouped = policies and len(found.methods) > 1
    named = [*_names(found, policies, grouped), *_columns(found, signed=True)]
    each = [
        (*_named(one, policies, grouped), *_cells(less)) for one, less in rows if less is not None
    ]
    note = "Below each its 95% interval, both on the same resamples."
    return ResultTable(title, named, each, [note], grouped)


def _names(found: CriteriaStudy, policies: bool, grouped: bool) -> list[Column]:
    first = [Column("group")] if grouped else []
    return [*first, Column("policy" if policies else "technique")]


def _named(one: Studied, policies: bool, grouped: bool) -> Sequence[str]:
    first = [one.method] if grouped else []
    return [*first, one.policy if policies else one.method]


def _columns(found: CriteriaStudy, *, signed: bool) -> list[Column]:
    wanted = f"{100 * found.precision:g}"
    shares = (f"YR@{wanted}", "A", "P", "R", "F1", "YR train", "its P")
    return [
        Column("ΔNS", "number", digits=1, ends="below", signed=signed),
        *(Column(one, "percent", digits=1, ends="below", signed=signed) for one in shares),
        Column("r", "number", digits=2, ends="below", signed=signed),
    ]


def _cells(figures: Figures) -> Sequence[Cell]:
    return [figures[name] for name in (*_PUBLISHED, *_OURS)]


def _notes(found: CriteriaStudy) -> Sequence[str]:
    wanted = f"{100 * found.precision:g}%"
    return [
        "ΔNS: NetSAT of good less that of bad. A, P, R, F1: of the threshold learnt on the"
        " training half.",
        f"YR@{100 * found.precision:g}: share labelled at {wanted} precision by a window found on"
        " the test half, as published. YR train, its P: by the window of the training half, and"
        " how often these labels are right.",
        "r: Pearson, of the SAT and the DSAT sums. Below each figure its 95% interval over test"
        " conversations.",
    ]
