"""A sample: the same conversations each time, from every stratum."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.versions.two_versions import chat

from assize.formats.sampling import _shares, draw_sample

CHATS = [chat("old", number) for number in range(100)]
LANG = {one.id: str(one.metadata["lang"]) for one in CHATS}


def test_prompts_decide_and_not_ids_or_places() -> None:
    first = draw_sample(CHATS, 20)
    other = [replace(chat("new", number), id=f"n{99 - number}") for number in reversed(range(100))]
    prompts = {one.turns[0].text for one in first}
    assert {one.turns[0].text for one in draw_sample(other, 20)} == prompts
    assert {one.turns[0].text for one in draw_sample(CHATS, 20, seed=1)} != prompts
    assert [CHATS.index(one) for one in first] == sorted(CHATS.index(one) for one in first)


def test_a_longer_file_keeps_most() -> None:
    more = [*CHATS, *(chat("old", number) for number in range(100, 110))]
    kept = {one.id for one in draw_sample(CHATS, 20)} & {one.id for one in draw_sample(more, 20)}
    assert len(kept) >= 15


def test_strata_have_their_share() -> None:
    found = [LANG[one.id] for one in draw_sample(CHATS, 30, strata=LANG)]
    assert (found.count("de"), found.count("en")) == (10, 20)


@given(st.dictionaries(st.text(max_size=2), st.integers(1, 40), min_size=1), st.integers(1, 60))
def test_shares_add_up_and_take_no_more_than_there_is(sizes: dict[str, int], count: int) -> None:
    found = _shares(sizes, count)
    assert sum(found.values()) == min(count, sum(sizes.values()))
    assert all(0 <= found[name] <= sizes[name] for name in sizes)
    if count >= len(sizes):
        assert min(found.values()) >= 1
