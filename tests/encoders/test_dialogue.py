from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import DataError
from assize.encoders.dialogue import alternating, turns_in, written

TURNS = st.lists(
    st.tuples(
        st.sampled_from(["user", "assistant", "system", "tool"]),
        st.text(alphabet="a:\n \ruser", max_size=12),
    )
)


@given(TURNS)
def test_what_was_written_is_read_back(turns: list[tuple[str, str]]) -> None:
    assert turns_in(written(turns)) == turns


@given(TURNS)
def test_turns_alternate_from_the_user_and_nothing_is_lost(turns: list[tuple[str, str]]) -> None:
    spoken = [(role, text) for role, text in turns if role in ("user", "assistant")]
    runs = [
        (role, "\n\n".join(text for _, text in run))
        for role, run in groupby(spoken, key=lambda one: one[0])
    ]
    opened = [("user", "")] if runs and runs[0][0] == "assistant" else []
    found = alternating(spoken)
    assert found == opened + runs
    assert [role for role, _ in found] == (["user", "assistant"] * len(found))[: len(found)]


@pytest.mark.parametrize("text", ["hello", "user:hello", "user: a\nhello", ": a"])
def test_a_text_that_is_no_dialogue_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="is no turn of one"):
        turns_in(text)
