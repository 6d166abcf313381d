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


def compare_sets(
    probabilities: FloatArray,
    scale: Scale,
    sets: Mapping[str, IntArray],
    keys: Sequence[Hashable],
    *,
    by_level: FloatArray | None = None,
    sources: Sequence[str] = SOURCES,
    resamples: int = 1_000,
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
    scored = np.asarray(~np.isnan(probabilities).any(axis=(1, 2)))
    known = {name: places[scored[places]] for name, places in sets.items()}
    for name, places in known.items():
        if len(places) == 0:
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
    used = sorted({keys[row]: None for places in known.values() for row in places}, key=str)
    code = {key: number for number, key in enumerate(used)}
    parts = [
        _Part(
            probabilities[places],
            None if by_level is None or "levels" not in sources else by_level[places],
            np.array([code[keys[row]] for row in places]),
        )
        for places in known.values()
    ]
    whole = [part.p.mean(axis=(0, 1)) for part in parts]
    drawn = _resample(parts, len(used), sources, shared, resamples, rng)
    sizes = {name: len(places) for name, places in sets.items()}
    rows: dict[str, SetRow] = {}
    answers: list[SetAnswer] = []
    for place, name in enumerate(known):
        n, lost = len(known[name]), sizes[name] - len(known[name])
        mean, shares = _spread(scale, whole[place], drawn[:, place], (n, lost), method)
        rows[name] = SetRow(n, lost, mean)
        answers += [SetAnswer(name, *row) for row in shares]
    differences, answer_differences = [], []
    for (i, first), (j, second) in combinations(enumerate(known), 2):
        mine, others = ({keys[row] for row in known[name]} for name in (first, second))
        n = len(known[first]) + len(known[second])
        counts = n, sizes[first] + sizes[second] - n
        gaps = whole[j] - whole[i], drawn[:, j] - drawn[:, i]
        mean, shares = _spread(scale, *gaps, counts, method)
        differences.append(SetDifference(first, second, len(mine & others), mean))
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
    rising = np.argsort(values, kind="stable")
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


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One set's predictions (N, R, K), what a deviation of its level adds, and keys (N,)."""

    p: FloatArray
    by_level: FloatArray | None
    code: IntArray

    def at_level(self, rng: np.random.Generator) -> FloatArray:
        """Predictions at a level that is drawn where it is open."""
        if self.by_level is None or not self.by_level.any():
            return self.p
        p = np.maximum(self.p + rng.normal() * self.by_level, 0)
        return np.asarray(p / p.sum(axis=2, keepdims=True))


def _resample(
    parts: Sequence[_Part],
    keys: int,
    sources: Sequence[str],
    shared: float,
    count: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Mean distributions (B, S, K) of `count` resamples; NaN where a set came up empty."""
    raters, answers = parts[0].p.shape[1:]
    shares = np.full((count, len(parts), answers), np.nan)
    who: IntArray = np.arange(raters)
    for draw in range(count):
        if "raters" in sources:
            who = rng.integers(raters, size=(raters,))
        times: IntArray = np.ones(keys, dtype=np.int64)
        if "conversations" in sources:
            times = draw_weights(1, keys, rng)[0].astype(np.int64)
        for place, part in enumerate(parts):
            p = part.at_level(rng)
            rows = np.repeat(np.arange(len(part.code)), times[part.code])
            if len(rows):
                p = p[rows[:, None], who]
                shares[draw, place] = (
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
