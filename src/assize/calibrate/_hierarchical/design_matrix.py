"""What the default calibrator makes of the features: standardised columns, ready for slopes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.record_parts import divides
from assize.calibrate._data.arrays import moments
from assize.calibrate._data.features import Block, Features, FloatArray, normalised

CLIP = 6.0  # standard deviations of the training items beyond which a reading counts as that
APPLIES = 0.3  # weight of a question's not applying: it stands for the kind of system, of which
# there are few, more than for the item (design/09)
WIDEST = 32  # columns that a vector beside the answers is reduced to


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The columns of a default calibrator."""

    # center, scale: (P,) mean of each reading over the training forms, and what counts as one unit
    # of it: its standard deviation (more where not applying is read)
    center: FloatArray
    scale: FloatArray
    applies: tuple[int, ...]  # places among the blocks of those whose not applying is a reading too
    # late_center, late_scale: (L,) likewise of all columns beside the answers
    late_center: FloatArray
    late_scale: FloatArray
    # (L, C) from these to the columns that are learnt from: each block's own ones, or its leading
    # principal components; a block counts as much as any other
    axes: FloatArray

    def __post_init__(self) -> None:
        late = self.late_center.shape
        fits = self.center.shape == self.scale.shape and self.late_scale.shape == late
        if not fits or self.axes.ndim != 2 or self.axes.shape[:1] != late:
            raise DataError("the arrays of the design do not fit each other")
        if not divides(self.scale) or not divides(self.late_scale):
            raise DataError("a scale of the design is not above 0")

    @classmethod
    def fit(cls, features: Features) -> Design:
        """Learns the units from the training forms' features."""
        applies = _applies(features)
        raw = _read(features, applies)
        if raw.shape[1] == 0:
            raise DataError(
                "the answers hold no question with ordered answers and no score to read"
            )
        center, scale = moments(raw)
        weights = np.repeat([1.0, APPLIES], [raw.shape[1] - len(applies), len(applies)])
        late = _late(features)
        late_center, late_scale = moments(late)
        axes = _axes(features, _standard(late, late_center, late_scale))
        return cls(center, scale / weights, applies, late_center, late_scale, axes)

    @property
    def log_odds(self) -> int:
        """P: columns that are read of the answers."""
        return len(self.center)

    @property
    def late(self) -> int:
        """C: columns that are read of what stands beside them."""
        return int(self.axes.shape[1])

    def matrix(self, features: Features) -> FloatArray:
        """(N, P + C): log-odds in standard deviations over sqrt(P), then what stands beside;
        what is missing counts as average."""
        x = _standard(_read(features, self.applies), self.center, self.scale)
        late = _standard(_late(features), self.late_center, self.late_scale)
        return np.hstack([x / np.sqrt(self.log_odds), late @ self.axes])


def _applies(features: Features) -> tuple[int, ...]:
    """Blocks that apply to some items and not to others, one of each pattern."""
    seen: dict[bytes, int] = {}
    for place, lacking in enumerate(_lacking(features)):
        if lacking.any() and not lacking.all():
            seen.setdefault(lacking.tobytes(), place)
    return tuple(seen.values())


def _lacking(features: Features) -> list[NDArray[np.bool_]]:
    return [
        (features.x[:, place] == 0).all(axis=1) & bool(block.answers) & (not block.late)
        for block, place in zip(features.blocks, features.columns, strict=True)
    ]


def _read(features: Features, applies: Sequence[int]) -> FloatArray:
    """Readings, and 1 where a block of `applies` does not apply; NaN where it is missing."""
    lacking = _lacking(features)
    missing = [np.isnan(features.x[:, place]).all(axis=1) for place in features.columns]
    extra = [np.where(missing[place], np.nan, lacking[place]) for place in applies]
    return np.column_stack([log_odds(features), *extra])


def _late(features: Features) -> FloatArray:
    """(N, L) all columns of what stands beside the answers."""
    parts = [
        features.x[:, place]
        for block, place in zip(features.blocks, features.columns, strict=True)
        if block.late
    ]
    return np.hstack([np.empty((len(features.x), 0)), *parts])


def _axes(features: Features, late: FloatArray) -> FloatArray:
    """See `Design.axes`; principal components are those of the training forms."""
    widths = [block.width for block in features.blocks if block.late]
    parts, start = [], 0
    for width in widths:
        part = np.zeros((late.shape[1], min(width, WIDEST)))
        own = np.eye(width)
        if width > WIDEST:
            _, vectors = np.linalg.eigh(
                late[:, start : start + width].T @ late[:, start : start + width]
            )
            own = vectors[:, : -WIDEST - 1 : -1]
        part[start : start + width] = own / np.sqrt(width * len(widths))
        parts.append(part)
        start += width
    return np.hstack([np.empty((late.shape[1], 0)), *parts])


def _standard(raw: FloatArray, center: FloatArray, scale: FloatArray) -> FloatArray:
    """In standard deviations, within CLIP; 0 where missing."""
    return np.clip(np.nan_to_num((raw - center) / scale, nan=0.0), -CLIP, CLIP)


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
    shares = np.maximum(normalised(x), FLOOR)
    order = np.argsort(block.values, kind="stable")
    up_to = np.cumsum(shares[:, order] / shares.sum(axis=1, keepdims=True), axis=1)[:, :-1]
    above = np.maximum(1 - up_to, FLOOR)
    return np.asarray(np.clip(np.log(above / np.maximum(up_to, FLOOR)), -LIMIT, LIMIT).mean(axis=1))
