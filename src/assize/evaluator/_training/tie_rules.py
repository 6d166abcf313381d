"""When two dialogues are too close to call: a tie threshold a question, from votes held out.

Letters: D dialogues, N pairs, J judges, K questions, M members.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._heads.scored_question import ScoredQuestion, TieRule
from assize.evaluator._ties import FEWEST, FOLDS, learn_ties
from assize.evaluator._training.given_differences import EDGE, Reliabilities
from assize.evaluator._training.lessons import IntArray, Lessons
from assize.stats._arrays import FloatArray
from assize.stats._reliability import mixture

FEWEST_TIES = 10  # pairs that the votes call a tie, below which they do not say where ties begin


def tie_rules(
    lessons: Lessons,
    judges: Reliabilities,
    scored: Mapping[str, ScoredQuestion],
    members: FloatArray,
    fold: IntArray,
    *,
    seed: int,
) -> dict[str, TieRule]:
    """A rule for each question that was voted on; the published 0.01 where votes are too few.

    Args:
        judges: (J, K) reliabilities, by which votes for a side are weighed.
        scored: the maps from raw numbers to scores, in the order of the questions.
        members: (M, D, K) raw numbers of each member.
        fold: (D,) the member that did not learn from a dialogue; any other number where all did.
        seed: of the folds by which a rule's accuracy is measured.

    A threshold is learnt (`learn_ties`) where 20 pairs or more were held out that the votes
    label, ten of them as ties: it answers most of them as labelled, scored by the member that
    did not learn from them.

    Source: Tang et al. (MTDEval), section 5.2 and appendix H: 0.01 on validation data. Differs:
    learnt on what the judges say, see `labels_of`, so that no gold is needed.
    """
    labels, alone = labels_of(lessons, judges), held_out_by(members, fold)
    group = lessons.groups()[lessons.a]
    found = {}
    for place, (name, one) in enumerate(scored.items()):
        if not lessons.votes.sided[:, place].any():
            continue
        score = one.maps["conversation"](alone[:, place])
        apart, gold = score[lessons.a] - score[lessons.b], labels[:, place]
        use = ~(np.isnan(apart) | np.isnan(gold))
        enough = use.sum() >= FEWEST and (gold[use] == 0).sum() >= FEWEST_TIES
        if not enough or len(np.unique(group[use])) < FOLDS:
            found[name] = TieRule()
            continue
        rng = np.random.default_rng([seed, 6, place])
        found[name] = learn_ties(apart[use], gold[use], clusters=group[use], rng=rng).rule
    return found


def labels_of(lessons: Lessons, judges: Reliabilities) -> FloatArray:
    """(N, K) what the votes say together: 1 for A, 0 for a tie, -1 for B; NaN without a vote.

    A judge whose votes are divided between the sides says that it is a tie. A pair is a tie where
    more judges say so than say A, and more than say B; else the side that is more probable given
    the votes and the judges' reliabilities.
    """
    votes = lessons.votes
    there = votes.for_a + votes.for_b + votes.ties > 0
    said = np.sign(votes.for_a - votes.for_b)
    a, tie, b = ((there & (said == one)).sum(axis=1) for one in (1, 0, -1))
    alpha, beta = (
        np.clip(np.where(np.isnan(one), 0.5, one), EDGE, 1 - EDGE)
        for one in (judges.alpha, judges.beta)
    )
    posterior = mixture(votes, np.zeros((len(lessons), len(lessons.questions))), alpha, beta)
    side = np.where(posterior.posterior >= 0.5, 1.0, -1.0)
    label = np.where(tie > np.maximum(a, b), 0.0, side)
    return np.asarray(np.where(there.any(axis=1), label, np.nan))


def held_out_by(members: FloatArray, fold: NDArray[np.integer]) -> FloatArray:
    """(D, K) each dialogue's raw number by the member that did not learn from it, NaN without one.

    Each member's numbers get the mean and the deviation of those of all members together, for
    the map to scores is theirs.
    """
    together = members.mean(axis=0)
    centre, spread = members.mean(axis=1, keepdims=True), members.std(axis=1, keepdims=True)
    like = (members - centre) / np.where(spread > 0, spread, 1.0)
    like = like * together.std(axis=0) + together.mean(axis=0)
    count, rows = len(members), np.arange(members.shape[1])
    own = (fold >= 0) & (fold < count)
    return np.where(own[:, None], like[np.where(own, fold, 0), rows], np.nan)
