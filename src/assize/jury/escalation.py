"""Escalating juries: the first judge decides where it is sure enough, the others do the rest.

How sure is enough is chosen on labelled pairs that are not reported on, so that what the first
judge decides agrees with gold at a wanted level, with probability 1 - delta.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from assize.errors import ConfigError
from assize.judging.folder import task_key
from assize.judgment import Judgment
from assize.jury.ballots import Ballot, Ballots
from assize.jury.verdict import UNSURE
from assize.stats.arrays import FloatArray, numbers, same_length

STEP = 0.05  # between the shares of pairs that are tried as decided by the first judge
_ROOM = 3.0  # times the fewest decisions that could prove the level, at the first trial
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

    @property
    def fewest(self) -> int:
        """Decisions that prove the level when not one of them is wrong."""
        return math.ceil(math.log(self.delta) / math.log(self.level))


@dataclass(frozen=True, slots=True)
class Tested:
    """One threshold that was looked at: decisions of labelled pairs, those that agree, p-value."""

    threshold: float
    decided: int
    agreed: int
    p_value: float


@dataclass(frozen=True, slots=True)
class Threshold:
    """The confidence from which the first judge decides.

    Args:
        value: None where no threshold qualifies: the first judge then decides nothing.
        tested: in the order of testing; the last one failed, unless all passed.
        labelled: pairs that it was chosen on.
        reason: why there is none.
    """

    value: float | None
    tested: tuple[Tested, ...]
    labelled: int
    reason: str | None = None


def choose(
    confidence: ArrayLike, agrees: ArrayLike, thresholds: ArrayLike, wanted: Escalate
) -> Threshold:
    """The lowest threshold that is proven, by fixed-sequence testing.

    Args:
        confidence: (N,) of the first judge on labelled pairs; NaN where it decides nothing.
        agrees: (N,) whether its answer is gold's.
        thresholds: falling; chosen without looking at these pairs.
        wanted: level and delta.

    Each threshold's hypothesis "of what is decided, less than `level` agrees" is tested by an
    exact binomial test at delta, from the highest down, and testing stops at the first that
    is not rejected. So the chosen one is wrong with probability at most delta, for pairs
    that are exchangeable with these, with no correction for how many were tried.

    Source: Jung et al. (2024), section 2.2; Bauer (1991) for the sequence of tests. Differs:
    the thresholds come from unlabelled pairs, so that each test is exact.

    >>> wanted = Escalate(0.8, delta=0.1)
    >>> choose([3.0] * 20 + [1.0] * 20, [True] * 20 + [False] * 20, [2.0, 0.5], wanted).value
    2.0
    """
    from scipy.special import bdtr

    sure, right = numbers(confidence, "confidence"), numbers(agrees, "agrees")
    same_length(confidence=sure, agrees=right)
    tested: list[Tested] = []
    value = None
    for threshold in numbers(thresholds, "thresholds").tolist():
        decided = sure >= threshold  # not where it is NaN
        count, agreed = int(decided.sum()), int(right[decided].sum())
        p_value = float(bdtr(count - agreed, count, 1 - wanted.level)) if count else 1.0
        tested.append(Tested(threshold, count, agreed, p_value))
        if p_value > wanted.delta:
            break
        value = threshold
    reason = None
    if value is None:
        reason = (
            f"no threshold reaches {wanted.level:.0%} agreement with probability"
            f" {1 - wanted.delta:.0%} on {len(sure)} labelled pairs"
        )
    return Threshold(value, tuple(tested), len(sure), reason)


def trials(confidence: ArrayLike, labelled: int, wanted: Escalate) -> FloatArray:
    """Thresholds to try: those at which growing shares of unlabelled pairs would be decided.

    Args:
        confidence: (M,) of the first judge on pairs without looking at their labels; NaN
            where it decides nothing.
        labelled: how many pairs there will be to test on.

    The first share is such that three times as many labelled pairs as could prove the level
    are decided, if all goes as with the unlabelled; none where even all would be too few.
    """
    given = numbers(confidence, "confidence")
    sure = np.sort(given[~np.isnan(given)])[::-1]
    deciding = len(sure)
    if labelled < wanted.fewest or not deciding:
        return np.empty(0)
    first = min(1.0, _ROOM * wanted.fewest / labelled) * len(given)
    step = STEP * len(given)
    places = np.arange(first, deciding + step, step)
    at = np.unique(np.clip(np.ceil(places).astype(int), 1, deciding))
    return np.asarray(sure[at - 1])


def confidence_of(ballot: Ballot) -> float:
    """How sure a judge is of its answer: at least 0; NaN where it decides nothing.

    It is the absolute value of the mean over votes of a stored `margin`, else of the
    difference of stored `scores`, else of the distribution's P(A) - P(B).

    Raises:
        ConfigError: a vote tells none of these.
    """
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
    return None


@dataclass(frozen=True)
class Unsure(Ballots):
    """Ballots in which one judge's decisions below a threshold are none, as `unsure`.

    Args:
        sure: the judge.
        threshold: None makes it unsure of everything.
    """

    sure: str = ""
    threshold: float | None = None

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
        ballots.rows,
        ballots.expected,
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
        drawn = task_key(item, f"escalate {seed}", None, 0) / 2**64
        (chosen if item in gold and drawn < share else others).append(item)
    return chosen, others


def chosen_on(
    ballots: Ballots,
    judge: str,
    labelled: Sequence[str],
    others: Sequence[str],
    gold: Mapping[str, str],
    wanted: Escalate,
) -> Threshold:
    """The threshold for a judge, chosen on labelled items; `others` lend their confidences.

    A gold tie agrees with neither side.
    """
    found = [ballots.of(judge, item) for item in labelled]
    pool = [confidence_of(ballots.of(judge, item)) for item in others]
    grid = trials(pool, len(labelled), wanted)
    if not len(grid):
        needed = f"at least {wanted.fewest} labelled pairs"
        return Threshold(
            None, (), len(labelled), f"{needed} are needed, and a judge that decides some"
        )
    return choose(
        [confidence_of(one) for one in found],
        [one.answer == gold[item] for one, item in zip(found, labelled, strict=True)],
        grid,
        wanted,
    )
