"""From features to what a network's first layer reads.

Answers stand as given, their gaps filled with the training rows' mean. What stands beside
them (late columns) is standardised on the training rows, a gap is 0. A question whose
answers have vectors is read through these. Where rows were thinned out, a last column says
which; it is 0 in prediction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Forms, IntArray
from assize.calibration.network.answer_embeddings import Embeddings, by_question
from assize.errors import DataError


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedBlock:
    """Columns start..stop of the features, read as p @ matrix (K, d + 1); the last is the mass."""

    start: int
    stop: int
    matrix: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """Reads features (N, D) as inputs (N, I)."""

    fill: FloatArray  # (D,) what a missing column counts as: its mean over the training rows
    late: IntArray  # (L,) places of the late columns among the D
    scale: FloatArray  # (L,) their standard deviations over the training rows; 1 where that is 0
    # blocks that are read through their answers' vectors, in order
    embedded: tuple[EmbeddedBlock, ...] = ()
    thinned: bool = False  # whether a last input tells thinned rows

    def __len__(self) -> int:
        """I, the number of inputs."""
        more = sum(int(one.matrix.shape[1]) - (one.stop - one.start) for one in self.embedded)
        return len(self.fill) + more + self.thinned

    @property
    def late_inputs(self) -> IntArray:
        """(L,) places of the late columns among the I: 0 until the answers are learnt."""
        mark = np.zeros((1, len(self.fill)))
        mark[:, self.late] = 1
        return np.flatnonzero(self._embed_blocks(mark, marks=True)[0])

    def transform(self, x: FloatArray, thinned: NDArray[np.bool_] | None = None) -> FloatArray:
        """Inputs (N, I) of features (N, D); NaN is missing. `thinned` (N,) tells such rows."""
        z = np.where(np.isnan(x), self.fill, x)
        if len(self.late):
            z[:, self.late] = (z[:, self.late] - self.fill[self.late]) / self.scale
        z = self._embed_blocks(z)
        if not self.thinned:
            return z
        last = np.zeros(len(z)) if thinned is None else thinned
        return np.column_stack([z, last])

    def gradient_by_features(self, gradient: FloatArray) -> FloatArray:
        """A gradient (N, I) by the inputs as one (N, D) by the features."""
        parts, at, start = [], 0, 0
        for one in self.embedded:
            parts.append(gradient[:, at : at + one.start - start])
            at += one.start - start
            width = one.matrix.shape[1]
            parts.append(gradient[:, at : at + width] @ one.matrix.T)
            at, start = at + width, one.stop
        parts.append(gradient[:, at : at + len(self.fill) - start])
        found = np.hstack(parts)
        if len(self.late):
            found[:, self.late] /= self.scale
        return found

    def _embed_blocks(self, z: FloatArray, *, marks: bool = False) -> FloatArray:
        """Columns (N, D) with embedded blocks replaced; marks of columns, by zeros."""
        if not self.embedded:
            return z
        parts, start = [], 0
        for one in self.embedded:
            matrix = np.zeros_like(one.matrix) if marks else one.matrix
            parts += [z[:, start : one.start], z[:, one.start : one.stop] @ matrix]
            start = one.stop
        return np.hstack([*parts, z[:, start:]])


def fit_inputs(forms: Forms, rows: IntArray, embeddings: Embeddings = ()) -> Inputs:
    """How a network trained on rows (n,) reads features; further columns stand as given."""
    x = forms.x[rows]
    known = ~np.isnan(x)
    count = np.maximum(known.sum(axis=0), 1)
    fill = np.asarray(np.where(known, x, 0).sum(axis=0) / count)
    late, embedded = _layout(forms, embeddings)
    away = np.where(known, x - fill, 0)[:, late]
    spread = np.sqrt((away**2).sum(axis=0) / count[late])
    scale = np.where(spread > 0, spread, 1.0)
    return Inputs(fill, late, scale, embedded, forms.thinned is not None)


def _layout(forms: Forms, embeddings: Embeddings) -> tuple[IntArray, tuple[EmbeddedBlock, ...]]:
    """Places of late columns, and the blocks that are read through vectors."""
    known, features = by_question(embeddings), forms.features
    late: list[int] = []
    embedded = []
    for block, place in zip(features.blocks, features.columns, strict=True):
        if block.late:
            late += range(place.start, place.stop)
        elif block.answers and block.question in known:
            vectors = known[block.question].rows(block.answers)
            matrix = np.hstack([vectors, np.ones((len(vectors), 1))])
            embedded.append(EmbeddedBlock(place.start, place.stop, matrix))
    width = sum(block.width for block in features.blocks)
    if (late or embedded) and forms.x.shape[1] < width:
        raise DataError(
            f"the forms' inputs have {forms.x.shape[1]} columns;"
            f" their features' blocks have {width}"
        )
    return np.array(late, dtype=np.int64), tuple(embedded)
