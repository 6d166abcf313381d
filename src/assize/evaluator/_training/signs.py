"""Which way is up: the likelihood of votes cannot tell, dimension by dimension.

It stays the same when alpha, beta and f become 1 - beta, 1 - alpha and -f. So training begins where
the votes alone lead (`fit_votes`, which takes anchors, and says where nothing is certain), and
a question that ends on the other side all the same is turned round.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._training.given_differences import EDGE, Reliabilities
from assize.evaluator._training.lessons import Lessons
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes, fit_votes
from assize.stats._reliability.orientation import FEWEST_ANCHORS

GOLD = 0.99  # alpha and beta of gold labels, which stay as they are
_RESAMPLES = 100  # of pairs, for how sure the way round is


@dataclass(frozen=True, slots=True, eq=False)
class StartingPoint:
    """What the votes say before any network: where to begin, and what is not certain."""

    begin: Reliabilities  # (J, K)
    notes: tuple[str, ...]


def begin_from_votes(
    lessons: Lessons, gold: Collection[str], trusted: Collection[str], *, tied: bool, seed: int
) -> StartingPoint:
    """Reliabilities from the votes alone, the right way round where anchors say which that is.

    Args:
        gold: judges whose votes are true labels.
        trusted: judges who are held to be right more often than wrong.
    """
    is_gold = np.array([name in gold for name in lessons.judges], dtype=bool)
    rate = np.full(lessons.votes.shape[1:], GOLD)
    begin = Reliabilities(rate, rate.copy())
    others = _of_judges(lessons.votes, ~is_gold)
    if not (others.for_a.any() or others.for_b.any()):
        return StartingPoint(begin, ())
    places = [
        place
        for place, name in enumerate(np.array(lessons.judges)[~is_gold].tolist())
        if name in trusted
    ]
    labels = _labels(lessons.votes, is_gold)
    found = fit_votes(
        others,
        tied=tied,
        anchors=labels,
        trusted=places,
        resamples=_RESAMPLES,
        names=lessons.questions,
        rng=np.random.default_rng([seed, 4]),
    )
    for into, given in ((begin.alpha, found.alpha), (begin.beta, found.beta)):
        into[~is_gold] = np.clip(np.where(np.isnan(given), 0.5, given), EDGE, 1 - EDGE)
    notes = [doubt for one in found.doubts for doubt in one if "nobody voted" not in doubt]
    if labels is not None:
        notes += _few(lessons, (np.abs(labels) == 1).sum(axis=0))
    return StartingPoint(begin, tuple(notes))


def _of_judges(votes: Votes, which: NDArray[np.bool_]) -> Votes:
    return Votes(*(part[:, which] for part in (votes.for_a, votes.for_b, votes.ties)))


def _labels(votes: Votes, is_gold: NDArray[np.bool_]) -> FloatArray | None:
    """(N, K) 1, -1, or NaN, by the judges who are gold; None without any."""
    if not is_gold.any():
        return None
    lead = (votes.for_a - votes.for_b)[:, is_gold].sum(axis=1)
    return np.where(lead == 0, np.nan, np.sign(lead))


def _few(lessons: Lessons, labels: NDArray[np.intp]) -> list[str]:
    return [
        f"{name}: {count} gold labels; give at least {FEWEST_ANCHORS}, or name a judge to trust"
        for name, count in zip(lessons.questions, labels.tolist(), strict=True)
        if 0 < count < FEWEST_ANCHORS
    ]


def turned_round(lessons: Lessons, begin: Reliabilities, found: Reliabilities) -> NDArray[np.bool_]:
    """(K,) questions that ended on the other side than the one where they should be.

    Args:
        begin: where the votes and the anchors put the judges.
        found: what was learnt.
    """
    weight = (lessons.votes.for_a + lessons.votes.for_b).sum(axis=0)
    return np.asarray((weight * begin.information * found.information).sum(axis=0) < 0)
