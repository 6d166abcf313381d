"""An adaptive rubric: which question to ask next, and when asking no longer pays.

The main score of an item is what the raters are predicted to answer on average. While
questions are open, the model's answers to them are drawn many times (`impute_answers.py`);
the prediction is the average over the draws, and its variance what is still uncertain.
By the law of total variance a question q takes off, on average, the variance of
E[score | answer to q], which is the share of the draws' variance that a regression on
q's log-probabilities explains.

Source: the idea is sketched by Hashemi et al. (2024), section 7; the procedure is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assize.calibrate._active.impute_answers import AnswerImputer, log_shares
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features, FloatArray, columns_of

DRAWS = 200


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Where an item stands."""

    # (R, K) distributions of all the calibrator's raters: averaged over the draws, or of a
    # calibrator that has learnt with questions masked its own
    p: FloatArray
    score: float  # the main score of `p`, the mean over the rubric's raters and answers
    variance: float  # of the main score over the draws; 0 when everything was asked
    gains: dict[int, float]  # block's place -> variance that asking it is expected to take off

    @property
    def best(self) -> int | None:
        """The block that takes off most; None where nothing is left."""
        return max(self.gains, key=lambda place: self.gains[place]) if self.gains else None


@dataclass(frozen=True)
class AdaptiveRubric:
    """Chooses questions for a fitted calibrator."""

    calibrator: Calibrator  # predicts the raters
    imputer: AnswerImputer  # draws what was not asked; of the same blocks
    raters: tuple[int, ...]  # places in the calibrator's raters whose average is the main score
    draws: int = DRAWS  # per state
    seed: int = 0  # of the draws

    @cached_property
    def columns(self) -> list[slice]:
        """Where each block stands in a row."""
        return columns_of(self.calibrator.blocks)

    def state(self, x: FloatArray) -> State:
        """What is known of an item (D,): NaN where not asked, 0 where it does not apply."""
        open_ = [place for place, where in enumerate(self.columns) if np.isnan(x[where]).any()]
        rng = np.random.default_rng(self.seed)
        drawn = self.imputer.draw(x, self.draws if open_ else 1, rng)
        values, whose = np.asarray(self.calibrator.target.values), list(self.raters)
        p = self._predict(drawn)  # (draws, R, K)
        scores = (p[:, whose] @ values).mean(axis=1)
        variance = float(scores.var(ddof=1)) if open_ else 0.0
        logs = log_shares(self.imputer.blocks, drawn)
        gains = {
            place: variance * _explained(scores, logs[:, self.columns[place]]) for place in open_
        }
        masked = bool(open_) and self.calibrator.abilities.missing
        p = self._predict(x[None])[0] if masked else p.mean(axis=0)
        return State(p, float((p[whose] @ values).mean()), variance, gains)

    def _predict(self, x: FloatArray) -> FloatArray:
        """Answers (N, R, K) of all raters about rows (N, D)."""
        features = Features((), self.calibrator.blocks, x)
        return self.calibrator.probabilities(features, range(len(self.calibrator.raters)))

    def path(
        self, x: FloatArray, order: Sequence[int] | None = None
    ) -> list[tuple[int | None, State]]:
        """All states of an item with known answers (D,), each with the block asked to get there.

        Args:
            order: of blocks; None asks next what takes off most.
        """
        known = start(x, self.columns)
        states: list[tuple[int | None, State]] = [(None, self.state(known))]
        rest = None if order is None else iter(order)
        while True:
            place = states[-1][1].best if rest is None else next(rest, None)
            if place is None:
                return states
            where = self.columns[place]
            if not np.isnan(known[where]).any():
                continue
            known[where] = x[where]
            if np.isnan(known[where]).any():  # it was never answered: average it
                known[where] = self._average(place)
            states.append((place, self.state(known)))

    def _average(self, place: int) -> FloatArray:
        where, block = self.columns[place], self.calibrator.blocks[place]
        mean = self.imputer.mean[where]
        if not block.answers:
            return mean
        return np.asarray(np.exp(mean) / np.exp(mean).sum() * self.imputer.mass[place])


def start(x: FloatArray, columns: Sequence[slice]) -> FloatArray:
    """An item's row before anything is asked: that a question does not apply is known."""
    known = np.full_like(x, np.nan)
    for where in columns:
        if (x[where] == 0).all() and where.stop - where.start > 1:
            known[where] = 0.0
    return known


def _explained(scores: FloatArray, columns: FloatArray) -> float:
    """Share of the scores' variance that a linear regression explains, adjusted, in [0, 1]."""
    total = scores.var()
    if total <= 0:
        return 0.0
    design = np.hstack([np.ones((len(scores), 1)), columns - columns.mean(axis=0)])
    fitted = design @ np.linalg.lstsq(design, scores, rcond=None)[0]
    left = ((scores - fitted) ** 2).mean() / total
    free = len(scores) - 1 - (columns.shape[1] - 1)  # log-shares lie in a plane
    return float(np.clip(1 - left * (len(scores) - 1) / max(1, free), 0, 1))
