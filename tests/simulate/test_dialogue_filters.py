from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Conversation, Role, Turn
from assize.simulate._dialogue_filters import (
    JARGON,
    TRIVIAL,
    exchanges,
    has_trivial_turn,
    is_trivial,
    names_any,
    takes_turns,
    tokens,
    trivial_utterances,
)

ROLES: dict[str, Role] = {"u": "user", "a": "assistant", "s": "system", "t": "tool"}


def chat(shape: str, *texts: str) -> Conversation:
    said = [*texts, *["Tell me more."] * (len(shape) - len(texts))]
    return Conversation(
        "c", tuple(Turn(ROLES[one], text) for one, text in zip(shape, said, strict=True))
    )


@pytest.mark.parametrize(
    ("shape", "count"),
    [("", 0), ("u", 0), ("a", 0), ("ua", 1), ("suaua", 2), ("uaa", 1), ("uuaua", 2), ("utaua", 2)],
)
def test_an_exchange_is_a_turn_of_the_user_that_is_answered(shape: str, count: int) -> None:
    assert exchanges(chat(shape).turns) == count


@pytest.mark.parametrize(
    ("shape", "well"),
    [
        ("ua", True),
        ("suaua", True),
        ("u", False),
        ("au", False),
        ("uua", False),
        ("uta", False),
        ("uas", False),
        ("s", False),
    ],
)
def test_speakers_must_take_turns(shape: str, well: bool) -> None:
    assert takes_turns(chat(shape)) is well


def test_an_empty_turn_is_no_turn() -> None:
    assert not takes_turns(chat("uaua", "Hi", "Hello", "  "))


@pytest.mark.parametrize(
    ("text", "trivial"),
    [
        ("Hi", True),
        ("hello!!", True),
        ("Thank you so much :)", True),
        ("Sorry, I'm sorry", True),
        ("OK, thanks. Bye!", True),
        ("…", True),
        ("👍", True),
        ("I’m sorry", True),
        ("你好", True),
        ("谢谢你！再见", True),
        ("Hi there, how are you doing?", True),
        ("Hi, can I ask a question?", False),
        ("Thank you for the recipe", False),
        ("Sorryless", False),
        ("Thanks to whom?", False),
        ("你好吗，天气怎么样", False),
        ("Say sorry to Ann", False),
        ("7", False),
    ],
)
def test_only_what_greets_thanks_or_apologises_alone_is_trivial(text: str, trivial: bool) -> None:
    assert is_trivial(text) is trivial


@given(st.lists(st.sampled_from(sorted(trivial_utterances())), min_size=1, max_size=4))
def test_any_chain_of_the_list_is_trivial_and_one_more_word_makes_it_not(
    chain: list[tuple[str, ...]],
) -> None:
    text = ", ".join(" ".join(one) for one in chain)
    assert is_trivial(text)
    assert not is_trivial(f"{text} zebra")


def test_the_list_holds_no_line_without_words_and_none_twice() -> None:
    lines = [one for one in TRIVIAL.read_text().splitlines() if not one.startswith("#")]
    assert all(tokens(one) for one in lines)
    assert len(trivial_utterances()) == len(lines)


def test_only_the_user_s_turns_count() -> None:
    assert has_trivial_turn(chat("uaua", "How old is Rome?", "Old.", "Thanks!").turns)
    assert not has_trivial_turn(chat("ua", "How old is Rome?", "Thanks!").turns)


def test_words_to_leave_out_are_whole_words_in_any_case() -> None:
    turns = chat("ua", "What is a Kubernetes pod?", "A group of containers.").turns
    assert names_any(turns, ["kubernetes"])
    assert names_any(turns, ["zzz", "group of Containers"])
    assert not names_any(turns, ["contain", "pod a"])
    assert not names_any(turns, ["", "?"])


SPECIALIST = (
    "Explain the TCP three-way handshake.",
    "How does DNS resolve a name?",
    "My Kubernetes pod keeps restarting.",
    "What does a p-value of 0.03 mean?",
    "Compute the eigenvectors of this matrix.",
    "Why is the GPU out of memory?",
    "Describe the pharmacokinetics of ibuprofen.",
    "How do I undo a merge conflict?",
    "What is quantum mechanics about?",
    "Write a unit test for this class.",
    "Is SHA-256 safe?",
    "What is EBITDA?",
)
EVERYDAY = (
    "How long do eggs boil?",
    "My sister is moving to Lisbon and needs a flat.",
    "Recommend a film about friendship.",
    "We shook hands and signed the contract.",
    "The bus was late again, can I complain?",
    "My internet is slow, who should I call?",
    "Plan a birthday party for a six-year-old.",
    "I have a headache, should I see a doctor?",
)


def test_the_shipped_words_tell_specialists_talk_from_everyday_talk() -> None:
    words = [one for one in JARGON.read_text().splitlines() if not one.startswith("#")]
    found = [one for one in (*SPECIALIST, *EVERYDAY) if names_any([Turn("user", one)], words)]
    assert found == list(SPECIALIST)
