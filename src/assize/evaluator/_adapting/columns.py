"""What a change of a score may be made of: candidates' columns, and the way back to a head.

Letters: N labels, F features, H questions, P columns of a candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import ConfigError
from assize.encoders import Encoder
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._adapting.update import Lesson
from assize.evaluator._features.featuriser import Featuriser
from assize.evaluator._heads.head import Head
from assize.evaluator._heads.linear import Linear, Scaling
from assize.evaluator._heads.network import Network, Tower
from assize.stats._arrays import FloatArray

FEW = 64  # a block of at most so many features is one that can be read, such as lengths

CANDIDATES: Mapping[str, str] = {
    "heads": "the other questions' numbers, weighed anew",
    "blocks": "the parts of the head's sum, weighed anew",
    "few": "the features that can be read (lengths, repeats, likeness of turns)",
    "all": "all features",
}


@dataclass(frozen=True, slots=True, eq=False)
class Maps:
    """How each candidate's columns come from raw numbers (H) and standardised features (F)."""

    scaling: Scaling
    of_raw: Mapping[str, FloatArray]  # (H, P)
    of_features: Mapping[str, FloatArray]  # (F, P), or (F,) for one column a feature

    def columns(self, name: str, raw: FloatArray, features: FloatArray) -> FloatArray:
        """A candidate's columns (N, P)."""
        if name in self.of_raw:
            return raw @ self.of_raw[name]
        by = self.of_features[name]
        standard = self.scaling(features)
        return standard @ by if by.ndim == 2 else (standard * by)[:, by != 0]

    def back(self, name: str, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Weights (P,) on columns as weights (H,) on raw numbers and (F,) on features."""
        heads = len(next(iter(self.of_raw.values())))
        if name in self.of_raw:
            return self.of_raw[name] @ weights, np.zeros(len(self.scaling.center))
        by = self.of_features[name]
        if by.ndim == 2:
            return np.zeros(heads), by @ weights
        full = np.zeros(len(by))
        full[by != 0] = by[by != 0] * weights
        return np.zeros(heads), full


def maps_of(head: Head, featuriser: Featuriser, encoder: Encoder, labels: Labels) -> Maps:
    """The candidates that this head and featuriser offer for a question.

    Features are standardised as the head does it.

    Raises:
        ConfigError: the head is of a kind that cannot be changed.
    """
    if not isinstance(head, Linear | Network):
        raise ConfigError(f"a head of kind {head.kind!r} cannot be adapted; linear and network can")
    place = list(head.questions).index(labels.question)
    scaling = head.scaling
    widths, start, parts = featuriser.widths(encoder.dimension), 0, []
    for width in widths.values():
        parts.append(slice(start, start + width))
        start += width
    others = np.delete(np.eye(len(head.questions)), place, axis=1)
    of_raw = {"heads": others}
    every, few = np.zeros(start), np.zeros(start)
    for part in parts:
        every[part] = 1 / np.sqrt(part.stop - part.start)
        few[part] = float(part.stop - part.start <= FEW)
    of_features: dict[str, FloatArray] = {"few": few, "all": every}
    if isinstance(head, Linear) and len(parts) > 1:
        sums = np.zeros((start, len(parts)))
        for at, part in enumerate(parts):
            sums[part, at] = head.weights[labels.question][part]
        spread = (scaling(_flat(labels)) @ sums).std(axis=0)
        of_features["blocks"] = sums / np.where(spread > 1e-12, spread, 1.0)
    return Maps(scaling, of_raw, of_features)


def _flat(labels: Labels) -> FloatArray:
    return np.asarray(labels.features.reshape(-1, labels.features.shape[-1]))


def lesson_of(labels: Labels, maps: Maps, place: int) -> Lesson:
    """What a change of the question at `place` is learnt from; columns of pairs are differences."""
    groups = np.unique(np.array(labels.groups), return_inverse=True)[1].reshape(-1)
    raw = labels.raw[..., place]
    columns = {}
    for name in (*maps.of_raw, *maps.of_features):
        flat = maps.columns(name, labels.raw.reshape(-1, labels.raw.shape[-1]), _flat(labels))
        shaped = flat.reshape(*labels.raw.shape[:-1], -1)
        columns[name] = shaped[:, 0] - shaped[:, 1] if labels.paired else shaped
    columns = {name: one for name, one in columns.items() if one.shape[1]}
    numbers = raw[:, 0] - raw[:, 1] if labels.paired else raw
    return Lesson(numbers, labels.targets, columns, groups.astype(np.int64), labels.paired)


def changed(
    head: Head,
    origin: Head,
    maps: Maps,
    question: str,
    mix: FloatArray,
    weights: FloatArray,
    by: float,
) -> Head:
    """The head whose numbers of one question are (own + all @ mix + features @ weights) times
    `by`, own and all being the raw numbers of `origin`; it stays of its kind."""
    place = list(head.questions).index(question)
    if isinstance(head, Linear) and isinstance(origin, Linear):
        table = np.stack(list(origin.weights.values()), axis=1)
        own = by * (origin.weights[question] + table @ mix + weights)
        return Linear(origin.scaling, {**head.weights, question: own})
    assert isinstance(head, Network)
    assert isinstance(origin, Network)
    mixed = by * (np.eye(len(head.questions))[place] + mix)
    return _changed_network(head.in_one_tower(), origin.in_one_tower(), place, mixed, by * weights)


def _changed_network(
    head: Network, origin: Network, place: int, mix: FloatArray, weights: FloatArray
) -> Network:
    """The network with another last layer and linear part for the question at `place`: its raw
    number is all @ mix + features @ weights, `all` (H,) being those of `origin`.

    Outputs are raw numbers times the spread, and a tower reads features times the gain.
    """
    (tower,), (before,) = head.towers, origin.towers
    share = mix * origin.spread[place] / origin.spread  # (H,) of the outputs
    last, bias, straight = tower.weights[-1].copy(), tower.biases[-1].copy(), tower.straight.copy()
    last[..., place] = before.weights[-1] @ share
    bias[..., place] = before.biases[-1] @ share
    straight[..., place] = before.straight @ share
    added = weights * origin.spread[place] / origin.gain
    if len(tower.weights) == 1:  # no hidden layer: the last one reads the features
        last[..., place] += added
    else:
        straight[..., place] += added
    linear = straight if tower.linear is not None or straight.any() else None
    changed = Tower((*tower.weights[:-1], last), (*tower.biases[:-1], bias), linear)
    return replace(head, towers=(changed,))
