"""Rerun stability: judges that were asked several times, compared run by run and not pooled."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize import stats
from assize.errors import ConfigError, DataError
from assize.judgments.values import SIGN
from assize.juries.decide import JuryResult, decide
from assize.juries.outcome import RESULTS, Standing
from assize.juries.repeats import of_repeat, repeats_of, runs_of
from assize.juries.study.methods import Method
from assize.juries.study.sitting import DataSet, Place, judges_of
from assize.results.columns import Mean
from assize.stats import Estimate, SelfConsistency
from assize.stats.estimate import nullable


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
    same: Estimate
    agreement: SelfConsistency
    wins: tuple[float, ...]

    @property
    def right(self) -> Mean:
        """The mean of `wins` with the deviation between runs."""
        if not self.wins:
            return Mean(math.nan)
        deviation = float(np.std(self.wins, ddof=1)) if len(self.wins) > 1 else math.nan
        return Mean(float(np.mean(self.wins)), spread=deviation, n=len(self.wins))

    def standing(self, run: int) -> Standing:
        """Win, tie, loss and unscored of a run; its answers where nothing has gold."""
        outcome = self.runs[run].outcome
        return Standing(outcome.answers) if outcome.jury is None else outcome.jury

    def to_json(self) -> dict[str, Any]:
        """Every run's counts, and how far the runs agree."""
        spread = nullable(self.right.spread)
        accuracy = (
            None
            if math.isnan(self.right.estimate)
            else {
                "mean_percent": round(100 * self.right.estimate, 2),
                "deviation_percent": None if spread is None else round(100 * spread, 2),
                "range_percent": [round(100 * one, 2) for one in (min(self.wins), max(self.wins))],
            }
        )
        return {
            "set": self.place.data,
            "jury": self.place.method,
            "model": self.place.model,
            "runs": {str(run): _counted(self.standing(run)) for run in self.runs},
            "same": self.same.to_share() | {"n": self.same.n, "unscored": self.same.unscored},
            "agreement": self.agreement.agreement.to_json(),
            "alpha": self.agreement.alpha.to_json(),
            "accuracy": accuracy,
        }


def _counted(standing: Standing) -> dict[str, Any]:
    names = RESULTS if any(name in standing.counts for name in ("win", "loss")) else ("A", "B")
    counts = {name: standing.share(name).to_share() for name in dict.fromkeys((*names, "tie"))}
    return {"n": standing.n, **counts, "unscored": standing.counts.get("unscored", 0)}


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
        composition = method.of_model(place.model, known, every).composition
    except ConfigError:
        return None
    members = composition.cascade or tuple(composition.panel) or tuple(known)
    own = data.table.where(judge=[*members, gold], question=question)
    numbers = runs_of(repeats_of(own, gold=gold))
    if len(numbers) < 2:
        return None
    try:
        pairs = data.of_length(place.least)
        runs = {
            run: decide(
                of_repeat(own, run, gold=gold),
                composition,
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
    said = [{one.item: one.answer for one in run.outcome.verdicts} for run in runs.values()]
    items = list(dict.fromkeys(item for one in said for item in one))
    votes = np.array([[SIGN.get(one.get(item) or "", np.nan) for item in items] for one in said])
    scored = ~np.isnan(votes).any(axis=0)
    alike = int((np.ptp(votes[:, scored], axis=0) == 0).sum()) if scored.any() else 0
    unscored = int((~scored).sum())
    return Reruns(
        place,
        runs,
        stats.wilson(alike, int(scored.sum()), unscored=unscored),
        stats.self_consistency(votes),
        tuple(
            run.outcome.jury.share("win").estimate
            for run in runs.values()
            if run.outcome.jury is not None
        ),
    )
