from __future__ import annotations

import numpy as np
from scipy import stats

from assize.web._queue.seeded import seeded_index, seeded_uniform


def test_the_same_seed_and_words_give_the_same_number_and_others_another() -> None:
    assert seeded_uniform(1, "gold", 7) == seeded_uniform(1, "gold", 7)
    assert len({seeded_uniform(s, "gold", n) for s in range(3) for n in range(100)}) == 300


def test_numbers_are_uniform_in_0_to_1() -> None:
    drawn = np.array([seeded_uniform(3, "x", n) for n in range(4_000)])
    assert 0 <= drawn.min() <= drawn.max() < 1
    assert stats.kstest(drawn, "uniform").pvalue > 0.001


def test_a_pick_is_one_of_the_numbers_below_and_each_comes_up() -> None:
    assert {seeded_index(4, 5, "place", n) for n in range(200)} == {0, 1, 2, 3}


def test_words_do_not_run_into_each_other() -> None:
    assert seeded_uniform(1, "ab", "c") != seeded_uniform(1, "a", "bc")
