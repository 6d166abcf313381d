from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assize.calibrate._network.minibatches import (
    EMPTY,
    MinibatchStream,
    draw_minibatches,
    pad_by_group,
)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.integers(1, 3))
def test_every_row_has_one_slot_in_its_group(groups: list[int], streams: int) -> None:
    rng = np.random.default_rng(len(groups))
    rows = np.stack([rng.permutation(len(groups)) for _ in range(streams)])
    found = pad_by_group(rows, np.array(groups), 4)
    for one in found:
        for group, slots in enumerate(one):
            there = slots[slots != EMPTY]
            assert sorted(there) == [n for n, g in enumerate(groups) if g == group]


def test_rows_that_are_empty_have_no_slot() -> None:
    found = pad_by_group(np.array([[0, EMPTY], [0, 1]]), np.array([0, 1]), 2)
    assert found.tolist() == [[[0], [EMPTY]], [[0], [1]]]


def test_dropout_moves_its_share_of_rows_to_nobody() -> None:
    stream = MinibatchStream(np.arange(50), np.random.default_rng(0), 0.3)
    found, _ = draw_minibatches([stream], 10_000, np.zeros(50, dtype=np.int64), 2)
    share = (found[0, 1] != EMPTY).sum() / 10_000
    assert abs(share - 0.3) < 0.02


def test_masks_hide_their_share_of_blocks_and_padding_hides_nothing() -> None:
    def stream() -> MinibatchStream:
        return MinibatchStream(np.arange(50), np.random.default_rng(0))

    rater = np.arange(50) % 3
    rows, hidden = draw_minibatches([stream()], 9_000, rater, 4, 2, 0.3)
    assert np.array_equal(rows, draw_minibatches([stream()], 9_000, rater, 4)[0])
    there = rows != EMPTY
    assert not hidden[~there].any()
    assert np.abs(hidden[there].mean(axis=0) - 0.3).max() < 0.02
