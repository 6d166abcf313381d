from __future__ import annotations

import numpy as np
import pytest
from tests.calibrate.conftest import NOMINAL, SCALE

from assize.base.errors import ConfigError
from assize.calibrate._prediction.best_of_n import gain, question_of, rows, select

P = np.array(
    [
        [[0.1, 0.1, 0.8], [0.1, 0.1, 0.8]],  # 2.7, sure
        [[0.8, 0.1, 0.1], [0.8, 0.1, 0.1]],  # 1.3
        [[0.9, 0.1, 0.0], [0.0, 0.1, 0.9]],  # 2.0, the raters disagree
        [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]],  # 1.5
        [[np.nan] * 3, [np.nan] * 3],
    ]
)
UNITS = [(name, None) for name in "abcde"]


def test_the_highest_expected_answer_wins_in_each_group() -> None:
    found = select(P, SCALE, UNITS, ["x", "x", "y", "y", None])
    assert [(one.group, one.best) for one in found] == [("x", 0), ("y", 2)]
    assert [one.reward for one in found] == pytest.approx([2.7, 2.0])
    assert [one.average for one in found] == pytest.approx([2.0, 1.75])
    assert gain(found).estimate == pytest.approx((0.7 + 0.25) / 2)


def test_none_is_chosen_where_the_best_one_is_too_uncertain() -> None:
    """Entropy of (0.1, 0.1, 0.8) is 0.639 nats, of the mixture (0.45, 0.1, 0.45) 0.949."""
    found = select(P, SCALE, UNITS, ["x", "x", "y", "y", None], max_entropy=0.7)
    assert [one.abstained for one in found] == [False, True]
    assert [one.entropy for one in found] == pytest.approx([0.639, 0.949], abs=1e-3)
    assert gain(found).n == 1
    said = list(rows(found, P, SCALE, UNITS, "s"))
    assert [row.answer for row in said] == ["yes", "no", None, None]
    assert [row.unscored.reason for row in said if row.unscored is not None] == ["abstained"] * 2
    assert {row.question for row in said} == {question_of(SCALE).id}


def test_unpredicted_candidates_are_never_chosen_and_never_lost() -> None:
    found = select(P, SCALE, UNITS, ["x", None, None, None, "x"])
    assert (found[0].best, found[0].unscored) == (0, 1)
    alone = select(P, SCALE, UNITS, [None, None, None, None, "x"])
    assert (alone[0].best, alone[0].abstained, alone[0].unscored) == (None, False, 1)
    row = next(rows(alone, P, SCALE, UNITS, "s"))
    assert row.unscored is not None
    assert row.unscored.reason == "missing"
    assert np.isnan(gain(alone).estimate)


def test_the_first_of_equals_is_taken() -> None:
    assert select(P[[0, 0]], SCALE, UNITS, ["x", "x"])[0].best == 0


def test_unordered_answers_and_bad_limits_are_refused() -> None:
    with pytest.raises(ConfigError, match="none is the best"):
        select(P, NOMINAL, UNITS, ["x"] * 5)
    for limit in (-1.0, float("nan")):
        with pytest.raises(ConfigError, match="at least 0"):
            select(P, SCALE, UNITS, ["x"] * 5, max_entropy=limit)
