"""Fitted calibrators: a distribution over answers for any item and rater.

`Hierarchical` is the default; `networks.py` holds published networks. Both know which blocks
of features they read, whom they know, and what they predict, and nothing of the items
they were fitted on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from assize.calibration.forms import NO_ANSWER, UNKNOWN, Forms, IntArray, Scale
from assize.calibration.probit import Posterior, fit_probit
from assize.calibration.readings import readings
from assize.calibration.table import Block, Features, FloatArray
from assize.errors import DataError

CLIP = 6.0  # standard deviations of the training items beyond which a reading counts as that
APPLIES = 0.3  # weight of a question's not applying: it stands for the kind of system, of which
# there are few, more than for the item (design/09)

Strangers = Literal["shared", "average"]
"""How a rater who is not known is predicted: by what raters share, or as their average."""


class Calibrator(Protocol):
    """What predicts raters' answers to one question."""

    @property
    def target(self) -> Scale:
        """What is predicted."""
        ...

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What it reads."""
        ...

    @property
    def raters(self) -> tuple[str, ...]:
        """Whom it knows."""
        ...

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, by place in `raters`; UNKNOWN is somebody else.

        `features` must be `aligned` with `blocks`. What is missing counts as average.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchical:
    """The default calibrator: hierarchical cumulative probit on log-odds readings.

    Args:
        center, scale: (P,) mean of each reading over the training forms, and what counts as
            one unit of it: its standard deviation (more where not applying is read).
        applies: places among `blocks` of those whose not applying is a reading too.
        posteriors: one, over the ordered answers that were given; for unordered answers
            one an answer, each against all others.
        given: places of the answers that were given, by rising value; () where all were.
        spare: probability of each ordered answer that nobody gave.
    """

    target: Scale
    blocks: tuple[Block, ...]
    raters: tuple[str, ...]
    center: FloatArray
    scale: FloatArray
    applies: tuple[int, ...]
    posteriors: tuple[Posterior, ...]
    given: tuple[int, ...] = ()
    spare: float = 0.0

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, by place in `raters`."""
        x = _standard(_read(features, self.applies), self.center, self.scale)
        found = np.empty((len(x), len(raters), len(self.target)))
        for place, rater in enumerate(raters):
            found[:, place] = self._joined([one.probabilities(x, rater) for one in self.posteriors])
        return found

    def drawn(
        self, features: Features, raters: Sequence[int], draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Answers (draws, N, R, K) under parameters drawn from each rater's posterior."""
        x = _standard(_read(features, self.applies), self.center, self.scale)
        found = [
            self._joined([one.drawn(x, rater, draws, rng) for one in self.posteriors])
            for rater in raters
        ]
        return np.stack(found, axis=2)

    def _joined(self, each: Sequence[FloatArray]) -> FloatArray:
        """The posteriors' answers (..., K) in the order of the target's."""
        if len(each) == 1:
            found = self._spread(each[0])
            place = np.argsort(np.argsort(self.target.values, kind="stable"))
            rising = np.array_equal(place, np.arange(len(place)))
            return found if rising else np.asarray(found[..., place])
        yes = np.stack([one[..., 1] for one in each], axis=-1)
        return np.asarray(yes / yes.sum(axis=-1, keepdims=True))

    def _spread(self, p: FloatArray) -> FloatArray:
        """Probabilities of the given answers as those of all, by rising value."""
        if not self.given:
            return p
        found = np.full((*p.shape[:-1], len(self.target)), self.spare)
        found[..., list(self.given)] = p * (1 - self.spare * (len(self.target) - len(self.given)))
        return found


def predict(
    calibrator: Calibrator,
    features: Features,
    raters: Sequence[int],
    strangers: Strangers = "shared",
) -> FloatArray:
    """Answers (N, R, K) of some raters; NaN for items about which nothing is known.

    Args:
        raters: places in `calibrator.raters`, or UNKNOWN.
        strangers: for UNKNOWN: `shared`, what raters have in common (the default model
            adds how much raters differ; a network needs training with drop-out for it);
            `average`, the mean over the known raters' distributions.

    Raises:
        DataError: the features hold nothing that the calibrator reads.
    """
    features = features.aligned(calibrator.blocks)
    found = calibrator.probabilities(features, raters)
    if strangers == "average" and UNKNOWN in raters:
        each = calibrator.probabilities(features, range(len(calibrator.raters)))
        found[:, [rater == UNKNOWN for rater in raters]] = each.mean(axis=1, keepdims=True)
    found[features.empty] = np.nan
    return found


def fit_default(forms: Forms, *, own_share: float = 0.5) -> Hierarchical:
    """Fits the default calibrator: no search, no seed; the same forms give the same numbers.

    Args:
        forms: those without an answer to the target are left out. An ordered answer that
            nobody gave has no thresholds to be learnt: it gets 1 / (forms + answers).
        own_share: see `fit_probit`.

    Raises:
        DataError: nothing is left to read, or only one answer was ever given.
    """
    forms = forms.take(forms.y != NO_ANSWER)
    if len(np.unique(forms.y)) < 2:
        raise DataError(
            f"all {len(forms)} ratings of {forms.target.id!r} are the same answer;"
            " at least two different ones are needed"
        )
    features = Features((), forms.features.blocks, forms.x)
    applies = _applies(features)
    raw = _read(features, applies)
    if raw.shape[1] == 0:
        raise DataError("the answers hold no question with ordered answers and no score to read")
    center, scale = _moments(raw)
    scale = scale / _weights(raw.shape[1], applies)
    x = _standard(raw, center, scale)
    count = len(forms.target)

    def fitted(y: IntArray, answers: int) -> Posterior:
        return fit_probit(
            x, y, forms.rater, answers=answers, raters=len(forms.raters), own_share=own_share
        )

    given = np.arange(count)
    if forms.target.ordered:
        place = np.argsort(np.argsort(forms.target.values, kind="stable"))[forms.y]
        given = np.unique(place)
        posteriors = [fitted(np.searchsorted(given, place), len(given))]
    else:
        posteriors = [fitted((forms.y == k).astype(np.int64), 2) for k in range(count)]
    return Hierarchical(
        forms.target,
        forms.features.blocks,
        forms.raters,
        center,
        scale,
        applies,
        tuple(posteriors),
        () if len(given) == count else tuple(given.tolist()),
        1 / (len(forms) + count),
    )


def _applies(features: Features) -> tuple[int, ...]:
    """Blocks that apply to some items and not to others, one of each pattern."""
    seen: dict[bytes, int] = {}
    for place, lacking in enumerate(_lacking(features)):
        if lacking.any() and not lacking.all():
            seen.setdefault(lacking.tobytes(), place)
    return tuple(seen.values())


def _lacking(features: Features) -> list[NDArray[np.bool_]]:
    return [
        (features.x[:, place] == 0).all(axis=1) & bool(block.answers)
        for block, place in zip(features.blocks, features.columns, strict=True)
    ]


def _read(features: Features, applies: Sequence[int]) -> FloatArray:
    """Readings, and 1 where a block of `applies` does not apply; NaN where it is missing."""
    lacking = _lacking(features)
    missing = [np.isnan(features.x[:, place]).all(axis=1) for place in features.columns]
    extra = [np.where(missing[place], np.nan, lacking[place]) for place in applies]
    return np.column_stack([readings(features), *extra])


def _weights(count: int, applies: Sequence[int]) -> FloatArray:
    return np.repeat([1.0, APPLIES], [count - len(applies), len(applies)])


def _moments(raw: FloatArray) -> tuple[FloatArray, FloatArray]:
    known = ~np.isnan(raw)
    count = np.maximum(known.sum(axis=0), 1)
    center = np.where(known, raw, 0).sum(axis=0) / count
    spread = np.sqrt((np.where(known, raw - center, 0) ** 2).sum(axis=0) / count)
    return center, np.where(spread > 0, spread, 1.0)


def _standard(raw: FloatArray, center: FloatArray, scale: FloatArray) -> FloatArray:
    """In standard deviations, within CLIP; 0 where missing."""
    return np.clip(np.nan_to_num((raw - center) / scale, nan=0.0), -CLIP, CLIP)
