"""From answer probabilities to what the default calibrator reads: one number a question.

The number is the mean log-odds of an answer above each step of the scale. On topics and
systems that were held out it carries over better than expected answers or the
probabilities themselves (design/09).
"""

from __future__ import annotations

import numpy as np

from assize.calibration.data.features import Block, Features, FloatArray

FLOOR = 1e-6  # the least probability, as a share of the mass on the answers
LIMIT = 8.0  # log-odds beyond it count as it


def log_odds(features: Features) -> FloatArray:
    """One column a question (N, P); NaN where the question is missing or does not apply.

    Ordered answers: the mean over the steps k of log(P(above k) / P(up to k)). Unordered ones are
    not read: eight numbers more for one question cost more than they tell (design/09).
    """
    parts = [
        _reading(features.x[:, place], block)
        for block, place in zip(features.blocks, features.columns, strict=True)
        if is_read(block)
    ]
    return np.stack(parts, axis=1) if parts else np.empty((len(features.x), 0))


def is_read(block: Block) -> bool:
    """Whether a block is an answer that is read: ordered, or a score."""
    return not block.late and (block.ordered or not block.answers)


def _reading(x: FloatArray, block: Block) -> FloatArray:
    if not block.answers:
        return x[:, 0]
    mass = x.sum(axis=1, keepdims=True)
    shares = np.maximum(np.divide(x, mass, out=np.full_like(x, np.nan), where=mass > 0), FLOOR)
    order = np.argsort(block.values, kind="stable")
    up_to = np.cumsum(shares[:, order] / shares.sum(axis=1, keepdims=True), axis=1)[:, :-1]
    above = np.maximum(1 - up_to, FLOOR)
    return np.asarray(np.clip(np.log(above / np.maximum(up_to, FLOOR)), -LIMIT, LIMIT).mean(axis=1))
