"""What a study of juries shows, a record a row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize import stats
from assize.juries.composition import Cascade
from assize.juries.jury_result import JuryResult
from assize.juries.outcome import RESULTS
from assize.juries.study.grid import Grid
from assize.juries.study.sitting import DataSet, Place
from assize.results import Column, Estimate, Hidden, Percent, PercentOnly, Share
from assize.stats import wilson

Turns = Annotated[int | None, Column("user turns ≥")]


@dataclass(frozen=True, slots=True)
class JuryRow:
    """One judge or jury on a data set.

    Args:
        least_turns: user turns that pairs have at least; None for all pairs.
        jury: its name, with its model where several are compared.
        model: whose judges sat; None for a method that is no model's.
        n: pairs that count, unscored ones too; None where the jury cannot be known, for `reason`.
        win, tie, loss: shares of them; None without gold.
        judges: who sat, by full names.
        answers: how often each was given, where there is no gold.
        paths: how each decision fell.
        right_alone: of all pairs, those that a judge has right by itself and the jury loses.
    """

    set: str
    least_turns: Turns
    jury: str
    model: Hidden[str | None]
    n: Annotated[int | None, Column("pairs")] = None
    win: Percent[Share | None] = None
    tie: PercentOnly[Share | None] = None
    loss: PercentOnly[Share | None] = None
    unscored: int | None = None
    reason: Hidden[str | None] = None
    judges: Hidden[Sequence[str]] = ()
    answers: Hidden[Mapping[str, int] | None] = None
    paths: Hidden[Mapping[str, Share] | None] = None
    right_alone: Hidden[Mapping[str, Share] | None] = None
    signature: Hidden[str | None] = None


@dataclass(frozen=True, slots=True)
class TieRow:
    """What the last judge of a cascade adds, as shares of all pairs.

    Args:
        ties_won, ties_left, ties_lost: where all judges before it tied or had no vote.
        right_alone: where it is right by itself and the jury loses.
    """

    set: str
    least_turns: Turns
    jury: str
    model: Hidden[str | None]
    ties_won: PercentOnly[Share | None]
    ties_left: PercentOnly[Share | None]
    ties_lost: PercentOnly[Share | None]
    right_alone: PercentOnly[Share | None]


@dataclass(frozen=True, slots=True)
class RerunRow:
    """A judge or jury that was asked several times.

    Args:
        runs: how many.
        same: share of the pairs on which all runs say the same: A, B or tie.
        alpha: Krippendorff's, of these decisions.
        agreement: pairs of runs that say the same.
        win: mean share of wins over runs, with the deviation between them; NaN without gold.
        lowest, highest: of the runs' shares of wins.
    """

    set: str
    jury: str
    model: Hidden[str | None]
    runs: int
    same: Share
    alpha: Annotated[Estimate, Column(digits=2)]
    agreement: Hidden[Estimate]
    win: Annotated[float, Column("mean win", "percent", digits=1, unit="%")]
    deviation: Annotated[float, Column("deviation", "percent", digits=1)]
    lowest: Annotated[float, Column("lowest", "percent", digits=1, extra=True)]
    highest: Annotated[float, Column("highest", "percent", digits=1, extra=True)]


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of a judge or jury; answers in place of win and loss where there is no gold."""

    set: Hidden[str]
    jury: str
    model: Hidden[str | None]
    run: int
    n: Annotated[int, Column("pairs")]
    win: Percent[Share | None]
    a: Annotated[Share | None, Column("A", "percent", digits=1, unit="%")]
    tie: PercentOnly[Share | None]
    loss: PercentOnly[Share | None]
    b: Annotated[Share | None, Column("B", "percent", digits=1, unit="%", ends="none")]
    unscored: int


@dataclass(frozen=True, slots=True)
class SetRow:
    """A data set.

    Args:
        pairs: that are known; None where only judgments are.
        judged: items that anybody judged.
    """

    set: str
    pairs: int | None
    judged: int


def jury_rows(grid: Grid) -> list[JuryRow]:
    """Return every judge and jury on every data set."""
    return [_jury_row(grid, place) for place in grid_places(grid)]


def _jury_row(grid: Grid, place: Place) -> JuryRow:
    head = place.data, place.least or None, grid.label(place), place.model
    sitting = grid.at(place)
    result = sitting.result
    if result is None:
        return JuryRow(*head, reason=sitting.reason)
    outcome = result.outcome
    if not result.gold:
        return JuryRow(
            *head,
            result.n,
            unscored=result.unscored,
            reason=sitting.share().reason,
            judges=result.members,
            answers=outcome.answers,
            signature=result.signature,
        )
    return JuryRow(
        *head,
        result.n,
        result.win,
        result.tie,
        result.loss,
        result.unscored,
        judges=result.members,
        paths={row.path: row.items for row in result.paths},
        right_alone={
            row.judge: row.right_alone for row in result.judges if row.right_alone is not None
        },
        signature=result.signature,
    )


def tie_rows(grid: Grid) -> list[TieRow]:
    """Return what the last judge of each cascade adds, as AMULET's tables 25, 26 and 30."""
    rows = []
    for place in grid_places(grid):
        result = grid.at(place).result
        if result is None or not result.gold or not isinstance(result.composition, Cascade):
            continue
        if len(result.members) < 2:
            continue
        counts = result.outcome.left_to_last
        won, left, lost = (wilson(counts.get(name, 0), result.n) for name in RESULTS)
        rows.append(
            TieRow(
                place.data,
                place.least or None,
                grid.label(place),
                place.model,
                won,
                left,
                lost,
                result.judges[-1].right_alone,
            )
        )
    return rows


def rerun_row(grid: Grid, place: Place, runs: Mapping[int, JuryResult]) -> RerunRow:
    """Return how far the runs of a judge or jury agree.

    Items that some run could not be scored on are unscored.
    """
    decided = [
        dict(zip(run.outcome.items, run.outcome.verdicts.values.tolist(), strict=True))
        for run in runs.values()
    ]
    items = dict.fromkeys(item for answers in decided for item in answers)
    votes = np.array([[answers.get(item, np.nan) for item in items] for answers in decided])
    scored = ~np.isnan(votes).any(axis=0)
    same = int((np.ptp(votes[:, scored], axis=0) == 0).sum()) if scored.any() else 0
    agreement = stats.self_consistency(votes)
    wins = [run.win.estimate for run in runs.values() if run.win is not None]
    return RerunRow(
        place.data,
        grid.label(place),
        place.model,
        len(runs),
        wilson(same, int(scored.sum()), unscored=int((~scored).sum())),
        agreement.alpha,
        agreement.agreement,
        float(np.mean(wins)) if wins else math.nan,
        float(np.std(wins, ddof=1)) if len(wins) > 1 else math.nan,
        min(wins, default=math.nan),
        max(wins, default=math.nan),
    )


def run_rows(grid: Grid, place: Place, runs: Mapping[int, JuryResult]) -> Iterator[RunRow]:
    """Yield the results of every run."""
    for run, result in runs.items():
        yield RunRow(
            place.data,
            grid.label(place),
            place.model,
            run,
            result.n,
            result.win,
            result.a,
            result.tie,
            result.loss,
            result.b,
            result.unscored,
        )


def set_rows(sets: Sequence[DataSet]) -> list[SetRow]:
    """Return how large each data set is."""
    return [
        SetRow(data.name, None if data.pairs is None else len(data.pairs), len(data.table.items))
        for data in sets
    ]


def grid_places(grid: Grid) -> Iterator[Place]:
    """Yield the places of a grid by length, data set, method and model."""
    for least in grid.settings.least:
        for data in grid.sets:
            for method in grid.methods:
                for model in grid.models_at(method.written):
                    yield Place(data.name, method.written, model, least)
