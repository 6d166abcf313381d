from __future__ import annotations

from itertools import permutations

import pytest

from assize.base.conversation import Pair, Turn
from assize.reference._continuations.preferred import (
    ALONE,
    SAME,
    SEVERAL,
    UNCLEAR,
    UNVOTED,
    Votes,
    prefer_answers,
)

ASK = (Turn("user", "Why?"),)


def pair(a: str, b: str, context: tuple[Turn, ...] = ASK) -> Pair:
    return Pair(f"{a}-{b}", context, (Turn("assistant", a),), (Turn("assistant", b),))


def winner(*votes: tuple[str, str, int, int], majority: float = 0.5) -> str | None:
    pairs = [pair(a, b) for a, b, _, _ in votes]
    tallies: Votes = {f"{a}-{b}": (n, m) for a, b, n, m in votes}
    found = prefer_answers(pairs, tallies, majority).items
    assert len({one.references for one in found}) <= 1
    return found[0].references[0] if found else None


CHAIN = (("x", "y", 1, 2), ("y", "z", 3, 0), ("x", "z", 2, 0))


@pytest.mark.parametrize(
    ("votes", "majority", "reference"),
    [
        ([("x", "y", 2, 1)], 0.5, "x"),
        (CHAIN, 0.5, "y"),
        ([("x", "y", 2, 0), ("y", "z", 2, 0)], 0.5, "x"),  # x never met z
        pytest.param(
            [("x", "y", 2, 1), ("y", "z", 2, 1), ("z", "x", 2, 1)], 0.5, None, id="a circle"
        ),
        pytest.param([("x", "y", 1, 1)], 0.5, None, id="a tie"),
        pytest.param([("x", "y", 1, 0), ("v", "w", 1, 0)], 0.5, None, id="two winners"),
        pytest.param([("x", "y", 2, 1)], 0.6, "x", id="above the majority"),
        pytest.param([("x", "y", 2, 1)], 0.7, None, id="below the majority"),
        pytest.param([("x", "y", 3, 1)], 0.75, None, id="a majority must be exceeded"),
    ],
)
def test_the_answer_that_clearly_wins_all_of_its_pairs_is_the_reference(
    votes: list[tuple[str, str, int, int]], majority: float, reference: str | None
) -> None:
    assert winner(*votes, majority=majority) == reference


def test_votes_on_the_same_two_answers_add_up_in_either_order() -> None:
    pairs = [pair("x", "y"), pair("y", "x")]
    found = prefer_answers(pairs, {"x-y": (1, 0), "y-x": (3, 0)}).items
    assert [(one.references, one.candidate) for one in found] == [(("y",), "x")]
    assert found[0].metadata == {"reference_votes": [3, 1], "candidate_votes": [1, 3]}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_the_pairs_changes_nothing(order: tuple[int, ...]) -> None:
    assert winner(*(CHAIN[place] for place in order)) == "y"


def test_the_others_are_candidates_with_who_wrote_them() -> None:
    one = Pair(
        "p",
        ASK,
        (Turn("assistant", "x"),),
        (Turn("assistant", "y"),),
        metadata={"model_a": "m1", "model_b": "m2", "conversation": 7},
    )
    (found,) = prefer_answers([one], {"p": (0, 2)}).items
    assert (found.references, found.candidate, found.source) == (("y",), "x", "m1")
    assert (found.conversation, found.turn) == ("7", 1)
    assert found.metadata["reference_by"] == "m2"


def test_what_gives_no_reference_is_counted() -> None:
    long = Pair("l", ASK, (*ASK, Turn("assistant", "x")), (Turn("assistant", "y"),))
    other = (Turn("user", "When?"),)
    done = prefer_answers(
        [pair("x", "y", ()), pair("x", "x "), long, pair("x", "y"), pair("x", "w", other)],
        {"x-y": (0, 0), "x-w": (1, 1)},
    )
    assert done.left_out == {ALONE: 1, SAME: 1, SEVERAL: 1, UNVOTED: 1, UNCLEAR: 1}
    assert (done.items, done.contexts, done.clear) == ([], 2, 0)
