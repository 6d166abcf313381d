"""The tables of watching: the first question by period, the latest period, the changes."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import Any

from assize.criteria.watching.watched import PeriodFigures, Series, Watched
from assize.errors import ConfigError
from assize.formats.times import day_of
from assize.results import Column, ResultTable, columns
from assize.results.columns import Cell
from assize.results.numbers import counted
from assize.stats.change_points import ChangePoint

_DAY = 86_400.0
_LABELS = {"good": "good", "open": "left open", "bad": "bad"}


def watched_tables(found: Watched) -> dict[str, ResultTable]:
    """`NetSAT`, or the first question; `changes`; `latest`; and each criterion that changed."""
    tables = {found.series[0].id: by_period(found, found.series[0].id)}
    tables["changes"] = _changes(found)
    if any(one.latest is not None for one in found.series):
        tables["latest"] = _latest(found)
    others = dict.fromkeys(one.id for one in found.changed if one.id != found.series[0].id)
    for name in others:
        tables[name] = by_period(found, name)
    return tables


def _grouped(found: Watched) -> list[Column]:
    return columns("words", found.by) if found.by else []


def _row(found: Watched, one: Series, *cells: Any) -> tuple[Any, ...]:
    return (one.group, *cells) if found.by else cells


def by_period(found: Watched, question: str) -> ResultTable:
    """One question's figures in each period.

    Raises:
        ConfigError: it is not among those watched.
    """
    series = [one for one in found.series if one.id == question]
    if not series:
        known = ", ".join(dict.fromkeys(one.id for one in found.series))
        raise ConfigError(f"no question {question!r} is watched; there are {known}")
    one = series[0]
    seen = [each for each in one.periods if each is not None]
    labels = list(_LABELS) if seen and seen[0].labels else []
    holds = bool(seen) and seen[0].holds is not None
    kind = "from" if found.every.isdecimal() else found.every
    named = [*_grouped(found), *columns("words", kind), *columns("count", "n", "unscored")]
    named += columns("number", "mean", digits=_digits(series))
    named += columns("percent", "holds", digits=0, unit="%") if holds else []
    named += columns("percent", *(_LABELS[x] for x in labels), digits=0, ends="page", unit="%")
    rows = [
        _row(found, each, period.name, *_figures(figures, labels, holds))
        for each in series
        for period, figures in zip(found.periods, each.periods, strict=True)
        if figures is not None
    ]
    title = f"{one.kind}: {one.text.rstrip('.')}" if one.kind else one.text
    return ResultTable(f"{title}, by {found.period}", named, rows, (), bool(found.by))


def _figures(one: PeriodFigures, labels: Sequence[str], holds: bool) -> list[Cell]:
    shares: list[Cell] = [(one.labels or {})[name] for name in labels]
    return [one.n, one.unscored, one.mean, *([one.holds] if holds else []), *shares]


def _digits(series: Sequence[Series]) -> int:
    """One decimal of what goes to 5 and beyond, as NetSAT and criteria do; else two."""
    means = [abs(p.mean.estimate) for one in series for p in one.periods if p is not None]
    ends = [end for one in series if one.range is not None for end in map(abs, one.range)]
    return 1 if max([*means, *ends], default=0) >= 5 else 2


def _changes(found: Watched) -> ResultTable:
    asked = len(found.series)
    untested = [one for one in found.series if one.found.test.reason is not None]
    title = f"Changes: {len(found.changed):,} of {asked:,} questions"
    digits = _digits(found.series)
    named = [*_grouped(found), *columns("words", "question", "since", "± days")]
    named += columns("number", "from", "to", digits=digits, ends="page")
    named += [Column("change", "number", digits=digits, ends="below", signed=True)]
    named += columns("p", "p")
    rows = [
        _row(
            found,
            one,
            one.text,
            day_of(each.at),
            _around(each),
            each.before,
            each.after,
            each.difference,
            each.p_value,
        )
        for one in found.changed
        for each in one.changes
    ]
    notes = []
    if untested:
        why = untested[0].found.test.reason
        notes.append(f"{counted(len(untested), 'question')} could not be tested: {why}.")
    return ResultTable(title, named, rows, notes, bool(found.by))


def _around(change: ChangePoint) -> str:
    """The interval of a date in days before and after it."""
    early, late = ((end - change.at) / _DAY for end in change.interval)
    return f"{floor(early):+d}..{ceil(late):+d}"


def _latest(found: Watched) -> ResultTable:
    digits = _digits(found.series)
    named = [*_grouped(found), *columns("words", "kind", "question")]
    named += columns("number", "before", "now", digits=digits, ends="page")
    named += [Column("change", "number", digits=digits, ends="below", signed=True)]
    named += [*columns("p", "p"), *columns("words", "it is")]
    rows = [
        _row(
            found,
            one,
            one.kind or None,
            one.text,
            one.latest.before,
            one.latest.now,
            one.latest.difference,
            one.latest.p_value,
            one.latest.verdict,
        )
        for one in found.series
        if one.latest is not None
    ]
    last = found.periods[-1]
    whole = sum(one.n for one in found.periods)
    period = "" if found.every.isdecimal() else f"{found.every} from "
    title = (
        f"{'The ' if period else 'From '}{period}{last.name} ({counted(last.n, 'conversation')})"
        f" against all before ({whole - last.n:,})"
    )
    return ResultTable(title, named, rows, (), bool(found.by))
