"""What is drawn anew in each replicate: raters, their predicted answers, conversations.

Each replicate draws raters with replacement, draws an answer of each calibrated rater for each
conversation from its predicted distribution, and draws conversations with replacement. Bands,
intervals of means and of shares, of differences and of figures over time all come from here.

What makes it quick, none of it an approximation but the first:

- An answer is drawn by one of 65,536 equally likely numbers, so chances are right to 1 / 65,536.
- Drawing N conversations with replacement and counting them in bins is drawing the counts from a
  multinomial distribution with the shares of the bins (`replicates.drawn_counts`).
- A rater who was not drawn in a replicate is not looked at: a third of them.

Source: Hashemi et al. (2024), appendix A. Differs: a rater drawn twice gives one answer, which
counts twice, and so does a conversation drawn twice. Raters' errors about one conversation are
taken as independent, as in the paper (footnote 20).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.signature import sign
from assize.stats._resampling import draw_weights
from assize.web._dashboard.figures.panels import chances
from assize.web._dashboard.prepared.cells import STEPS
from assize.web._dashboard.prepared.view import Cells

REPLICATES = 200
SOURCES = ("raters", "conversations", "answers")
_A_WORD = 64 // (STEPS.bit_length() - 1)  # numbers that answers are drawn by, in 64 bits


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn anew.

    Args:
        sources: any of `SOURCES`.
        replicates: at least 20.
        confidence: of the bands, pointwise, in (0, 1).
    """

    sources: tuple[str, ...] = SOURCES
    replicates: int = REPLICATES
    confidence: float = 0.95

    def without_answers(self) -> Drawing:
        """The same, but predictions stay what is expected."""
        return replace(self, sources=tuple(one for one in self.sources if one != "answers"))


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn for some figures, as it is told beside them.

    Args:
        sources: those of which there was anything to draw.
        answers: raters whose answers were drawn.
        signature: of what could change the numbers.
    """

    sources: tuple[str, ...]
    answers: int
    replicates: int
    confidence: float
    seed: int
    signature: str

    @property
    def conversations_alone(self) -> bool:
        """Whether neither raters nor answers vary: then exact intervals over conversations do."""
        return not {"raters", "answers"} & set(self.sources)


@dataclass(eq=False)
class Resampler:
    """The raters of a panel and their answers to one question, drawn anew.

    Args:
        panel: R raters.
        size: conversations, U.
    """

    cells: Cells
    panel: tuple[int, ...]
    size: int
    how: Drawing
    rng: np.random.Generator

    def __post_init__(self) -> None:
        cells, drawing = self.cells, "answers" in self.how.sources
        self.spans = {rater: cells.of(rater) for rater in self.panel}
        self.cuts = {
            rater: [np.asarray(one) for one in cells.cuts[:, mine]]
            for rater, mine in self.spans.items()
            if drawing and cells.drawn[rater] and cells.cuts is not None
        }
        self._answer = np.empty(self.size, dtype=np.uint8)
        self._above = np.empty(self.size, dtype=np.bool_)

    def told(self, seed: int, *parts: Any) -> Drawn:
        """What is drawn.

        Args:
            parts: what else can change the numbers.
        """
        kept = {
            "raters": len(self.panel) > 1,
            "conversations": True,
            "answers": bool(self.cuts),
        }
        sources = tuple(one for one in kept if one in self.how.sources and kept[one])
        how = self.how
        return Drawn(
            sources,
            len(self.cuts),
            how.replicates,
            how.confidence,
            seed,
            sign("dashboard", *parts, sources, how.replicates, how.confidence, seed),
        )

    def whole(self, rater: int) -> bool:
        """Whether a rater has a number for every conversation."""
        mine = self.spans[rater]
        return bool(mine.stop - mine.start == self.size)

    def units(self, rater: int) -> NDArray[np.int32]:
        """(C,) the conversations that a rater has a number for."""
        return self.cells.unit[self.spans[rater]]

    def raters(self) -> list[tuple[int, float]]:
        """The raters of one replicate, each with how often it was drawn."""
        weights = np.ones(len(self.panel))
        if "raters" in self.how.sources and len(self.panel) > 1:
            weights = draw_weights(1, len(self.panel), self.rng)[0]
        return [
            (rater, weight)
            for rater, weight in zip(self.panel, weights.tolist(), strict=True)
            if weight
        ]

    def answers(self, rater: int) -> NDArray[np.uint8]:
        """(C,) a drawn answer for each cell of a rater in `cuts`, as a place among the levels.

        The same memory is filled again by the next call.
        """
        size = self.spans[rater].stop - self.spans[rater].start
        raw = self.rng.integers(0, 1 << 64, -(-size // _A_WORD), dtype=np.uint64)
        number = raw.view(np.uint16)[:size]
        answer, above = self._answer[:size], self._above[:size]
        answer[:] = 0
        for cut in self.cuts[rater]:
            np.greater_equal(number, cut, out=above)
            answer += above.view(np.uint8)
        return answer


@dataclass(eq=False)
class RaterMeans:
    """The mean over its raters of each conversation's drawn numbers, replicate by replicate."""

    draws: Resampler

    def __post_init__(self) -> None:
        draws, cells = self.draws, self.draws.cells
        self.values = {
            rater: np.asarray(cells.value[mine], dtype=np.float32)
            for rater, mine in draws.spans.items()
            if rater not in draws.cuts
        }
        steps = np.diff(cells.levels)
        even = bool(len(steps)) and bool(np.allclose(steps, steps[0], rtol=1e-12))
        self.quick = {rater for rater in draws.cuts if even and draws.whole(rater)}
        self.total = np.empty(draws.size, dtype=np.float32)
        self.count = np.empty(draws.size, dtype=np.float32)
        self.places = np.empty(draws.size, dtype=np.uint16)

    def draw(self) -> NDArray[np.float32]:
        """(U,) means of one replicate; NaN for a conversation without a rater who was drawn."""
        total, count = self.sums()
        with np.errstate(invalid="ignore"):
            return np.asarray(total / count)

    def sums(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(U,) sums and (U,) counts of one replicate; both are filled again by the next."""
        self.total[:] = 0
        self.count[:] = 0
        self.places[:] = 0
        drawn = 0.0  # weight of the raters whose answers stand in `places`
        for rater, weight in self.draws.raters():
            if rater in self.quick:
                self.places += self.draws.answers(rater) * np.uint16(weight)
                drawn += weight
            else:
                self._add(rater, weight)
        if drawn:
            low, step = self.draws.cells.levels[0], np.diff(self.draws.cells.levels[:2])[0]
            self.total += self.places * np.float32(step) + np.float32(low * drawn)
            self.count += np.float32(drawn)
        return self.total, self.count

    def _add(self, rater: int, weight: float) -> None:
        draws, heavy = self.draws, np.float32(weight)
        if rater in draws.cuts:
            levels = draws.cells.levels.astype(np.float32)
            worth = levels.take(draws.answers(rater)) * heavy
        else:
            worth = self.values[rater] * heavy
        if draws.whole(rater):
            self.total += worth
            self.count += heavy
        else:
            unit = draws.units(rater)
            self.total[unit] += worth
            self.count[unit] += heavy


@dataclass(eq=False)
class RaterVotes:
    """How many raters of each conversation give each answer to a nominal question.

    Args:
        answers: K, how many the question names.
    """

    draws: Resampler
    answers: int

    def __post_init__(self) -> None:
        draws, cells = self.draws, self.draws.cells
        self.expected = {
            rater: (chances(cells, rater, self.answers) / STEPS).astype(np.float32)
            for rater in draws.panel
            if rater not in draws.cuts
        }
        self.levels = cells.levels.astype(np.intp).tolist()
        self.votes = np.empty((self.answers, draws.size), dtype=np.float32)
        self.drawn = np.empty((self.answers, draws.size), dtype=np.uint16)
        self.count = np.empty(draws.size, dtype=np.float32)

    def draw(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(K, U) raters by answer, and (U,) raters, of one replicate; a rater counts as often as
        it was drawn. Both are filled again by the next."""
        self.votes[:] = 0
        self.drawn[:] = 0
        self.count[:] = 0
        for rater, weight in self.draws.raters():
            unit: Any = slice(None) if self.draws.whole(rater) else self.draws.units(rater)
            if rater in self.expected:
                self.votes[:, unit] += np.float32(weight) * self.expected[rater]
            else:
                answer = self.draws.answers(rater)
                for at, place in enumerate(self.levels):
                    given = (answer == at).view(np.uint8)
                    self.drawn[place, unit] += given * np.uint16(weight)
            self.count[unit] += np.float32(weight)
        self.votes += self.drawn
        return self.votes, self.count
