"""Rerun stability: judges that were asked several times, compared run by run and not pooled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.base.errors import ConfigError, DataError
from assize.juries.decide import decide
from assize.juries.jury_result import JuryResult
from assize.juries.repeats import of_repeat, repeats_of, runs_of
from assize.juries.study.methods import Method
from assize.juries.study.sitting import DataSet, Place, judges_of
from assize.results import Share
from assize.stats import SelfConsistency


@dataclass(frozen=True)
class Reruns:
    """A judge or a jury on one data set, each run by itself.

    Args:
        place: which, and where.
        runs: by number, what the run came to.
        same: the share of items on which all runs say the same: A, B or tie. Items that some
            run could not be scored on are unscored.
        agreement: pairs of runs that say the same, as a share and beyond chance.
        wins: each run's share of wins, in their order; none where nothing has gold.
    """

    place: Place
    runs: Mapping[int, JuryResult]
    same: Share
    agreement: SelfConsistency
    wins: tuple[float, ...]


def reruns(
    data: DataSet,
    method: Method,
    place: Place,
    every: Sequence[str],
    *,
    question: str = "preference",
    gold: str = "gold",
) -> Reruns | None:
    """A method's runs on one set; None where its judges were not asked several times, or it
    cannot sit.

    Judges that were asked once, such as reward models, say the same in every run.

    Source: AMULET (arXiv 2505.20451), Limitations, reruns one judge and compares accuracies.
    Differs: any number of runs, of juries too, and agreement item by item.
    """
    known = judges_of(data.table, gold)
    try:
        jury = method.of_model(place.model, known, every).jury
    except ConfigError:
        return None
    members = jury.names or known
    own = data.table.where(judge=[*members, gold], question=question)
    numbers = runs_of(repeats_of(own, gold=gold))
    if len(numbers) < 2:
        return None
    try:
        pairs = data.of_length(place.least)
        runs = {
            run: decide(
                of_repeat(own, run, gold=gold),
                jury,
                pairs=pairs,
                question=question,
                gold=gold,
            )
            for run in numbers
        }
    except DataError:
        return None
    return compared(place, runs)


def compared(place: Place, runs: Mapping[int, JuryResult]) -> Reruns:
    """Runs of one judge or jury, held against each other."""
    said = [
        dict(zip(run.outcome.items, run.outcome.verdicts.values.tolist(), strict=True))
        for run in runs.values()
    ]
    items = list(dict.fromkeys(item for one in said for item in one))
    votes = np.array([[one.get(item, np.nan) for item in items] for one in said])
    scored = ~np.isnan(votes).any(axis=0)
    alike = int((np.ptp(votes[:, scored], axis=0) == 0).sum()) if scored.any() else 0
    unscored = int((~scored).sum())
    return Reruns(
        place,
        runs,
        stats.wilson(alike, int(scored.sum()), unscored=unscored),
        stats.self_consistency(votes),
        tuple(run.win.estimate for run in runs.values() if run.win is not None),
    )
