from __future__ import annotations

import pytest
from tests.simulate.voted_pairs import pair

from assize.simulate._preference_checks import TurnCount, agreement_of, turn_counts


def test_agreement_of_two_judges_by_hand() -> None:
    """Four pairs, alike on three; one judge has no vote on the fifth.

    Values A A | B B | tie tie | A B: of 8 votes 3 are A, 3 B, 2 ties. Krippendorff's alpha is
    1 - (n - 1) observed / expected, with observed = 2 disagreeing ordered pairs, expected =
    64 - 9 - 9 - 4 = 42: 1 - 7 * 2 / 42 = 2/3.
    """
    votes = {
        "x": {"1": "A", "2": "B", "3": "tie", "4": "A", "5": "A"},
        "y": {"1": "A", "2": "B", "3": "tie", "4": "B", "5": None},
    }
    (found,) = agreement_of(votes)  # type: ignore[arg-type]
    assert (found.alike.estimate, found.alike.n, found.alike.unscored) == (0.75, 4, 1)
    assert found.alpha.estimate == pytest.approx(2 / 3)
    assert found.unanimous == 3


def test_one_judge_has_nobody_to_agree_with() -> None:
    assert agreement_of({"x": {"1": "A"}}) == []


def test_turns_are_counted() -> None:
    pairs = [pair("1", rounds=2), pair("2", rounds=3), pair("3", rounds=2)]
    assert turn_counts(pairs) == [TurnCount(2, 2), TurnCount(3, 1)]
