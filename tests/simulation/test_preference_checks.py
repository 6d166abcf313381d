from __future__ import annotations

import pytest

from assize.conversation import Pair, Turn
from assize.simulation.preference_checks import (
    Intended,
    agreement_of,
    agreement_table,
    intended_of,
    intended_table,
    turns_of,
    turns_table,
)


def pair(name: str, rounds: int = 1, fault: str | None = None, better: str = "A") -> Pair:
    turns = (Turn("user", "?"), Turn("assistant", ".")) * rounds
    told = {} if fault is None else {"intended": {"better": better, "fault": fault}}
    return Pair(name, (), turns, turns, True, metadata=told)


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
    found = agreement_of(votes)  # type: ignore[arg-type]
    assert found is not None
    assert (found.alike.estimate, found.alike.n, found.alike.unscored) == (0.75, 4, 1)
    assert found.alpha.estimate == pytest.approx(2 / 3)
    assert found.unanimous == 3
    (row,) = agreement_table(found, "Overall").rows
    assert (row[0], row[3], row[4]) == (4, 3, 1)


def test_one_judge_has_nobody_to_agree_with() -> None:
    assert agreement_of({"x": {"1": "A"}}) is None


def test_turns_are_counted() -> None:
    pairs = [pair("1", 2), pair("2", 3), pair("3", 2)]
    assert turns_of(pairs) == {2: 2, 3: 1}
    assert turns_table(pairs).rows == [("2", 2), ("3", 1)]


def test_labels_are_held_against_the_side_that_was_meant() -> None:
    pairs = [pair("1", fault="vague"), pair("2", fault="vague", better="B"),
             pair("3", fault="vague"), pair("4", fault="cold"), pair("5")]  # fmt: skip
    labels = {"1": "A", "2": "A", "3": "tie", "4": None, "5": "B"}
    found = intended_of(pairs, labels)  # type: ignore[arg-type]
    assert found == [
        Intended("cold", 1, 0, 0, 0, 1), Intended("vague", 3, 1, 1, 1, 0),
        Intended(None, 1, 0, 0, 1, 0),
    ]  # fmt: skip
    assert intended_table(found).rows[-1] == ("(as it comes)", 1, None, 0, None, 0)
    assert intended_of([pair("5")], {"5": "A"}) == []
