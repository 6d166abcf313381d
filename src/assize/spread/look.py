"""One question as it is looked at: whose answers, which conversations, which draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.judgment import Question
from assize.base.signature import sign
from assize.spread.bootstrap import Sample, draw_samples, group_means, observe
from assize.spread.density import CELLS, Grid
from assize.spread.groups import Groups, choose_panel
from assize.spread.options import SpreadOptions
from assize.spread.ratings import Answers, FloatArray, IntArray, Ratings


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One question of some ratings.

    Args:
        panel: rows of the raters whose answers count.
        groups: of conversations.
        observed: the answers with nothing drawn.
        rng: of the replicates; it follows from seed, question and options.
    """

    ratings: Ratings
    options: SpreadOptions
    question: Question
    answers: Answers
    panel: Sequence[int]
    groups: Groups
    observed: Sample
    rng: np.random.Generator

    @property
    def conversation_means(self) -> FloatArray:
        """(U,) the mean over raters of each conversation in a group; NaN for none."""
        with np.errstate(invalid="ignore"):
            means = self.observed.total[0] / self.observed.count
        return np.where(self.groups.code >= 0, means, np.nan)

    @property
    def numbers(self) -> FloatArray:
        """The conversations' means; kept apart each rater's numbers."""
        values = self.conversation_means
        if self.options.apart:
            values = self.answers.values[0][self.panel][:, self.groups.code >= 0].ravel()
        return values[~np.isnan(values)]

    def count(self, inside: np.ndarray, code: IntArray, cells: int) -> IntArray:
        """(S,) how many conversations (U,) of each cell are inside."""
        return np.bincount(code[inside & (code >= 0)], minlength=cells)

    def counts(self, code: IntArray, cells: int) -> Counts:
        """How many conversations and answers stand in each cell; `code` (U,) is -1 for none."""
        scored = self.observed.count > 0
        failed = self.answers.failed[self.panel].any(axis=0) & ~scored
        needless = self.answers.needless[self.panel].any(axis=0) & ~scored & ~failed
        inside = code >= 0
        raters = np.bincount(code[inside], self.observed.count[inside], cells).astype(np.int64)
        conversations = self.count(scored, code, cells)
        return Counts(
            conversations,
            raters,
            raters if self.options.apart else conversations,
            self.count(failed, code, cells),
            self.count(needless, code, cells),
        )

    def means(self, sample: Sample) -> FloatArray:
        """(S, C) the mean of each group in each column."""
        groups = self.groups
        return group_means(sample, groups.code, len(groups.names), apart=self.options.apart)

    def resample(
        self,
        summarize: Callable[[Sample], FloatArray],
        code: IntArray | None = None,
        *,
        answers: bool = True,
        conversations: bool = True,
    ) -> FloatArray:
        """(B, ...) a figure in each replicate.

        Args:
            code: (U,) within which conversations are drawn; the groups when None.
            answers, conversations: whether these may be drawn.
        """
        how = self.options.resampling
        how = how if answers else how.without("answers")
        how = how if conversations else how.without("conversations")
        code = self.groups.code if code is None else code
        samples = draw_samples(self.answers, self.panel, code, how, self.rng)
        return np.stack([summarize(sample) for sample in samples])

    def count_apart(self, grid: Grid) -> Callable[[Sample], FloatArray]:
        """Return the function that counts each rater's numbers of a sample on the grid."""
        size = len(self.groups.names) * CELLS
        places, units = [], []
        for rater in self.panel:
            values = self.answers.values[0, rater]
            unit = np.flatnonzero(~np.isnan(values) & (self.groups.code >= 0))
            units.append(unit)
            places.append(self.groups.code[unit] * CELLS + grid.places(values[unit]))

        def count(sample: Sample) -> FloatArray:
            total = np.zeros(size)
            for weight, position, unit in zip(sample.weights, places, units, strict=True):
                total += weight * np.bincount(position, sample.times[unit], size)
            return total.reshape(-1, CELLS)

        return count


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """What stands in each cell (S,): conversations, raters' answers about them, and which of both
    is n; and conversations that failed or that the question does not apply to."""

    conversations: IntArray
    answers: IntArray
    n: IntArray
    unscored: IntArray
    not_applicable: IntArray


def look_at(ratings: Ratings, options: SpreadOptions, question: Question, groups: Groups) -> Look:
    """Return one question with its panel, as observed, and the generator of its draws."""
    answers = ratings.answers[question.id]
    panel = choose_panel(ratings, options.raters, question)
    message = (question.id, options.by, options.where, list(options.raters), options.apart)
    rng = np.random.default_rng([options.resampling.seed, int(sign(*message), 16)])
    return Look(ratings, options, question, answers, panel, groups, observe(answers, panel), rng)
