"""Panels weighted by how reliable each judge is, learnt from the votes alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.errors import DataError
from assize.juries.ballots import Ballots
from assize.juries.verdict import Verdict
from assize.stats import Labels, Priors, Truth, dawid_skene
from assize.stats.arrays import FloatArray

Cells = NDArray[np.int64]  # (votes, 3): item, judge, side

PRIORS = Priors(right=1.0, wrong=0.5, answer=1.0)
RESAMPLES = 200
_EVEN = 1e-9


@dataclass(frozen=True, slots=True)
class Reliable:
    """How often one judge is right."""

    alpha: float  # probability of the vote A where A is better (sensitivity)
    beta: float  # probability of the vote B where B is better (specificity)
    # alpha_interval, beta_interval: 95%, from items drawn with replacement
    alpha_interval: tuple[float, float]
    beta_interval: tuple[float, float]
    votes: int  # for A or B
    ties: int  # votes that say tie; they carry no label
    unscored: int  # votes that could not be made


@dataclass(frozen=True)
class Reliability:
    """What the votes say of judges and items.

    Args:
        judges: by name.
        share: of the items where A is better.
        probability: that A is better, by item; absent where there is no vote for a side.
        exchangeable: whether the two sides were taken for exchangeable.
        converged: whether the fit came to an end.
        signature: of the method and its settings.
    """

    judges: Mapping[str, Reliable]
    share: float
    probability: Mapping[str, float]
    exchangeable: bool
    converged: bool
    signature: str

    def decide(self, ballots: Ballots, item: str) -> Verdict:
        """The more probable side; `weight` is 2 |P(A) - 1/2|.

        Votes are weighed one by one: a judge with one vote each way says nothing where
        alpha equals beta. An item with ties only is a tie; one without votes unscored.
        """
        read = tuple(ballots.of(judge, item) for judge in self.judges)
        if item not in self.probability:
            if any(one.answer == "tie" for one in read):
                return Verdict(item, "tie", None, read, weight=0.0)
            return Verdict(item, None, None, read, read[-1].reason if read else "missing")
        lead = 2 * self.probability[item] - 1
        if abs(lead) < _EVEN:
            return Verdict(item, "tie", None, read, weight=0.0)
        return Verdict(item, "A" if lead > 0 else "B", "reliability", read, weight=abs(lead))

    @property
    def doubtful(self) -> bool:
        """Whether the judges are, on average, too near chance for the votes to tell the sign."""
        means = [(one.alpha + one.beta) / 2 for one in self.judges.values()]
        return len(means) < 3 or float(np.mean(means)) < 0.55


def fit_reliability(
    ballots: Ballots,
    judges: Sequence[str],
    items: Iterable[str],
    *,
    exchangeable: bool = False,
    rng: np.random.Generator,
) -> Reliability:
    """Sensitivity and specificity of each judge, and the probability that A is better.

    Args:
        judges: full names; at least one.
        items: only these are looked at; gold is not.
        exchangeable: which response is called A is chance. Every item then counts a second
            time with sides exchanged, so that alpha equals beta and the share is 1/2. Where
            A is always the better one, as in AMULET's files, leave nothing else to learn.
        rng: draws items with replacement for the intervals.

    Raises:
        DataError: there is no vote for a side.

    Source: Dawid and Skene (1979), with two answers. Differs: votes of one judge in two
    orders are taken for independent; tie votes are left out; weak priors (see `PRIORS`).
    """
    names = list(items)
    place = {item: at for at, item in enumerate(names)}
    cells, ties, unscored = _cells(ballots, judges, place)
    if not len(cells):
        raise DataError("no vote is for A or B; reliabilities cannot be learnt")
    truth = _fit(cells, len(names), len(judges), exchangeable)
    drawn = _resampled(cells, len(names), len(judges), exchangeable, rng)
    found = {}
    for at, judge in enumerate(judges):
        low, high = np.nanquantile(drawn[:, at], [0.025, 0.975], axis=0)
        found[judge] = Reliable(
            float(truth.confusion[at, 0, 0]),
            float(truth.confusion[at, 1, 1]),
            (float(low[0]), float(high[0])),
            (float(low[1]), float(high[1])),
            int((cells[:, 1] == at).sum()),
            ties[at],
            unscored[at],
        )
    voted = np.unique(cells[:, 0])
    probability = {names[at]: float(truth.probability[at, 0]) for at in voted.tolist()}
    share = float(truth.share[0])
    signed = f"{truth.signature}{'x' if exchangeable else ''}"
    return Reliability(found, share, probability, exchangeable, truth.converged, signed)


def _cells(
    ballots: Ballots, judges: Sequence[str], place: Mapping[str, int]
) -> tuple[Cells, list[int], list[int]]:
    """(item, judge, side) of each vote for a side; tie votes and unscored ones a judge."""
    source = ballots.source
    found, cell = source.found, source.found.cell
    at = {name: number for number, name in enumerate(judges)}
    judge = np.array([at.get(name, -1) for name in found.judges], dtype=np.int64)
    item = np.array([place.get(name, -1) for name, _ in found.units], dtype=np.int64)
    of_judge, of_item = judge[found.judge][cell], item[found.unit][cell]
    counted = (of_judge >= 0) & (of_item >= 0)

    def count(votes: FloatArray) -> list[int]:
        mine = of_judge[counted & votes.astype(bool)]
        return np.bincount(mine, minlength=len(judges)).tolist()  # type: ignore[no-any-return]

    sided = np.flatnonzero(counted & (np.abs(source.values) == 1))
    sided = sided[np.argsort(of_judge[sided], kind="stable")]
    side = (source.values[sided] < 0).astype(np.int64)  # A is 0, B is 1
    cells = np.stack([of_item[sided], of_judge[sided], side], axis=1)
    return cells, count(source.values == 0), count(np.isnan(source.values))


def _fit(cells: Cells, items: int, judges: int, exchangeable: bool) -> Truth:
    """Items as they stand come first; with exchangeable sides their mirror images follow."""
    if exchangeable:
        mirrored = cells * [1, 1, -1] + [items, 0, 1]
        cells = np.concatenate([cells, mirrored])
    count = items * (1 + exchangeable)
    labels = Labels(cells[:, 0], cells[:, 1], cells[:, 2], items=count, judges=judges, answers=2)
    return dawid_skene(labels, priors=PRIORS)


def _resampled(
    cells: Cells,
    items: int,
    judges: int,
    exchangeable: bool,
    rng: np.random.Generator,
) -> FloatArray:
    """alpha and beta of each judge in each resample: (resamples, judges, 2)."""
    order = np.argsort(cells[:, 0], kind="stable")
    cells = cells[order]
    starts = np.searchsorted(cells[:, 0], np.arange(items + 1))
    drawn = np.full((RESAMPLES, judges, 2), np.nan)
    for at in range(RESAMPLES):
        picked = rng.integers(items, size=items)
        counts = starts[picked + 1] - starts[picked]
        if not counts.sum():
            continue
        rows = np.repeat(starts[picked] - np.cumsum(counts) + counts, counts)
        rows = rows + np.arange(counts.sum())
        chosen = cells[rows].copy()
        chosen[:, 0] = np.repeat(np.arange(items), counts)
        truth = _fit(chosen, items, judges, exchangeable)
        drawn[at, :, 0] = truth.confusion[:, 0, 0]
        drawn[at, :, 1] = truth.confusion[:, 1, 1]
    return drawn
