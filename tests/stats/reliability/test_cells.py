from __future__ import annotations

import numpy as np

from assize.stats._reliability import Votes
from assize.stats._reliability.cells import cells_of

NOTHING = np.full(4, -1)


def test_equal_rows_are_put_together_and_pairs_find_their_row() -> None:
    votes = Votes.from_signs([[1.0, -1.0], [0.0, 0.0], [1.0, -1.0], [1.0, np.nan]])
    cells = cells_of(votes, 0, NOTHING)
    assert cells.count.tolist() == [2, 1]
    assert cells.row.tolist() == [0, -1, 0, 1]  # ties alone have no row
    assert cells.for_a.tolist() == [[1, 0], [1, 0]]
    assert cells.votes == 5


def test_rows_that_gold_knows_apart_stay_apart() -> None:
    votes = Votes.from_signs([[1, 1]] * 4)
    cells = cells_of(votes, 0, np.array([-1, 0, 1, 0]))
    assert cells.known.tolist() == [-1, 0, 1]
    assert cells.count.tolist() == [1, 2, 1]
    assert cells.known_as(0).tolist() == [False, True, False]
