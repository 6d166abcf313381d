"""Which scores can be labelled with a wanted precision, and which are left open.

        low cut             high cut
    bad    │   left open       │   good
    ───────┴───────────────────┴──────────► NetSAT

Source: RUBICON, section 4.2. The paper finds the window on the conversations that it is then
measured on; to be used, it must be found on others (`yield_rate` takes it from anywhere).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from assize.base.arguments import check_word
from assize.criteria._selection.pool import Mask
from assize.stats._arrays import FloatArray

WindowRule = Literal["auto", "observed", "wilson", "paper"]
RULES: tuple[WindowRule, ...] = ("auto", "observed", "wilson", "paper")

ENOUGH = 200  # labels from which the observed precision holds on new conversations
LEAST = 5  # conversations that a label must rest on
_ERRORS = 1.0  # standard errors by which Wilson's bound lies below what was observed
_SLACK = 1e-12


@dataclass(frozen=True, slots=True)
class Wanted:
    """How surely labels must be right.

    Args:
        precision: share of labels that are right, above 0 and at most 1.
        prevalence: share of good conversations that precision is computed for; None takes the one
            observed.
        rule: what reaches the precision: the share `observed`; Wilson's lower bound (`wilson`);
            `auto`, which is the bound below `ENOUGH` labels and the share from there on; or
            `paper`, which ends a label at the first score where the share falls below it.
    """

    precision: float = 0.9
    prevalence: float | None = None
    rule: WindowRule = "auto"

    def __post_init__(self) -> None:
        check_word("window", self.rule, RULES)

    @property
    def observed(self) -> Wanted:
        """The same by the share observed: what a yield that is measured, not used, counts."""
        return self if self.rule == "paper" else replace(self, rule="observed")

    def reached(self, right: FloatArray, total: FloatArray, labels: int) -> Mask:
        """Return where so many right ones (K,) of so many (K,) are enough.

        Args:
            labels: conversations that the window is found on.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            share = right / total
            if self.rule == "wilson" or (self.rule == "auto" and labels < ENOUGH):
                share = _lower_bound(share, total)
        return np.asarray(share >= self.precision - _SLACK)


WANTED = Wanted()


@dataclass(frozen=True, slots=True)
class Window:
    """Scores up to `low` are labelled bad, those above `high` good, those between left open.

    Where all can be labelled, nothing is left open and both are the same. -inf or inf stands
    where no score can be labelled with the precision wanted.
    """

    low: float
    high: float
    precision: float

    def labelled(self, nets: FloatArray) -> Mask:
        """Which scores (N,) are labelled; NaN is not."""
        return np.asarray((nets <= self.low) | (nets > self.high))

    def good(self, nets: FloatArray) -> Mask:
        """Which scores (N,) are labelled good."""
        return np.asarray(nets > self.high)


@dataclass(frozen=True, slots=True)
class Yielded:
    """The share of conversations that is labelled, and how often the label is right."""

    share: float
    precision: float  # realised; NaN where nothing is labelled
    labelled: int
    n: int


def window(nets: FloatArray, good: Mask, midpoint: float, wanted: Wanted = WANTED) -> Window:
    """The two cuts that label most conversations with the precision wanted.

    A cut lies in the middle between two scores. Of all pairs of cuts that reach the precision,
    each side on at least `LEAST` conversations, the pair that leaves fewest open is taken; of
    equal ones that with the high cut nearest to `midpoint`. So a single wrong label at one end of
    the scores does not end the window there.

    Args:
        nets: (N,) scores; NaN is left out.
        good: (N,) labels.
        midpoint: the threshold of the set.
        wanted: the precision, and what reaches it.

    Source: RUBICON, section 4.2. Differs: where precision rises above the wanted one more than
    once, the paper does not say which cut counts; `paper` takes the outermost.
    """
    known = ~np.isnan(nets)
    scores, places = np.unique(nets[known], return_inverse=True)
    goods = np.bincount(places[good[known]], minlength=len(scores)).astype(np.float64)
    bads = np.bincount(places[~good[known]], minlength=len(scores)).astype(np.float64)
    counts = goods + bads
    if wanted.prevalence is not None:
        goods *= wanted.prevalence / max(goods.sum(), 1)
        bads *= (1 - wanted.prevalence) / max(bads.sum(), 1)
    if wanted.rule == "paper":
        return _outermost(scores, goods, bads, midpoint, wanted.precision)
    cuts, below = _cuts(scores), _cumulated(counts)  # (K + 1,) below: conversations up to a cut
    above = below[-1] - below
    labels = int(below[-1])
    bad_share, good_share = _shares(bads, goods), _shares(goods[::-1], bads[::-1])[::-1]
    low = (below >= LEAST) & wanted.reached(bad_share * below, below, labels)
    high = (above >= LEAST) & wanted.reached(good_share * above, above, labels)
    lows = np.maximum.accumulate(np.where(low, np.arange(len(cuts)), -1))  # best up to each cut
    bad_labels = np.where(lows >= 0, below[lows], 0)
    labelled = np.where(high, bad_labels + above, -1)
    if labelled.max() < bad_labels[-1] or not high.any():
        return Window(_cut_at(cuts, lows[-1]), np.inf, wanted.precision)
    most = np.flatnonzero(labelled == labelled.max())
    best = most[np.abs(cuts[most] - midpoint).argmin()]
    return Window(_cut_at(cuts, lows[best]), float(cuts[best]), wanted.precision)


def _cut_at(cuts: FloatArray, index: int) -> float:
    """Return a cut; -inf where the index says that there is none."""
    return float(cuts[index]) if index >= 0 else -np.inf


def _cuts(scores: FloatArray) -> FloatArray:
    """Return the cuts (K + 1,) between K scores, and one half a gap beyond each end."""
    if not len(scores):
        return np.zeros(1)
    gaps = np.diff(scores) if len(scores) > 1 else np.ones(1)
    inner = scores[:-1] + np.diff(scores) / 2
    return np.concatenate([[scores[0] - gaps[0] / 2], inner, [scores[-1] + gaps[-1] / 2]])


def _cumulated(counts: FloatArray) -> FloatArray:
    return np.concatenate([[0.0], np.cumsum(counts)])


def _shares(ours: FloatArray, others: FloatArray) -> FloatArray:
    """Return the share of ours up to each cut (K + 1,); NaN up to the first."""
    mine = _cumulated(ours)
    with np.errstate(invalid="ignore"):
        shares: FloatArray = mine / (mine + _cumulated(others))
    return shares


def _lower_bound(share: FloatArray, total: FloatArray) -> FloatArray:
    """Return the lower end of Wilson's interval of a share, `_ERRORS` standard errors below."""
    z = _ERRORS**2 / total
    return np.asarray((share + z / 2 - np.sqrt(z * share * (1 - share) + z**2 / 4)) / (1 + z))


def _outermost(
    scores: FloatArray, goods: FloatArray, bads: FloatArray, midpoint: float, precision: float
) -> Window:
    """The cuts at the first scores, from either end, where precision is not reached.

    Where they cross, every cut between them, and on to the next score, satisfies both; the one
    nearest to `midpoint` separates the labels.
    """
    below = np.cumsum(bads) / np.cumsum(goods + bads)  # at or below each score
    above = np.cumsum(goods[::-1])[::-1] / np.cumsum((goods + bads)[::-1])[::-1]  # from each on
    reached = int(np.argmin(np.append(below >= precision, False)))
    kept_above = int(np.argmin(np.append((above >= precision)[::-1], False)))
    low = scores[reached - 1] if reached else -np.inf
    first = len(scores) - kept_above  # the first score that is labelled good
    high = scores[first - 1] if 0 < first < len(scores) else (np.inf if first else -np.inf)
    if low >= high:
        following = scores[reached] if reached < len(scores) else np.inf
        low = high = midpoint if low < midpoint < following else min(max(midpoint, high), low)
    return Window(float(low), float(high), precision)


def yield_rate(cuts: Window, nets: FloatArray, good: Mask) -> Yielded:
    """What a window labels among conversations whose labels are known; NaN scores count as n."""
    labelled = cuts.labelled(nets)
    count = int(labelled.sum())
    right = cuts.good(nets)[labelled] == good[labelled]
    realised = float(right.mean()) if count else float("nan")
    return Yielded(count / len(nets), realised, count, len(nets))
