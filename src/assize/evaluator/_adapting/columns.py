"""What a change of a score may be made of: candidates' columns, and the way back to a head.

Letters: N labels, F features, H questions, P columns of a candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from assize.base.errors import ConfigError
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._adapting.update import Lesson
from assize.evaluator._heads.head import Head
from assize.evaluator._heads.linear import Linear
from assize.evaluator._heads.network import Network, Tower
from assize.stats._arrays import FloatArray

FEW = 64  # a block of at most so many features is one that can be read, such as lengths

CANDIDATES: Mapping[str, str] = {
    "heads": "the other questions' numbers, weighed anew",
    "blocks": "the parts of the head's sum, weighed anew",
    "few": "the features that can be read (lengths, repeats, likeness of turns)",
    "all": "all features",
}


def inputs(head: Head, labels: Labels) -> FloatArray:
    """What changes are made of, (N, H + F), of pairs (N, 2, H + F): the raw numbers of all
    questions, then the features as the head standardises them.

    Raises:
        ConfigError: the head is of a kind that cannot be changed.
    """
    if not isinstance(head, Linear | Network):
        raise ConfigError(f"a head of kind {head.kind!r} cannot be adapted; linear and network can")
    return np.concatenate([labels.raw, head.scaling(labels.features)], axis=-1)


def candidates(
    head: Head, widths: Mapping[str, int], question: str, rows: FloatArray
) -> dict[str, FloatArray]:
    """By candidate its columns as weights (H + F, P) on `inputs`; one without columns is absent.

    Args:
        widths: features of each block, in order.
        rows: inputs, by which the parts of a sum are brought to one spread.
    """
    heads, sizes = len(head.questions), np.array([*widths.values()])
    every, size = np.eye(heads + head.width), np.repeat(sizes, sizes)  # of each feature's block
    own, features = list(head.questions).index(question), every[:, heads:]
    found = {
        "heads": np.delete(every[:, :heads], own, axis=1),
        "few": features[:, size <= FEW],
        "all": features / np.sqrt(size),
    }
    if isinstance(head, Linear) and len(sizes) > 1:
        block = np.repeat(np.arange(len(sizes)), sizes)
        sums = features @ (np.eye(len(sizes))[block] * head.weights[question][:, None])
        spread = (rows.reshape(-1, len(every)) @ sums).std(axis=0)
        found["blocks"] = sums / np.where(spread > 1e-12, spread, 1.0)
    return {name: weights for name, weights in found.items() if weights.shape[1]}


def lesson_of(
    labels: Labels, rows: FloatArray, made: Mapping[str, FloatArray], place: int
) -> Lesson:
    """What a change of the question at `place` is learnt from; rows of pairs become differences.

    Args:
        rows, made: see `inputs` and `candidates`.
    """
    groups = np.unique(np.array(labels.groups), return_inverse=True)[1].reshape(-1)
    apart = rows[:, 0] - rows[:, 1] if labels.paired else rows
    columns = {name: apart @ weights for name, weights in made.items()}
    codes = groups.astype(np.int64)
    return Lesson(apart[:, place], labels.targets, columns, codes, labels.paired)


def changed(head: Head, origin: Head, question: str, weights: FloatArray) -> Head:
    """The head whose numbers of one question are `inputs` of `origin` times weights (H + F,); it
    stays of its kind."""
    mix, added = weights[: len(head.questions)], weights[len(head.questions) :]
    if isinstance(head, Linear) and isinstance(origin, Linear):
        own = np.stack(list(origin.weights.values()), axis=1) @ mix + added
        return Linear(origin.scaling, {**head.weights, question: own})
    assert isinstance(head, Network)
    assert isinstance(origin, Network)
    place = list(head.questions).index(question)
    return _changed_network(head.in_one_tower(), origin.in_one_tower(), place, mix, added)


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
