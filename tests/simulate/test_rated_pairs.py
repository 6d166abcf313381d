from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.simulate._rated_pairs import ALONE, NO_GROUP, UNRATED, rated_pairs

STARS = Question("stars", kind="ordinal", answers=tuple("12345"), values=(1, 2, 3, 4, 5))
DULL = Question("dull", kind="number", range=(0, 10), higher="worse")


def chat(id: str, group: str | None = "g", said: str = "Hi", bot: str = "b") -> Conversation:
    metadata = {} if group is None else {"group": group}
    return Conversation(id, (Turn("user", said), Turn("assistant", f"I am {id}")), bot, metadata)


def table(*rows: tuple[Any, ...]) -> JudgmentTable:
    """Rows of (item, question, value, judge); the value of `stars` is an answer."""
    made = []
    for item, question, value, *judge in rows:
        name = judge[0] if judge else "ann"
        result: Any = {"answer": str(value)} if question == "stars" else {"score": value}
        made.append(Judgment(item, name, question, kind="person", **result))
    return JudgmentTable.of(made, [STARS, DULL])


def paired(chats: Any, ratings: JudgmentTable, seed: int = 0, **more: Any) -> Any:
    return rated_pairs(chats, ratings, "stars", np.random.default_rng(seed), **more)


def winner(pair: Any, question: str = "preference") -> str | None:
    """The conversation that gold prefers; None for a tie."""
    sides: dict[str, str] = {"A": pair.metadata["a"], "B": pair.metadata["b"]}
    return sides.get(pair.gold[question])


def test_who_is_rated_higher_is_gold_on_each_question() -> None:
    """One has more stars and is duller, which is worse."""
    ratings = table(
        ("one", "stars", 4), ("two", "stars", 2), ("one", "dull", 7), ("two", "dull", 3)
    )
    (pair,) = paired([chat("one"), chat("two", said="Hello")], ratings)
    assert set(pair.gold) == {"preference", "stars", "dull"}
    assert (winner(pair), winner(pair, "stars"), winner(pair, "dull")) == ("one", "one", "two")
    assert abs(pair.metadata["difference"]) == 2
    assert (pair.metadata["group"], pair.metadata["rater"]) == ("g", "ann")
    assert not pair.shared_user
    assert pair.context == ()


def test_the_same_turns_of_the_user_are_told() -> None:
    (pair,) = paired([chat("one"), chat("two")], table(("one", "stars", 4), ("two", "stars", 2)))
    assert pair.shared_user


def rate(**stars: dict[str, int]) -> JudgmentTable:
    """By rater the stars that each conversation gets."""
    rows = [(item, value, who) for who, by in stars.items() for item, value in by.items()]
    return table(*((item, "stars", value, who) for item, value, who in rows))


def test_the_majority_of_those_who_rated_both_is_gold() -> None:
    """Two of three prefer `one` by little; the mean is with `two`: 4 + 4 + 1 < 3 + 3 + 5.

    With a least difference of 1 these two are ties, and ties are the majority.
    """
    ratings = rate(
        ann={"one": 4, "two": 3}, bob={"one": 4, "two": 3}, eve={"one": 1, "two": 5}, dan={"one": 1}
    )
    (pair,) = paired([chat("one"), chat("two")], ratings)
    assert winner(pair) == winner(pair, "stars") == "one"
    assert abs(pair.metadata["difference"]) == round(2 / 3, 6)
    assert "rater" not in pair.metadata
    (tie,) = paired([chat("one"), chat("two")], ratings, least=1)
    assert tie.gold["preference"] == "tie"
    assert winner(tie, "stars") == "one"  # the least difference is that of the decision alone


def test_votes_that_cancel_out_are_a_tie() -> None:
    ratings = rate(ann={"one": 5, "two": 1}, bob={"one": 2, "two": 3})
    (pair,) = paired([chat("one"), chat("two")], ratings)
    assert pair.gold["preference"] == "tie"


def test_where_nobody_rated_both_the_means_are_compared() -> None:
    ratings = rate(ann={"one": 5}, bob={"one": 2}, eve={"two": 3})  # 3.5 and 3
    (pair,) = paired([chat("one"), chat("two")], ratings)
    assert winner(pair) == "one"
    assert abs(pair.metadata["difference"]) == 0.5


def test_ratings_of_turns_decide_nothing() -> None:
    rows = [*table(("one", "stars", 4), ("two", "stars", 2))]
    rows += [Judgment("two", "ann", "stars", answer="5", turn=1, kind="person")]
    (pair,) = paired([chat("one"), chat("two")], JudgmentTable.of(rows, [STARS]))
    assert winner(pair) == "one"


@given(st.integers(1, 4), st.integers(0, 7), st.integers(0, 99))
def test_each_group_gives_as_many_pairs_as_asked_for(
    groups: int, per_group: int, seed: int
) -> None:
    """A group of four has six pairs; none is drawn twice."""
    chats = [chat(f"{g}{n}", f"g{g}") for g in range(groups) for n in range(4)]
    ratings = table(*((one.id, "stars", 1 + n % 5) for n, one in enumerate(chats)))
    found = paired(chats, ratings, seed, per_group=per_group)
    each = 6 if per_group in (0, 6, 7) else per_group
    assert len(found) == groups * each
    twos = [frozenset((one.metadata["a"], one.metadata["b"])) for one in found]
    assert len(set(twos)) == len(twos)
    assert Counter(one.metadata["group"] for one in found) == {f"g{n}": each for n in range(groups)}


def test_which_pair_is_drawn_and_which_is_a_are_even_chances() -> None:
    """600 groups: each of the six pairs 100 times, A the better 300 times, within 5 deviations."""
    chats = [chat(f"{g}.{n}", f"g{g}") for g in range(600) for n in range(4)]
    ratings = table(*((one.id, "stars", 1 + n % 4) for n, one in enumerate(chats)))
    found = paired(chats, ratings)
    drawn = Counter(frozenset((one.metadata["a"][-1], one.metadata["b"][-1])) for one in found)
    assert len(drawn) == 6
    assert all(abs(count - 100) < 5 * (600 * 5 / 36) ** 0.5 for count in drawn.values())
    first = sum(one.gold["preference"] == "A" for one in found)
    assert abs(first - 300) < 5 * 150**0.5


def test_conversations_that_cannot_be_paired_are_counted() -> None:
    chats = [chat("a"), chat("b"), chat("c", None), chat("d"), chat("e", "alone")]
    ratings = table(*((one, "stars", 3) for one in "abce"), ("d", "dull", 1))
    found = paired(chats, ratings)
    assert found.left_out == {NO_GROUP: 1, UNRATED: 1, ALONE: 1}
    assert "left_out" in found.tables


def test_what_one_person_rated_is_compared_by_that_person_alone() -> None:
    """Ann is strict: her 2 is better than her 1, though Bob gave both more."""
    rows = [("x", 2, "ann"), ("y", 1, "ann"), ("x", 3, "bob"), ("z", 5, "bob")]
    ratings = table(*((item, "stars", value, who) for item, value, who in rows))
    chats = [chat(one, None) for one in ("x", "y", "z", "nobody")]
    found = paired(chats, ratings, group="rater")
    assert {one.metadata["rater"]: winner(one) for one in found} == {"ann": "x", "bob": "z"}
    assert found.left_out == {UNRATED: 1}


@pytest.mark.parametrize(
    ("question", "group", "problem"),
    [
        ("mood", "group", "no rating on 'mood'; rated are dull, stars"),
        ("stars", "city", "no two rated conversations share 'city': it has no group"),
    ],
)
def test_what_cannot_be_is_said(question: str, group: str, problem: str) -> None:
    ratings = table(("one", "stars", 4), ("two", "stars", 2), ("one", "dull", 7))
    with pytest.raises(DataError, match=problem):
        rated_pairs(
            [chat("one"), chat("two")], ratings, question, np.random.default_rng(0), group=group
        )
