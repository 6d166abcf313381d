from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.conversation import Pair, Preference, Turn
from assize.errors import ConfigError, DataError
from assize.judgment import PREFERENCE, Judgment, Question
from assize.simulation.balance import balanced, mirrored, mirrored_rows, shares_of

PAPER = (0.4, 0.4, 0.2)
COUNTS = st.integers(0, 60)


def labels(a: int, b: int, tie: int) -> dict[str, Preference]:
    found: dict[str, Preference] = {f"a{n}": "A" for n in range(a)}
    found |= {f"b{n}": "B" for n in range(b)}
    return found | {f"t{n}": "tie" for n in range(tie)}


def sizes(a: int, b: int, tie: int, shares: Any = PAPER, **more: Any) -> tuple[int, ...]:
    given = labels(a, b, tie)
    found = balanced(given, shares, np.random.default_rng(0), **more)
    other = {"A": "B", "B": "A", "tie": "tie"}
    counts = Counter(other[given[one]] if one in found.exchanged else given[one]
                     for one in found.kept)  # fmt: skip
    return counts["A"], counts["B"], counts["tie"]


def test_the_scarcest_label_decides_how_many_stay() -> None:
    """60 A, 50 B, 20 ties: 20 ties are a fifth of 100, so 40 and 40 stay."""
    assert sizes(60, 50, 20) == (40, 40, 20)
    assert sizes(60, 20, 20) == (20, 20, 10)
    assert sizes(7, 9, 1, (0.5, 0.5, 0.0)) == (7, 7, 0)


def test_pairs_that_are_turned_round_are_not_lost() -> None:
    """70 A and 10 B are 80 sided pairs: with 20 ties all hundred stay, 30 turned round."""
    given = labels(70, 10, 20)
    found = balanced(given, PAPER, np.random.default_rng(0), exchange=True)
    assert len(found.kept) == 100
    assert len(found.exchanged) == 30
    assert {given[one] for one in found.exchanged} == {"A"}
    assert not any(found.left_out.values())
    assert sizes(70, 10, 20, exchange=True) == (40, 40, 20)
    assert sizes(70, 10, 20) == (10, 10, 5)


@given(COUNTS, COUNTS, COUNTS, st.booleans())
def test_shares_hold_to_the_pair_and_no_more_can_stay(
    a: int, b: int, tie: int, exchange: bool
) -> None:
    pools = {"sided": a + b, "tie": tie} if exchange else {"A": a, "B": b, "tie": tie}
    most = min((pools.get("sided", 200 * 60) / 0.8, pools.get("A", 9e9) / 0.4,
                pools.get("B", 9e9) / 0.4, tie / 0.2))  # fmt: skip
    try:
        found = sizes(a, b, tie, exchange=exchange)
    except DataError:
        assert most < 2.5  # not even one A is 40% of it
        return
    assert found == tuple(int(most * share + 1e-9) for share in PAPER)
    assert found[0] == found[1]
    assert all(count >= 0 for count in found)


@given(COUNTS, COUNTS, st.integers(1, 60), st.booleans(), st.integers(0, 9))
def test_what_stays_and_what_goes_is_everything(
    a: int, b: int, tie: int, exchange: bool, seed: int
) -> None:
    given = labels(a + 1, b + 1, tie + 1)
    found = balanced(given, PAPER, np.random.default_rng(seed), exchange=exchange)
    assert len(found.kept) + sum(found.left_out.values()) == len(given)
    assert list(found.kept) == [one for one in given if one in set(found.kept)]
    assert found.exchanged <= set(found.kept)


def test_who_goes_is_drawn_by_seed() -> None:
    drawn = [balanced(labels(60, 20, 20), PAPER, np.random.default_rng(seed)).kept
             for seed in (1, 1, 2)]  # fmt: skip
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_label_that_is_wanted_and_not_there_is_an_error() -> None:
    with pytest.raises(DataError, match="there are 5 A, 5 B, 0 tie"):
        sizes(5, 5, 0)


@pytest.mark.parametrize("text", ["", "40/40", "a/b/c", "40/40/-20", "0/0/0", "1/2/nan", "1/2/3/4"])
def test_shares_that_are_none_are_said(text: str) -> None:
    with pytest.raises(ConfigError, match="give the shares of A, B and ties, as 40/40/20"):
        shares_of(text)


def test_shares_need_not_sum_to_a_hundred() -> None:
    assert shares_of("2:2:1") == PAPER


PAIR = Pair(
    "p", (Turn("user", "Hi"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),),
    gold={"Overall": "A", "Safety": "tie"},
    metadata={"model_name1": "m", "model_name2": "n", "systems": {"A": "m", "B": "n"},
              "a": "c1", "b": "c2", "difference": 2.0, "topic": "A"},
)  # fmt: skip


def test_a_pair_turned_round_has_everything_on_the_other_side() -> None:
    turned = mirrored(PAIR)
    assert turned.id == "p/exchanged"
    assert (turned.context, turned.a, turned.b) == (PAIR.context, PAIR.b, PAIR.a)
    assert turned.gold == {"Overall": "B", "Safety": "tie"}
    assert turned.metadata == {
        "model_name1": "n", "model_name2": "m", "systems": {"B": "m", "A": "n"},
        "a": "c2", "b": "c1", "difference": -2.0, "topic": "A", "exchanged": True,
    }  # fmt: skip
    again = mirrored(turned)
    assert (again.a, again.b, again.gold) == (PAIR.a, PAIR.b, PAIR.gold)
    assert mirrored(Pair("p", (), PAIR.a, PAIR.b, gold="B")).gold == "A"
    assert mirrored(Pair("p", (), PAIR.a, PAIR.b, metadata={"systems": ["m", "n"]})).metadata[
        "systems"
    ] == ["n", "m"]


def test_votes_are_turned_round_with_it() -> None:
    questions = {"preference": PREFERENCE, "words": Question("words", kind="number")}
    rows = [
        Judgment("p", "x", "preference", answer="A", order="AB", call="p/x",
                 distribution={"A": 0.7, "B": 0.2, "tie": 0.1},
                 details={"maxims": {"Quality": "A", "Tact": "both"}, "acts": {"a": [1], "b": []}}),
        Judgment("p", "x", "preference", score=-0.5, order="BA"),
        Judgment("p", "x", "preference", answer="tie"),
        Judgment("p", "x", "words", score=3.0),
    ]  # fmt: skip
    found = mirrored_rows(rows, questions)
    assert [one.item for one in found] == ["p/exchanged"] * 4
    assert [one.answer for one in found] == ["B", None, "tie", None]
    assert [one.order for one in found] == ["BA", "AB", None, None]
    assert [one.score for one in found] == [None, 0.5, None, 3.0]
    assert found[0].distribution == {"B": 0.7, "A": 0.2, "tie": 0.1}
    assert found[0].details == {
        "maxims": {"Quality": "B", "Tact": "both"}, "acts": {"b": [1], "a": []},
    }  # fmt: skip
    assert found[0].call == "p/x/exchanged"
