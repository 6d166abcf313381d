"""Agreement about acts and maxims, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from assize.dialogue_acts.agreement import (
    HARSHNESS,
    ActsAgreed,
    ActsAgreement,
    MaximAgreement,
    TurnAgreement,
)
from assize.results import Column, ResultTable, columns

MOST = 20  # functions that a table shows


def tables_of(found: ActsAgreement) -> dict[str, ResultTable]:
    """All tables by title; where there are several judges by `JUDGE: title`."""
    several = len(found.judges) > 1
    return {
        f"{one.judge}: {table.title}" if several else table.title: table
        for one in found.judges
        for table in _of_judge(one, found.gold)
    }


def _of_judge(one: ActsAgreed, gold: str) -> Iterator[ResultTable]:
    if one.turns is not None:
        yield _turns(one.turns, one.judge, gold)
        yield _functions(one.turns, gold)
    if one.maxims is not None:
        yield _maxims(one.maxims, one.judge, gold)


def _turns(found: TurnAgreement, judge: str, gold: str) -> ResultTable:
    errors = {
        "missing": "a function is missing",
        "wrong": "a function is wrong",
        "invented": "a function is invented",
    }
    rows = [
        ("right, all turns", found.right, None),
        *((f"right, {name}", one, None) for name, one in found.by_speaker.items()),
        *((errors[name], one, found.functions[name]) for name, one in found.turns_with.items()),
    ]
    named = [Column("Turns"), *columns("share", "Turns and percent", digits=1)]
    named += columns("count", "Functions")
    notes = [
        f"{judge} held to {gold}: {found.right.n:,} turns of {found.items:,} items. A turn is right"
        " where the functions are the same; a missing and an invented one together are a wrong one."
        f" {found.unknown:,} functions of the judge are not in the taxonomy."
    ]
    if found.commonest is not None:
        notes.append(f"The commonest error: {errors[found.commonest]}.")
    return ResultTable("Acts, turn by turn", named, rows, notes)


def _functions(found: TurnAgreement, gold: str) -> ResultTable:
    shown = list(found.by_function.items())[:MOST]
    rows = [
        (name, one.gold, one.judge, one.both, one.gold - one.both, one.judge - one.both)
        for name, one in shown
    ]
    named = [Column("Function"), *columns("count", gold, "Judge", "Both", "Missing", "Invented")]
    left = len(found.by_function) - len(shown)
    rest = f" {left} rarer ones are left out." if left > 0 else ""
    notes = [f"Turns that have each function.{rest}"]
    return ResultTable("Acts, function by function", named, rows, notes)


def _maxims(found: MaximAgreement, judge: str, gold: str) -> ResultTable:
    rows = [("all maxims", found.agreed, found.kappa)]
    rows += [(name, one.agreed, one.kappa) for name, one in found.by_maxim.items()]
    named = [Column("Maxim"), *columns("share", "Agreed", digits=1)]
    named += columns("number", "Kappa", digits=2)
    told = ", ".join(f"{found.differ[name].count:,.0f} {name}" for name in HARSHNESS)
    notes = [
        f"{judge} held to {gold}: {found.agreed.n:,} labels of {found.items:,} items. Of those that"
        f" differ: {told}."
    ]
    if found.commonest is not None:
        notes.append(
            f"Most often the judge is {found.commonest}."
            if found.commonest != "other"
            else "Most often the judge names the other response."
        )
    return ResultTable("Maxims, one by one", named, rows, notes)
