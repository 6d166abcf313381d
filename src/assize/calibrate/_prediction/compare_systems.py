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

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import IntArray, Scale
from assize.calibrate._joint_errors import shared_chances
from assize.results import Column, Hidden, Result, Table
from assize.results.numbers import counted
from assize.results.types import Estimate
from assize.stats._estimate import describe, generator_state
from assize.stats._resampling import draw_weights, percentile_ends

CONFIDENCE = 0.95
MOST_ROWS = 40  # of differences of answers that a table shows
SOURCES = ("raters", "conversations", "answers", "levels")


Percent = Annotated[Estimate, Column("share", "percent", digits=1, unit="%", coarse=0)]
UpTo = Annotated[Estimate | None, Column("this or lower", "percent", digits=1, unit="%", coarse=0)]


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
        left_out = f"{self.left_out:,} of {self.conversations:,} belong to no set and are left out"
        return [left_out] if self.left_out else []


@dataclass(frozen=True, slots=True, eq=False)
class PredictedSet:
    """What raters are predicted to answer about a set of conversations.

    Args:
        p: (N, R, K) predicted answers; NaN for what could not be predicted.
        by_level: (N, R, K) what one deviation of the set's level, which its answers leave open,
            adds to them; 0 where nothing is open.
        keys: (N,) what each row is about; rows of two sets with one key are compared in pairs.
    """

    p: FloatArray
    by_level: FloatArray
    keys: Sequence[Hashable]

    @property
    def scored(self) -> PredictedSet:
        """The rows that could be predicted."""
        rows = np.flatnonzero(~np.isnan(self.p).any(axis=(1, 2)))
        keys = [self.keys[row] for row in rows.tolist()]
        return PredictedSet(self.p[rows], self.by_level[rows], keys)

    def at_level(self, rng: np.random.Generator) -> FloatArray:
        """Predictions at a level that is drawn where it is open."""
        if not self.by_level.any():
            return self.p
        p = np.maximum(self.p + rng.normal() * self.by_level, 0)
        return np.asarray(p / p.sum(axis=2, keepdims=True))


def compare_sets(
    sets: Mapping[str, PredictedSet],
    scale: Scale,
    *,
    sources: Sequence[str] = SOURCES,
    resamples: int = 1_000,
    shared: float = 0.0,
    rng: np.random.Generator,
) -> Compared:
    """Describes sets of conversations and their differences, with percentiles of the resamples.

    Keys are drawn with all their rows in all sets: where sets share keys the difference is
    paired, and turns of one conversation stay together. Raters' answers about an item are drawn
    with errors that correlate by `shared` (`joint_errors`).
    """
    known = {name: part.scored for name, part in sets.items()}
    for name, part in known.items():
        if len(part.p) == 0:
            raise DataError(f"set {name!r} has no conversation that could be predicted")
    method = describe(
        "sets",
        1,
        "+".join(one for one in SOURCES if one in sources) or "none",
        f"{CONFIDENCE:.4g}",
        f"percentile:{resamples}",
        f"shared:{shared:.4g}" if shared else None,
        generator_state(rng),
    )
    whole = {name: part.p.mean(axis=(0, 1)) for name, part in known.items()}
    drawn = _resample(known, sources, shared, resamples, rng)
    counts = {name: (len(part.p), len(sets[name].p) - len(part.p)) for name, part in known.items()}
    rows: dict[str, SetRow] = {}
    answers: list[SetAnswer] = []
    for name in known:
        mean, shares = _spread(scale, whole[name], drawn[name], counts[name], method)
        rows[name] = SetRow(*counts[name], mean)
        answers += [SetAnswer(name, *row) for row in shares]
    differences, answer_differences = [], []
    for first, second in combinations(known, 2):
        both = {*known[first].keys} & {*known[second].keys}
        gaps = whole[second] - whole[first], drawn[second] - drawn[first]
        n = counts[first][0] + counts[second][0]
        lost = counts[first][1] + counts[second][1]
        mean, shares = _spread(scale, *gaps, (n, lost), method)
        differences.append(SetDifference(first, second, len(both), mean))
        answer_differences += [
            AnswerDifference(first, second, f"{second} - {first}", *row) for row in shares
        ]
    return Compared(scale.id, rows, differences, answers, answer_differences, sign_text(method))


def _spread(
    scale: Scale, observed: FloatArray, drawn: FloatArray, counts: tuple[int, int], method: str
) -> tuple[Estimate | None, list[tuple[str, Estimate, Estimate | None]]]:
    """Return the mean, and by answer its share and P(<= it).

    Args:
        observed, drawn: distributions (K,) or differences of two; their resamples (B, K).
        counts: conversations scored and unscored.
    """
    signed = sign_text(method)

    def estimate(value: float, column: FloatArray) -> Estimate:
        ends = percentile_ends(column, CONFIDENCE)
        return Estimate(value, ends.interval, *counts, ends.reason, signed, method)

    values = np.array(scale.values)
    rising = scale.rising
    steps, steps_drawn = np.cumsum(observed[rising]), np.cumsum(drawn[:, rising], axis=1)
    at_most = {
        place: estimate(float(steps[step]), steps_drawn[:, step])
        for step, place in enumerate(rising[:-1].tolist())
        if scale.ordered
    }
    rows = [
        (name, estimate(float(observed[k]), drawn[:, k]), at_most.get(k))
        for k, name in enumerate(scale.question.answers)
    ]
    mean = estimate(float(observed @ values), drawn @ values) if scale.ordered else None
    return mean, rows


def _resample(
    parts: Mapping[str, PredictedSet],
    sources: Sequence[str],
    shared: float,
    count: int,
    rng: np.random.Generator,
) -> dict[str, FloatArray]:
    """Mean distributions (B, K) of each set in `count` resamples; NaN where it came up empty."""
    used = sorted(dict.fromkeys(key for part in parts.values() for key in part.keys), key=str)
    place = {key: number for number, key in enumerate(used)}
    code = {name: np.array([place[key] for key in part.keys]) for name, part in parts.items()}
    raters, answers = next(iter(parts.values())).p.shape[1:]
    shares = {name: np.full((count, answers), np.nan) for name in parts}
    who: IntArray = np.arange(raters)
    for draw in range(count):
        if "raters" in sources:
            who = rng.integers(raters, size=(raters,))
        times: IntArray = np.ones(len(used), dtype=np.int64)
        if "conversations" in sources:
            times = draw_weights(1, len(used), rng)[0].astype(np.int64)
        for name, part in parts.items():
            p = part.at_level(rng) if "levels" in sources else part.p
            rows = np.repeat(np.arange(len(p)), times[code[name]])
            if len(rows):
                p = p[rows[:, None], who]
                shares[name][draw] = (
                    _drawn_shares(p, shared, rng) if "answers" in sources else p.mean(axis=(0, 1))
                )
    return shares


def _drawn_shares(p: FloatArray, shared: float, rng: np.random.Generator) -> FloatArray:
    """Shares (K,) of answers drawn from predictions (n, R, K), whose errors correlate."""
    count = p.shape[2]
    chance = shared_chances((len(p), p.shape[1]), shared, rng)
    said = np.zeros(chance.shape, dtype=np.int64)
    steps = np.cumsum(p, axis=2)
    for step in range(count - 1):
        said += chance > steps[:, :, step]
    return np.asarray(np.bincount(said.ravel(), minlength=count) / said.size)
