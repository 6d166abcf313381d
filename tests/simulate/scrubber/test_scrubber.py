from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Continuation, Conversation, Pair, Reference, ToolCall, Turn
from assize.base.errors import DataError
from assize.simulate._scrubber.scrubber import Scrubber, read_mapping, scrubber_in

CHAT = Conversation(
    "c",
    (
        Turn("user", "I'm Anna Nowak, anna@x.org."),
        Turn(
            "assistant",
            "Dear Nowak, see [NAME 1].",
            (Reference("1", "Anna", "call 0171 5551234"),),
            tool_calls=(ToolCall("t", "find", {"mail": ["anna@x.org"], "n": 3}),),
        ),
    ),
)


def test_one_value_has_one_placeholder_in_all_that_a_scrubber_sees() -> None:
    scrubber = Scrubber()
    clean = scrubber.conversation(CHAT)
    first, second = clean.turns
    assert first.text == "I'm [NAME 1], [MAIL 1]."
    assert second.text == "Dear [NAME 2], see [LITERAL 1]."
    assert second.references[0].text == "call [PHONE 1]"
    assert second.tool_calls[0].arguments == {"mail": ["[MAIL 1]"], "n": 3}
    again = scrubber.texts(["anna@x.org, Anna Nowak and Anna"])
    assert again == ["[MAIL 1], [NAME 1] and [NAME 3]"]
    assert scrubber.counts["MAIL"] == 3


def test_pairs_and_continuations_are_scrubbed_as_one_conversation() -> None:
    scrubber = Scrubber()
    pair = scrubber.item(
        Pair("p", CHAT.turns[:1], (Turn("assistant", "Hi Nowak"),), (Turn("assistant", "Bye"),))
    )
    assert isinstance(pair, Pair)
    assert (pair.context[0].text, pair.a[0].text) == ("I'm [NAME 1], [MAIL 1].", "Hi [NAME 2]")
    one = scrubber.item(Continuation("k", CHAT.turns[:1], "Hi Nowak", ("anna@x.org",)))
    assert isinstance(one, Continuation)
    assert (one.candidate, one.references) == ("Hi [NAME 2]", ("[MAIL 1]",))


@given(st.lists(st.text(alphabet="Ann aBob@x.org 0123456789[NAME]-:'", max_size=50), max_size=4))
def test_whatever_is_taken_out_goes_back_in(texts: list[str]) -> None:
    scrubber = Scrubber(terms=["bob"])
    assert [scrubber.restored(one) for one in scrubber.texts(texts)] == texts


def test_terms_of_one_s_own_are_taken_in_any_case() -> None:
    scrubber = Scrubber(terms=["Project Falcon", "falcon"])
    assert scrubber.texts(["project falcon, Falcon, falconry"]) == ["[TERM 1], [TERM 2], falconry"]


def test_the_mapping_is_the_owner_s_alone_and_goes_on(tmp_path: Path) -> None:
    scrubber = scrubber_in(tmp_path)
    scrubber.texts(["anna@x.org"])
    scrubber.save(tmp_path / "scrubbed.json")
    assert stat.S_IMODE((tmp_path / "scrubbed.json").stat().st_mode) == 0o600
    again = scrubber_in(tmp_path)
    assert again.texts(["bob@x.org, anna@x.org"]) == ["[MAIL 2], [MAIL 1]"]
    again.save(tmp_path / "scrubbed.json")
    assert stat.S_IMODE((tmp_path / "scrubbed.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["nothing", "[]", '{"x": "y"}', '{"[NAME 1]": 1}'])
def test_another_file_is_no_mapping(content: str, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(content)
    with pytest.raises(DataError, match=r"scrubbed\.json"):
        read_mapping(path)
