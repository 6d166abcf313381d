"""Continuations that do not belong where they stand: found by how unreasonable they are predicted.

UPHELD takes reasonableness for a filter of what is out of distribution (appendix B.3). An ensemble
of `reasonableness` gives each continuation a number; how well low numbers find what does not belong
is told by exchanging candidates between conversations, which gives turns that a person or a model
did say, though not there. Where nobody has rated reasonableness, such exchanged candidates stand
for the unreasonable ones, as judgments by `exchange` to fit on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from scipy.stats import rankdata

from assize import stats
from assize.base.conversation import Continuation
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats.research.upheld import QUESTIONS
from assize.judgments import JudgmentTable
from assize.reference._continuations.context import conversation_names
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.stats._studies.splits import Mask

EXCHANGED = "exchanged"  # the source of such a candidate, and the end of its id
JUDGE = "exchange"  # who says that it is unreasonable
REASONABLENESS = QUESTIONS[2]


def exchanged(
    continuations: Iterable[Continuation], rng: np.random.Generator
) -> list[Continuation]:
    """Each place with the candidate of a place in another conversation, drawn at random.

    Ids end in `/exchanged`; context and references stay.

    Raises:
        DataError: all are of one conversation.
    """
    given = list(continuations)
    owner = np.array(conversation_names(given))
    if len(set(owner.tolist())) < 2:
        raise DataError("candidates are exchanged between conversations; give at least two")
    found = []
    for one, own in zip(given, owner, strict=True):
        others = np.flatnonzero(owner != own)
        at = int(others[rng.integers(len(others))])
        found.append(
            replace(
                one, id=f"{one.id}/{EXCHANGED}", candidate=given[at].candidate, source=EXCHANGED
            )
        )
    return found


def labels_of(continuations: Iterable[Continuation]) -> JudgmentTable:
    """Reasonableness by `exchange`: 1 of what is exchanged, 5 of all else.

    It says what was done to a candidate, and not what people think of it.
    """
    rows = [
        Judgment(
            one.id,
            JUDGE,
            REASONABLENESS.id,
            answer="1" if one.source == EXCHANGED else "5",
            kind="person",
            anonymous=True,
        )
        for one in continuations
    ]
    return JudgmentTable.of(rows, [REASONABLENESS])


def detection(
    scores: FloatArray, foreign: Sequence[bool] | Mask, conversations: Sequence[str]
) -> Estimate:
    """How often a foreign continuation has a lower score than one that belongs: AUC.

    Args:
        scores: (N,) predicted reasonableness; NaN is unscored.
        foreign: (N,) which do not belong where they stand.
        conversations: (N,) of the places; the interval draws whole ones.

    Returns:
        In [0, 1]: 1 finds all, 0.5 is chance, equal scores count half. NaN with a reason where
        all or none are foreign.
    """
    there = ~np.isnan(scores)
    value, odd = scores[there], np.asarray(foreign, dtype=bool)[there]
    if odd.all() or not odd.any():
        reason = "needs continuations that belong where they stand, and others that do not"
        return Estimate(float("nan"), unscored=int((~there).sum()), reason=reason)
    found = stats.bootstrap_of(
        _auc,
        (value, odd),
        name="auc",
        clusters=np.asarray(conversations)[there],
    )
    return replace(found, unscored=int((~there).sum()))


def _auc(value: FloatArray, odd: FloatArray) -> float:
    low, high = int(odd.sum()), int((~odd.astype(bool)).sum())
    if not low or not high:
        return float("nan")
    ranks = rankdata(-value)
    return float((ranks[odd.astype(bool)].sum() - low * (low + 1) / 2) / (low * high))
