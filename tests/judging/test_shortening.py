"""What is left out of items that are too long, and what always stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Continuation, Conversation, Pair, Reference, Turn
from assize.judging.shortening import shorten


def turns(*lengths: int) -> tuple[Turn, ...]:
    """The assistant's, so that no question has to stay."""
    return tuple(Turn("assistant", "x" * length) for length in lengths)


QUESTION, ANSWER = Turn("user", "q" * 100), Turn("assistant", "a" * 100)


def test_the_oldest_turns_go_until_the_rest_fits() -> None:
    # 400 of 1,000 characters fit: 0.95 x 0.4 x 1,000 = 380 stay, which three of 100 do.
    found = shorten(Conversation("c", turns(*[100] * 10)), 400, 1000)
    assert found is not None
    assert (found[1], len(found[0].turns)) == (7, 3)  # type: ignore[union-attr]


def test_without_numbers_three_tenths_go() -> None:
    found = shorten(Conversation("c", turns(*[100] * 10)), None, None)
    assert found is not None
    assert found[1] == 3


def test_a_pair_loses_context_first_and_never_what_is_judged() -> None:
    pair = Pair("p", turns(100, 100), turns(500), turns(500))
    found = shorten(pair, 100, 1200)
    assert found is not None
    assert found == (Pair("p", (), pair.a, pair.b), 2)
    assert shorten(found[0], 100, 1000) is None


def test_two_whole_dialogues_lose_their_oldest_turns_together() -> None:
    found = shorten(Pair("p", (), turns(*[100] * 4), turns(*[100] * 6)), 500, 1000)
    assert found is not None
    pair, count = found
    assert isinstance(pair, Pair)
    assert (len(pair.a), len(pair.b), count) == (1, 3, 6)


def test_the_last_user_turn_stays_in_front_of_what_answers_it() -> None:
    pair = Pair("p", (*turns(100, 100), QUESTION), turns(500), turns(500))
    found = shorten(pair, 100, 1300)
    assert found == (Pair("p", (QUESTION,), pair.a, pair.b), 2)
    assert shorten(found[0], 100, 1100) is None
    continuation = Continuation("k", (*turns(100), QUESTION), "candidate", ("human",))
    shortened = shorten(continuation, 10, 1000)
    assert shortened == (Continuation("k", (QUESTION,), "candidate", ("human",)), 1)
    talk = Conversation("c", (*turns(100), QUESTION, ANSWER, ANSWER))
    assert shorten(talk, 10, 1000) == (Conversation("c", (QUESTION, ANSWER, ANSWER)), 1)


def test_two_whole_dialogues_keep_their_last_user_turns() -> None:
    pair = Pair("p", (), (QUESTION, ANSWER, QUESTION, ANSWER), (QUESTION, ANSWER) * 3)
    found = shorten(pair, 10, 1000)
    assert found is not None
    short, count = found
    assert isinstance(short, Pair)
    assert (short.a, short.b, count) == ((QUESTION, ANSWER), (QUESTION, ANSWER) * 2, 4)
    assert shorten(short, 10, 1000) is None


def test_sources_count_and_a_candidate_stays() -> None:
    source = Turn("assistant", "", (Reference("1", "", "y" * 900),))
    item = Continuation("k", (source, *turns(50)), "candidate", ("human",))
    found = shorten(item, 100, 1000)
    assert found is not None
    assert found[0] == Continuation("k", turns(50), "candidate", ("human",))


@given(st.lists(st.integers(0, 300), min_size=1, max_size=12), st.integers(1, 999))
def test_each_step_leaves_something_out_until_one_turn_is_left(
    lengths: list[int], limit: int
) -> None:
    item = Conversation("c", turns(*lengths))
    left = len(lengths)
    while (found := shorten(item, limit, 1000)) is not None:
        item, count = found  # type: ignore[assignment]
        assert count > 0
        left -= count
        assert len(item.turns) == left >= 1
    assert left == 1
