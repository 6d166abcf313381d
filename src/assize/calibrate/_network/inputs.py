"""From features to what a network's first layer reads.

Answers stand as given, their gaps filled with the training rows' mean. What stands beside
them (late columns) is standardised on the training rows, a gap is 0. A question whose
answers have vectors is read through these. Where rows were thinned out, a last column says
which; it is 0 in prediction.

Where questions are masked in training, a gap is no mean but a value of its own: a question's
answers are then 0 and its mark is 1, one mark a block after all other columns (Hashemi et al.
(2024), footnote 23: all probability on a special answer). "Not applicable" is 0 and no mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from assize.base.errors import DataError
from assize.base.record_parts import divides
from assize.calibrate._data.arrays import moments
from assize.calibrate._data.features import Block, FloatArray, columns_of
from assize.calibrate._data.forms import Forms, IntArray
from assize.calibrate._network.answer_embeddings import NONE, Embeddings


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedBlock:
    """Columns start..stop of the features, read as p @ matrix (K, d + 1); the last is the mass."""

    start: int
    stop: int
    matrix: FloatArray


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """Columns start..stop of the features, whose gap is marked."""

    start: int
    stop: int
    answers: bool  # a gap in answers is 0; in a score or a vector it stays its mean
    late: bool  # stands beside the answers


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """Reads features (N, D) as inputs (N, I)."""

    fill: FloatArray  # (D,) what a missing column counts as: its mean over the training rows
    late: IntArray  # (L,) places of the late columns among the D
    scale: FloatArray  # (L,) their standard deviations over the training rows; 1 where that is 0
    # blocks that are read through their answers' vectors, in order
    embedded: tuple[EmbeddedBlock, ...] = ()
    thinned: bool = False  # whether a last input tells thinned rows
    # blocks whose gaps are marked: where each stands among the D, and whether its gap is 0
    marked: tuple[MarkedBlock, ...] = ()

    def __post_init__(self) -> None:
        ends = [0, *(end for one in self.embedded for end in (one.start, one.stop))]
        apart = all(a <= b for a, b in pairwise([*ends, len(self.fill)]))
        if not apart or any(one.start == one.stop for one in self.embedded):
            raise DataError("the columns that are read through vectors are none")
        for one in self.embedded:
            if one.matrix.ndim != 2 or len(one.matrix) != one.stop - one.start:
                raise DataError("vectors of answers are not those of their block")
        if any(not 0 <= one.start < one.stop <= len(self.fill) for one in self.marked):
            raise DataError("a block whose gap is marked is none")
        if self.late.shape != self.scale.shape or not divides(self.scale):
            raise DataError("each late column needs a scale above 0")

    def __len__(self) -> int:
        """I, the number of inputs."""
        more = sum(int(one.matrix.shape[1]) - (one.stop - one.start) for one in self.embedded)
        return len(self.fill) + more + len(self.marked) + self.thinned

    @property
    def mixing(self) -> FloatArray:
        """(D, I less the marks) how columns become inputs: as they stand, or through vectors."""
        parts, start = [], 0
        for one in self.embedded:
            parts += [np.eye(one.start - start), one.matrix]
            start = one.stop
        return np.asarray(block_diag(*parts, np.eye(len(self.fill) - start)))

    @property
    def late_inputs(self) -> IntArray:
        """Places of the late columns, and of their marks, among the I: 0 until the answers are
        learnt."""
        marks = np.array([one.late for one in self.marked], dtype=bool)
        read = self.mixing[self.late].any(axis=0)
        return np.flatnonzero(np.append(read, marks))

    @property
    def block_of(self) -> IntArray:
        """(I,) the marked block that each input is of; -1 for what cannot be masked."""
        mixing = self.mixing
        found = np.full(mixing.shape[1], -1, dtype=np.int64)
        for place, one in enumerate(self.marked):
            found[mixing[one.start : one.stop].any(axis=0)] = place
        rest = np.r_[np.arange(len(self.marked)), np.full(int(self.thinned), -1)]
        return np.concatenate([found, rest])

    def transform(self, x: FloatArray, thinned: NDArray[np.bool_] | None = None) -> FloatArray:
        """Inputs (N, I) of features (N, D); NaN is missing. `thinned` (N,) tells such rows."""
        z = np.where(np.isnan(x), self.fill, x)
        if len(self.late):
            z[:, self.late] = (z[:, self.late] - self.fill[self.late]) / self.scale
        gaps = [np.isnan(x[:, one.start : one.stop]).all(axis=1) for one in self.marked]
        for one, gap in zip(self.marked, gaps, strict=True):
            if one.answers:
                z[gap, one.start : one.stop] = 0
        last = [np.zeros(len(z)) if thinned is None else thinned] if self.thinned else []
        read = z @ self.mixing if self.embedded else z
        return np.column_stack([read, *gaps, *last])

    def gradient_by_features(self, gradient: FloatArray) -> FloatArray:
        """A gradient (N, I) by the inputs as one (N, D) by the features."""
        mixing = self.mixing
        found = gradient[:, : mixing.shape[1]] @ mixing.T  # marks do not move
        if len(self.late):
            found[:, self.late] /= self.scale
        return found


def fit_inputs(
    forms: Forms, rows: IntArray, embeddings: Embeddings = NONE, *, marked: bool = False
) -> Inputs:
    """How a network trained on rows (n,) reads features; further columns stand as given.

    Args:
        marked: whether a gap is a value of its own, and not the mean.
    """
    fill, scale = moments(forms.x[rows])
    late, embedded = _layout(forms, embeddings)
    marks = marked_blocks(forms.features.blocks) if marked else ()
    return Inputs(fill, late, scale[late], embedded, forms.thinned is not None, marks)


def marked_blocks(blocks: Sequence[Block]) -> tuple[MarkedBlock, ...]:
    """Where the gaps of all blocks are marked."""
    return tuple(
        MarkedBlock(place.start, place.stop, len(block.answers) > 0, block.late)
        for block, place in zip(blocks, columns_of(blocks), strict=True)
    )


def _layout(forms: Forms, embeddings: Embeddings) -> tuple[IntArray, tuple[EmbeddedBlock, ...]]:
    """Places of late columns, and the blocks that are read through vectors."""
    features = forms.features
    late: list[int] = []
    embedded = []
    for block, place in zip(features.blocks, features.columns, strict=True):
        if block.late:
            late += range(place.start, place.stop)
        elif block.answers and block.question in embeddings:
            vectors = embeddings[block.question].rows(block.answers)
            matrix = np.hstack([vectors, np.ones((len(vectors), 1))])
            embedded.append(EmbeddedBlock(place.start, place.stop, matrix))
    return np.array(late, dtype=np.int64), tuple(embedded)
