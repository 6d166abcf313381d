"""Escalating juries: the first judge decides where it is sure enough, the others do the rest.

How sure is enough is chosen on labelled pairs that are not reported on, so that what the first
judge decides agrees with gold at a wanted level, with probability 1 - delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from assize.errors import ConfigError
from assize.judgment import Judgment
from assize.juries.ballots import Ballot, Ballots
from assize.juries.outcome import Outcome
from assize.juries.verdict import UNSURE
from assize.stats import Estimate
from assize.stats.arrays import FloatArray, numbers, same_length
from assize.studies import drawn

STEP = 0.05  # between the shares of pairs that are tried as decided by the first judge
STARTS = (1.5, 3.0, 6.0)  # where testing starts: times the fewest decisions that prove the level
_SIGNS = {"A": 1.0, "B": -1.0}


@dataclass(frozen=True, slots=True)
class Escalate:
    """What is wanted of the first judge of a cascade.

    Args:
        level: of agreement with gold among what it decides, in (0, 1).
        delta: probability of ending below it, in (0, 1).
        share: of the labelled pairs that go into choosing, in (0, 1); they are not reported on.
    """

    level: float
    delta: float = 0.1
    share: float = 0.5

    def __post_init__(self) -> None:
        for name in ("level", "delta", "share"):
            value = getattr(self, name)
            if not 0 < value < 1:
                raise ConfigError(f"the {name} of an escalation is {value:g}; give a share of 1")

    def fewest(self, delta: float) -> int:
        """Decisions that prove the level, at this delta, when not one of them is wrong."""
        return math.ceil(math.log(delta) / math.log(self.level))


@dataclass(frozen=True, slots=True)
class Tested:
    """One threshold that was looked at: decisions of labelled pairs, those that agree, p-value."""

    threshold: float
    decided: int
    agreed: int
    p_value: float


@dataclass(frozen=True, slots=True)
class Threshold:
    """The confidence from which the first judge decides."""

    value: float | None  # None where no threshold qualifies: the first judge then decides nothing
    tested: tuple[Tested, ...]  # all that were looked at, in the order of testing
    labelled: int  # pairs that it was chosen on
    delta: float  # at which each was tested
    reason: str | None = None  # why there is none


def choose(
    confidence: ArrayLike, agrees: ArrayLike, chains: Sequence[ArrayLike], wanted: Escalate
) -> Threshold:
    """The lowest threshold that is proven, by fixed-sequence tests.

    Args:
        confidence: (N,) of the first judge on labelled pairs; NaN where it decides nothing.
        agrees: (N,) whether its answer is gold's.
        chains: of falling thresholds each; chosen without looking at these pairs.
        wanted: level and delta.

    Each threshold's hypothesis "of what is decided, less than `level` agrees" is tested by an
    exact binomial test, from a chain's highest down, and a chain ends at the first that is not
    rejected. Each chain is tested at delta over the number of chains. So the chosen threshold
    is wrong with probability at most delta, for pairs that are exchangeable with these, with
    no correction for how many were tried in a chain.

    Source: Jung et al. (2024), section 2.2; Bauer (1991) for the sequence of tests. Differs:
    the thresholds come from unlabelled pairs, so that each test is exact; several chains, for
    one that starts at few decisions often ends there by chance.

    >>> wanted = Escalate(0.8, delta=0.1)
    >>> choose([3.0] * 20 + [1.0] * 20, [True] * 20 + [False] * 20, [[2.0, 0.5]], wanted).value
    2.0
    """
    sure, right = numbers(confidence, "confidence"), numbers(agrees, "agrees")
    same_length(confidence=sure, agrees=right)
    delta = wanted.delta / max(1, len(chains))
    tested: list[Tested] = []
    proven: list[float] = []
    for chain in chains:
        for threshold in numbers(chain, "chains").tolist():
            tested.append(_tested(threshold, sure, right, wanted.level))
            if tested[-1].p_value > delta:
                break
            proven.append(threshold)
    if proven:
        return Threshold(min(proven), tuple(tested), len(sure), delta)
    reason = (
        f"no threshold reaches {wanted.level:.0%} agreement with probability"
        f" {1 - wanted.delta:.0%} on {len(sure)} labelled pairs"
    )
    return Threshold(None, tuple(tested), len(sure), delta, reason)


def _tested(threshold: float, sure: FloatArray, right: FloatArray, level: float) -> Tested:
    from scipy.special import bdtr

    decided = sure >= threshold  # not where it is NaN
    count, agreed = int(decided.sum()), int(right[decided].sum())
    p_value = float(bdtr(count - agreed, count, 1 - level)) if count else 1.0
    return Tested(threshold, count, agreed, p_value)


def chains_of(confidence: ArrayLike, labelled: int, wanted: Escalate) -> list[FloatArray]:
    """Thresholds at which growing shares of unlabelled pairs (M,) would be decided, by start."""
    given = numbers(confidence, "confidence")
    sure = np.sort(given[~np.isnan(given)])[::-1]
    if labelled < wanted.fewest(wanted.delta) or not len(sure):
        return []
    least = wanted.fewest(wanted.delta / len(STARTS)) / labelled
    starts = [start * least for start in STARTS if start * least < 1] or [1.0]
    return [_chain(sure, start * len(given), STEP * len(given)) for start in starts]


def _chain(sure: FloatArray, first: float, step: float) -> FloatArray:
    places = np.arange(first, len(sure) + step, step)
    at = np.unique(np.clip(np.ceil(places).astype(int), 1, len(sure)))
    return np.asarray(sure[at - 1])


def confidence_of(ballot: Ballot) -> float:
    """How sure a judge is, from 0, by `margin`, `scores`, distribution or vote; NaN if not."""
    if not ballot.decides:
        return math.nan
    leads = [_lead(row) for row in ballot.votes]
    known = [lead for lead in leads if lead is not None]
    if not known or len(known) < len(leads):
        raise ConfigError(
            f"{ballot.judge} does not say how sure it is; an escalating jury starts with an"
            " evaluator, a reward, or a judge whose votes have a distribution"
        )
    return abs(float(np.mean(known)))


def _lead(row: Judgment) -> float | None:
    details = row.details or {}
    if isinstance(details.get("margin"), int | float):
        return float(details["margin"])
    scores = details.get("scores")
    if isinstance(scores, Mapping) and scores.get("A") is not None and scores.get("B") is not None:
        return float(scores["A"]) - float(scores["B"])
    if row.distribution:
        return sum(_SIGNS.get(answer, 0.0) * mass for answer, mass in row.distribution.items())
    return None if row.answer is not None else row.score


@dataclass(frozen=True)
class Unsure(Ballots):
    """Ballots in which one judge's decisions below a threshold are none, as `unsure`."""

    sure: str = ""  # the judge
    threshold: float | None = None  # None makes it unsure of everything

    def of(self, judge: str, item: str) -> Ballot:
        """As of `Ballots`, save where the judge is not sure enough."""
        found = super().of(judge, item)
        if judge != self.sure or not found.decides:
            return found
        if self.threshold is not None and confidence_of(found) >= self.threshold:
            return found
        return replace(found, answer=None, reason=UNSURE)


def unsure(ballots: Ballots, judge: str, threshold: float | None) -> Unsure:
    """The ballots with this judge deciding only from the threshold on."""
    return Unsure(
        ballots.judges,
        ballots.items,
        ballots.source,
        ballots.cells,
        ballots.made,
        judge,
        threshold,
    )


def split(
    items: Iterable[str], gold: Mapping[str, str], share: float, seed: int
) -> tuple[list[str], list[str]]:
    """Labelled items to choose on, and all the others to report on; drawn by id and seed."""
    chosen: list[str] = []
    others: list[str] = []
    for item in items:
        lent = item in gold and drawn(item, share, f"escalate {seed}")
        (chosen if lent else others).append(item)
    return chosen, others


def chosen_on(
    ballots: Ballots,
    judge: str,
    labelled: Sequence[str],
    others: Sequence[str],
    gold: Mapping[str, str],
    wanted: Escalate,
) -> Threshold:
    """The threshold for a judge, chosen on labelled items; `others` lend their confidences."""
    found = [ballots.of(judge, item) for item in labelled]
    pool = [confidence_of(ballots.of(judge, item)) for item in others]
    chains = chains_of(pool, len(labelled), wanted)
    if not chains:
        needed = wanted.fewest(wanted.delta)
        reason = f"at least {needed} labelled pairs are needed, and a judge that decides some"
        return Threshold(None, (), len(labelled), wanted.delta, reason)
    agrees = [one.answer == gold[item] for one, item in zip(found, labelled, strict=True)]
    return choose([confidence_of(one) for one in found], agrees, chains, wanted)


_ABSENT = 0.05


@dataclass(frozen=True, slots=True)
class Point:
    """The jury at one threshold."""

    threshold: float | None  # None where the first judge decides nothing
    decided: float  # share of the items that the first judge decides
    # share of the items with gold A or B that the jury wins; None without gold
    accuracy: Estimate | None
    votes: int  # read, over all items
    cost_usd: float | None  # None where it is not known


def curve(
    ballots: Ballots,
    judge: str,
    items: Sequence[str],
    at: Callable[[float | None], Outcome],
) -> tuple[Point, ...]:
    """Points from the first judge deciding nothing to it deciding all it can, by 5% of the items.

    Thresholds at which votes would be needed that nobody was asked for are left out.
    """
    given = np.array([confidence_of(ballots.of(judge, item)) for item in items])
    sure = np.sort(given[~np.isnan(given)])[::-1]
    deciding, step = len(sure), max(1, round(STEP * len(given)))
    places = sorted({*range(step, deciding, step), deciding} - {0})
    thresholds: list[float | None] = [None, *(float(sure[place - 1]) for place in places)]
    found = [(threshold, at(threshold)) for threshold in thresholds]
    return tuple(_point(threshold, judge, one) for threshold, one in found if _complete(one))


def _complete(found: Outcome) -> bool:
    """Whether nearly all ballots that are read hold votes."""
    absent = sum(any(not ballot.votes for ballot in verdict.ballots) for verdict in found.verdicts)
    return absent <= _ABSENT * len(found.verdicts)


def _point(threshold: float | None, judge: str, found: Outcome) -> Point:
    decided = sum(verdict.by == judge for verdict in found.verdicts)
    used = found.saving.used
    return Point(
        threshold,
        decided / len(found.verdicts) if found.verdicts else 0.0,
        None if found.jury is None else found.jury.share("win"),
        used.votes,
        used.cost_usd if used.priced else None,
    )
