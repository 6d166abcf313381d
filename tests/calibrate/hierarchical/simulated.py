"""Forms of raters who answer one question about items with scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import rel_entr

from assize.base.judgment import Question
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms, Scale

GRADE = Question("grade", kind="ordinal", answers=("1", "2", "3", "4"), values=(1, 2, 3, 4))


def divergence(true: np.ndarray, predicted: np.ndarray) -> float:
    """Kullback-Leibler, of distributions along the last axis, in the mean."""
    return float(rel_entr(true, np.maximum(predicted, 1e-300)).sum(axis=-1).mean())


def scored(x: np.ndarray) -> Features:
    """Items with these scores."""
    blocks = tuple(Block("m", "", f"s{n}", (), (), ordered=True) for n in range(x.shape[1]))
    return Features(tuple((f"i{n}", None) for n in range(len(x))), blocks, x)


def make_forms(
    x: np.ndarray, rater: np.ndarray, y: np.ndarray, question: Question, raters: int, **more: Any
) -> Forms:
    """A form an item: answers `y` by raters r0, r1 and so on."""
    names = tuple(f"r{n}" for n in range(raters))
    item, scales = np.arange(len(x)), (Scale.of(question),)
    return Forms(x, item, rater, y[:, None], scales, scored(x), names, **more)
