from __future__ import annotations

import numpy as np
import pytest

from assize.calibration import Block, Features
from assize.calibration.hierarchical.log_odds import LIMIT, log_odds

ORDERED = Block("m", "", "Q0", ("1", "2", "3"), (1, 2, 3), ordered=True)


def read(x: list[list[float]], *blocks: Block) -> np.ndarray:
    return log_odds(Features(tuple((str(n), None) for n in range(len(x))), blocks, np.array(x)))


def test_the_mean_log_odds_of_passing_each_step() -> None:
    # P(above 1) = 0.8 and P(above 2) = 0.5: the mean of log 4 and log 1
    assert read([[0.2, 0.3, 0.5]], ORDERED)[0, 0] == pytest.approx(np.log(4) / 2)


def test_the_mass_outside_the_answers_does_not_count() -> None:
    assert read([[0.1, 0.15, 0.25]], ORDERED) == pytest.approx(read([[0.2, 0.3, 0.5]], ORDERED))


def test_a_certain_answer_is_finite() -> None:
    assert read([[0, 0, 1.0], [1.0, 0, 0]], ORDERED)[:, 0].tolist() == [LIMIT, -LIMIT]


def test_na_and_missing_are_nan() -> None:
    assert np.isnan(read([[0, 0, 0], [np.nan] * 3], ORDERED)).all()


def test_answers_are_read_in_the_order_of_their_values() -> None:
    turned = Block("m", "", "Q0", ("3", "2", "1"), (3, 2, 1), ordered=True)
    assert read([[0.5, 0.3, 0.2]], turned) == pytest.approx(read([[0.2, 0.3, 0.5]], ORDERED))


def test_scores_stand_as_given_and_unordered_answers_are_not_read() -> None:
    score = Block("e", "", "quality", (), (), ordered=True)
    nominal = Block("m", "", "Q8", ("a", "b"), (0, 1), ordered=False)
    assert read([[0.3, 0.5, 0.5]], score, nominal).tolist() == [[0.3]]
