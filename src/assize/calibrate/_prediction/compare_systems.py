"""Sets of conversations side by side: how predicted answers are spread, and how sets differ.

The figures are the mean over conversations and raters of the predicted distributions. Bands
come from drawing raters, conversations and predicted answers anew, all three or some of
them; where a set lies far from what was fitted, the level at which it is rated is open, and drawn
too (to first order). What the calibrator does not know of its raters stands in its predictions
already.

Source: Hashemi et al. (2024), appendix A, which names these bands and gives no procedure.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign_text
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import IntArray, Scale
from assize.calibrate._joint_errors import shared_chances
from assize.results import Column, Hidden, Result, Table
from assize.results.numbers import counted
from assize.results.types import Estimate
from assize.stats._estimate import describe, generator_state
from assize.stats._resampling import draw_weights, percentile_ends

POINTS = 101  # at which a density is known
MOST_ROWS = 40  # of differences of answers that a table shows
SOURCES = ("raters", "conversations", "answers", "levels")


Percent = Annotated[Estimate, Column("share", "percent", digits=1, unit="%", coarse=0)]
UpTo = Annotated[Estimate | None, Column("this or lower", "percent", digits=1, unit="%", coarse=0)]


@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """Of a set's expected scores at G points, with its band; it says nothing of drawn answers."""

    at: FloatArray
    curve: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set of conversations.

    Args:
        mean: of the predicted answers; None where they are not ordered.
    """

    n: int
    unscored: int
    mean: Annotated[Estimate | None, Column(digits=2)]


@dataclass(frozen=True, slots=True)
class SetAnswer:
    """How often one answer is predicted of a set.

    Args:
        at_most: P(answer <= this); None for the highest, which is always 1, and where answers are
            not ordered.
    """

    set: str
    answer: str
    share: Percent
    at_most: UpTo


@dataclass(frozen=True, slots=True)
class SetDifference:
    """The mean of `second` less that of `first`; `shared` conversations stand in both."""

    first: str
    second: str
    shared: int
    mean: Annotated[Estimate | None, Column("mean", digits=2, signed=True)]


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """How much more often one answer is predicted of `second` than of `first`."""

    first: Hidden[str]
    second: Hidden[str]
    sets: str
    answer: str
    share: Annotated[Percent, Column("share", "percent", 1, coarse=0, unit="%", signed=True)]
    at_most: Annotated[UpTo, Column("this or lower", "percent", 1, coarse=0, unit="%", signed=True)]


@dataclass(frozen=True, slots=True)
class Compared(Result):
    """All sets by name, and every pair of them.

    Args:
        target: the question whose answers are predicted.
        densities: of each set's expected scores.
        signature: of the method and its settings; `calibrator` is that of what predicted.
        shared_error: correlation of the raters' errors about one item that answers were drawn with.
        left_out, conversations: those of no set, and all.
    """

    heading = "Sets of conversations"
    target: str
    sets: Annotated[
        Mapping[str, SetRow],
        Table(
            "Sets",
            "The mean of the predicted answers to the conversations of each set.",
            key="set",
            notes=["95% intervals from resampling."],
        ),
    ]
    differences: Annotated[
        Sequence[SetDifference],
        Table(
            "Differences, second less first",
            "Which sets differ?",
            notes=[
                "Shared: conversations in both, drawn together. Not corrected for the number of"
                " pairs."
            ],
        ),
    ]
    answers: Annotated[
        Sequence[SetAnswer],
        Table("Answers of each set", "How often each answer is predicted.", group="set"),
    ]
    answer_differences: Annotated[
        Sequence[AnswerDifference],
        Table(
            "Answers, second less first",
            "In which answers sets differ.",
            group="sets",
            most=MOST_ROWS,
        ),
    ]
    densities: Mapping[str, Density]
    signature: str
    calibrator: str | None = None
    corrected: bool = False
    left_out: Hidden[int] = 0
    conversations: Hidden[int] = 0
    shared_error: float = 0.0

    @property
    def sentence(self) -> str:
        """What is predicted of how many sets."""
        return f"Predicted answers to {self.target}, of {counted(len(self.sets), 'set')}."

    @property
    def notes(self) -> Sequence[str]:
        """How many conversations are in no set."""
        if not self.left_out:
            return ()
        return [f"{self.left_out:,} of {self.conversations:,} belong to no set and are left out"]


def compare_sets(
    probabilities: FloatArray,
    scale: Scale,
    sets: Mapping[str, IntArray],
    keys: Sequence[Hashable],
    *,
    by_level: FloatArray | None = None,
    sources: Sequence[str] = SOURCES,
    resamples: int = 1_000,
    confidence: float = 0.95,
    shared: float = 0.0,
    rng: np.random.Generator,
) -> Compared:
    """Describes sets of conversations and their differences, with percentiles of the resamples.

    Keys (N,) are drawn with all their rows in all sets: where sets share keys the difference is
    paired, and turns of one conversation stay together. Raters' answers about an item are drawn
    with errors that correlate by `shared` (`joint_errors`).

    Args:
        by_level: (N, R, K) what a deviation of the open level of its set adds to a prediction.
    """
    for name in sources:
        if name not in SOURCES:
            raise ConfigError(f"no source {name!r}; known are {', '.join(SOURCES)}")
    scored = np.asarray(~np.isnan(probabilities).any(axis=(1, 2)))
    known = {name: places[scored[places]] for name, places in sets.items()}
    for name, places in known.items():
        if len(places) == 0:
            raise DataError(f"set {name!r} has no conversation that could be predicted")
    method = describe(
        "sets",
        1,
        "+".join(one for one in SOURCES if one in sources) or "none",
        f"{confidence:.4g}",
        f"percentile:{resamples}",
        f"shared:{shared:.4g}" if shared else None,
        generator_state(rng),
    )
    tilted = None if "levels" not in sources else by_level
    drawing = _Resampler(probabilities, scale, list(known.values()), keys, sources, tilted, shared)
    whole, curves = drawing.observed()
    drawn, bands = drawing.resampled(resamples, rng)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    sizes = {name: len(places) for name, places in sets.items()}
    rows: dict[str, SetRow] = {}
    answers: list[SetAnswer] = []
    densities = {}
    for place, name in enumerate(known):
        n, lost = len(known[name]), sizes[name] - len(known[name])
        about = _About(n, lost, method, confidence)
        mean, shares = about.spread(scale, whole[place], drawn[:, place])
        rows[name] = SetRow(n, lost, mean)
        answers += [SetAnswer(name, *row) for row in shares]
        if scale.ordered:
            low, high = np.nanquantile(bands[:, place], tails, axis=0)
            densities[name] = Density(drawing.at, curves[place], low, high)
    differences, answer_differences = [], []
    for (i, first), (j, second) in combinations(enumerate(known), 2):
        mine, others = ({keys[row] for row in known[name]} for name in (first, second))
        n = len(known[first]) + len(known[second])
        about = _About(n, sizes[first] + sizes[second] - n, method, confidence)
        mean, shares = about.spread(scale, whole[j] - whole[i], drawn[:, j] - drawn[:, i])
        differences.append(SetDifference(first, second, len(mine & others), mean))
        answer_differences += [
            AnswerDifference(first, second, f"{second} - {first}", *row) for row in shares
        ]
    return Compared(
        scale.id, rows, differences, answers, answer_differences, densities, sign_text(method)
    )


@dataclass(frozen=True, slots=True)
class _About:
    """What all estimates of one set or pair share."""

    n: int
    unscored: int
    method: str
    confidence: float

    def spread(
        self, scale: Scale, observed: FloatArray, drawn: FloatArray
    ) -> tuple[Estimate | None, list[tuple[str, Estimate, Estimate | None]]]:
        """Return the mean, and by answer its share and P(<= it).

        Args:
            observed, drawn: distributions (K,) or differences of two; their resamples (B, K).
        """
        values = np.array(scale.values)
        rising = np.argsort(values, kind="stable")
        steps, steps_drawn = np.cumsum(observed[rising]), np.cumsum(drawn[:, rising], axis=1)
        at_most = {
            place: self._estimate(float(steps[step]), steps_drawn[:, step])
            for step, place in enumerate(rising[:-1].tolist())
            if scale.ordered
        }
        rows = [
            (name, self._estimate(float(observed[k]), drawn[:, k]), at_most.get(k))
            for k, name in enumerate(scale.question.answers)
        ]
        mean = self._estimate(float(observed @ values), drawn @ values) if scale.ordered else None
        return mean, rows

    def _estimate(self, value: float, drawn: FloatArray) -> Estimate:
        ends = percentile_ends(drawn, self.confidence)
        signed = sign_text(self.method)
        return Estimate(
            value, ends.interval, self.n, self.unscored, ends.reason, signed, self.method
        )


class _Resampler:
    """Draws raters, conversations and answers, for all sets at once."""

    def __init__(
        self,
        probabilities: FloatArray,
        scale: Scale,
        sets: Sequence[IntArray],
        keys: Sequence[Hashable],
        sources: Sequence[str],
        by_level: FloatArray | None = None,
        shared: float = 0.0,
    ) -> None:
        used = sorted({keys[row]: None for rows in sets for row in rows}, key=str)
        place = {key: number for number, key in enumerate(used)}
        self.codes = [np.array([place[keys[row]] for row in rows]) for rows in sets]
        self.p = [probabilities[rows] for rows in sets]
        self.open = None if by_level is None else [by_level[rows] for rows in sets]
        self.keys, self.sources, self.shared = len(used), sources, shared
        self.values = np.array(scale.values)
        self.at = np.linspace(self.values.min(), self.values.max(), POINTS)
        self.kernels = [_kernel(self.at, (p @ self.values).mean(axis=1)) for p in self.p]

    def observed(self) -> tuple[FloatArray, FloatArray]:
        """Distributions (S, K) and densities (S, G), nothing drawn."""
        shares = np.stack([p.mean(axis=(0, 1)) for p in self.p])
        densities = [
            _binned(self.at, (p @ self.values).mean(axis=1)) @ kernel
            for p, kernel in zip(self.p, self.kernels, strict=True)
        ]
        return shares, np.stack(densities)

    def resampled(self, count: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """The same of `count` resamples: (B, S, K) and (B, S, G); NaN where a set came up empty."""
        raters, answers = self.p[0].shape[1:]
        shares = np.full((count, len(self.p), answers), np.nan)
        densities = np.full((count, len(self.p), POINTS), np.nan)
        expected = [p @ self.values for p in self.p]
        who: IntArray = np.arange(raters)
        for draw in range(count):
            if "raters" in self.sources:
                who = rng.integers(raters, size=(raters,))
            times: IntArray = np.ones(self.keys, dtype=np.int64)
            if "conversations" in self.sources:
                times = draw_weights(1, self.keys, rng)[0].astype(np.int64)
            for place, codes in enumerate(self.codes):
                p = self._at_level(place, rng)
                rows = np.repeat(np.arange(len(codes)), times[codes])
                if len(rows) == 0:
                    continue
                shares[draw, place] = self._shares(p, rows, who, rng)
                scores = p @ self.values if self.open else expected[place]
                scores = scores[rows[:, None], who].mean(axis=1)
                densities[draw, place] = _binned(self.at, scores) @ self.kernels[place]
        return shares, densities

    def _at_level(self, place: int, rng: np.random.Generator) -> FloatArray:
        """Predictions of a set, at a level that is drawn where it is open."""
        if self.open is None or not self.open[place].any():
            return self.p[place]
        p = np.maximum(self.p[place] + rng.normal() * self.open[place], 0)
        return np.asarray(p / p.sum(axis=2, keepdims=True))

    def _shares(
        self, p: FloatArray, rows: IntArray, who: IntArray, rng: np.random.Generator
    ) -> FloatArray:
        """Mean distribution (K,) of some rows and raters of a set, or shares of drawn answers."""
        count = p.shape[2]
        if "answers" not in self.sources:
            return np.asarray(p[rows[:, None], who].mean(axis=(0, 1)))
        chance = shared_chances((len(rows), len(who)), self.shared, rng)
        said = np.zeros(chance.shape, dtype=np.int64)
        steps = np.cumsum(p, axis=2)
        for step in range(count - 1):
            said += chance > steps[rows[:, None], who, step]
        return np.asarray(np.bincount(said.ravel(), minlength=count) / said.size)


def _binned(at: FloatArray, scores: FloatArray) -> FloatArray:
    """Shares (G,) of scores at the two points of an even grid that each lies between."""
    place = np.clip((scores - at[0]) / (at[1] - at[0]), 0, len(at) - 1)
    below = np.minimum(place.astype(np.int64), len(at) - 2)
    part = place - below
    count = np.bincount(below, 1 - part, len(at)) + np.bincount(below + 1, part, len(at))
    return np.asarray(count / len(scores))


def _kernel(at: FloatArray, scores: FloatArray) -> FloatArray:
    """From shares on the grid to a density (G, G): Gaussian, Scott's width, rows of integral 1."""
    width = max(scores.std() * len(scores) ** -0.2, 1.5 * (at[1] - at[0]))
    heights = np.exp(-0.5 * ((at[:, None] - at) / width) ** 2)
    return np.asarray(heights / np.trapezoid(heights, at, axis=1)[:, None])
