"""What to look at next: the ratings that would teach most, uncertain and controversial items.

The worth of a rating is the mutual information between the answer and what is not known of
the rater: how unsure the prediction is, less how unsure it would stay if the parameters
were known. A rater who is simply erratic teaches nothing by being erratic.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from assize.calibration.calibrator import Calibrator, Hierarchical, predict
from assize.calibration.networks import Networks
from assize.calibration.table import Features, FloatArray, Unit
from assize.errors import ConfigError

DRAWS = 64  # of a rater's parameters


@dataclass(frozen=True, slots=True)
class Wish:
    """A rating worth having: what to ask whom about which item, and the gain in nats."""

    item: str
    turn: int | None
    question: str
    rater: str
    gain: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """An item that is hard to call.

    Args:
        entropy: of an answer by a rater drawn at random, in nats.
        between: its part that is disagreement between raters: the mutual information of
            rater and answer. The rest is doubt within raters.
    """

    item: str
    turn: int | None
    entropy: float
    between: float


def information(
    calibrator: Calibrator, features: Features, raters: Sequence[int], rng: np.random.Generator
) -> FloatArray:
    """Nats (N, R) that a rater's answer about an item would teach; 0 where nothing is known.

    The default's parameters are drawn from their posterior; networks differ by seed.

    Raises:
        ConfigError: there is one network only, which does not know what it does not know.

    Source: Houlsby et al. (2011), equation 2.
    """
    features = features.aligned(calibrator.blocks)
    if isinstance(calibrator, Hierarchical):
        each = calibrator.drawn(features, raters, DRAWS, rng)
    elif isinstance(calibrator, Networks) and len(calibrator.networks) > 1:
        ones = [
            Networks(calibrator.target, calibrator.blocks, calibrator.raters, (network,))
            for network in calibrator.networks
        ]
        each = np.stack([one.probabilities(features, raters) for one in ones])
    else:
        raise ConfigError("one network alone shows no doubt; fit several with --seeds")
    gain = entropy(each.mean(axis=0)) - entropy(each).mean(axis=0)
    return np.where(features.empty[:, None], 0, np.maximum(gain, 0))


def entropy(probabilities: FloatArray) -> FloatArray:
    """In nats, over the last axis."""
    logs = np.log(np.where(probabilities > 0, probabilities, 1))
    return np.asarray(-(probabilities * logs).sum(axis=-1))


def wishes(
    calibrator: Calibrator,
    features: Features,
    *,
    rated: Collection[tuple[Unit, str]] = (),
    count: int = 20,
    per_item: int = 1,
    rng: np.random.Generator,
) -> list[Wish]:
    """The ratings that would teach most, best first.

    Args:
        rated: (unit, rater) that need not be asked again.
        count: how many.
        per_item: at most so many about one item: two raters' answers about it overlap.
    """
    raters = range(len(calibrator.raters))
    gain = information(calibrator, features, raters, rng)
    for row, unit in enumerate(features.units):
        for place, name in enumerate(calibrator.raters):
            if (unit, name) in rated:
                gain[row, place] = 0
    found: list[Wish] = []
    taken: dict[Unit, int] = {}
    for flat in np.argsort(-gain, axis=None, kind="stable").tolist():
        row, place = divmod(flat, len(raters))
        unit = features.units[row]
        if len(found) == count or gain[row, place] <= 0:
            break
        if taken.get(unit, 0) < per_item:
            taken[unit] = taken.get(unit, 0) + 1
            name = calibrator.raters[place]
            found.append(Wish(*unit, calibrator.target.id, name, float(gain[row, place])))
    return found


def doubts(calibrator: Calibrator, features: Features) -> list[Doubt]:
    """All items with their doubt, in order; items about which nothing is known are left out."""
    each = predict(calibrator, features, range(len(calibrator.raters)))
    whole = entropy(each.mean(axis=1))
    between = np.maximum(whole - entropy(each).mean(axis=1), 0)
    return [
        Doubt(*unit, float(whole[row]), float(between[row]))
        for row, unit in enumerate(features.units)
        if not np.isnan(each[row, 0, 0])
    ]
