"""The rows of the tables of agreement."""

from __future__ import annotations

from assize import stats
from assize.agreement.rows import JudgePair


def test_a_pair_lists_the_figures_that_there_are() -> None:
    share = stats.mean([1.0, 0.0, 1.0])
    pair = JudgePair("tone", "ann", "ben", n=3, unscored=1, agreement=share, pearson=share)
    assert pair.figures == {"agreement": share, "pearson": share}
