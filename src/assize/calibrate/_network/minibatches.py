"""Minibatches, their rows grouped by rater and padded to one length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.calibrate._data.forms import UNKNOWN, IntArray

EMPTY = -1  # padding: a place without a row


def pad_by_group(rows: IntArray, groups: IntArray, count: int) -> IntArray:
    """Rows of S streams by group, padded.

    Args:
        rows: (S, B) places of rows; EMPTY ones are passed over.
        groups: (N,) group of each row, 0..count-1.

    Returns:
        (S, count, C) places of rows, EMPTY where there is none; C is the fullest group's size.

    >>> pad_by_group(np.array([[0, 1, 2]]), np.array([1, 0, 1]), 2).tolist()
    [[[1, -1], [0, 2]]]
    """
    streams, width = rows.shape
    group = np.where(rows == EMPTY, count, groups[rows])
    order = np.argsort(group, axis=1, kind="stable")
    ordered = np.take_along_axis(group, order, axis=1)
    key = ordered + (count + 1) * np.arange(streams)[:, None]
    sizes = np.bincount(key.ravel(), minlength=streams * (count + 1))
    starts = (np.cumsum(sizes) - sizes)[key.ravel()].reshape(streams, width)
    place = np.arange(streams * width).reshape(streams, width) - starts
    depth = max(1, int(sizes.reshape(streams, count + 1)[:, :count].max(initial=1)))
    found = np.full((streams, count + 1, max(depth, int(place.max(initial=0)) + 1)), EMPTY)
    stream = np.broadcast_to(np.arange(streams)[:, None], rows.shape)
    found[stream, ordered, place] = np.take_along_axis(rows, order, axis=1)
    return found[:, :count, :depth]


@dataclass(slots=True, eq=False)
class MinibatchStream:
    """The minibatches of one training set with one seed, drawn with replacement."""

    rows: IntArray  # (n,) places of the training rows
    rng: np.random.Generator  # draws rows and which of them lose their rater
    dropout: float = 0.0  # share of rows that are trained as nobody's in particular

    def draw(self, size: int, rater: IntArray, nobody: int) -> tuple[IntArray, IntArray]:
        """Places (size,) of rows, and the group (size,) that each is trained in."""
        chosen = self.rows[self.rng.integers(len(self.rows), size=size)]
        group = np.where(rater[chosen] == UNKNOWN, nobody, rater[chosen])
        if self.dropout:
            group = np.where(self.rng.random(size) < self.dropout, nobody, group)
        return chosen, group


def draw_minibatches(
    streams: list[MinibatchStream],
    size: int,
    rater: IntArray,
    count: int,
    blocks: int = 0,
    mask: float = 0.0,
) -> tuple[IntArray, NDArray[np.bool_]]:
    """The next minibatch of each stream by group, and what each row hides.

    Returns:
        Rows (S, count, C), EMPTY where a group has fewer; nobody is group count - 1. Hidden
        blocks (S, count, C, blocks), each by chance `mask`.
    """
    drawn = [stream.draw(size, rater, count - 1) for stream in streams]
    rows = np.stack([chosen for chosen, _ in drawn])
    group = np.concatenate([group for _, group in drawn])
    flat = np.arange(rows.size).reshape(rows.shape)
    places = pad_by_group(flat, group, count)
    found = np.where(places == EMPTY, EMPTY, rows.ravel()[places])
    hidden = np.stack([stream.rng.random((size, blocks)) < mask for stream in streams])
    return found, hidden.reshape(rows.size, blocks)[places] & (found != EMPTY)[..., None]
