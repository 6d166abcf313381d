from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.formats import read
from assize.judging.session import Session
from assize.simulate import Scrub
from assize.simulate._chats import Chats, read_chats

CHAT = Conversation("c", (Turn("user", "Mail me: a@b.org"), Turn("assistant", "So be it.")))


def chats(items: list[Any], folder: Path, *, dry: bool = False, **more: Any) -> Chats:
    return read_chats(Session(read(items), [], folder), folder, more.get("scrub"), dry=dry)


def test_what_is_no_conversation_is_counted(tmp_path: Path) -> None:
    found = chats([CHAT, Pair("p", CHAT.turns, CHAT.turns, CHAT.turns)], tmp_path)
    assert (list(found.chats), found.others, found.scrubbed, found.settings) == (
        [CHAT],
        1,
        None,
        {},
    )


def test_texts_are_scrubbed_and_the_mapping_is_written_unless_it_is_an_estimate(
    tmp_path: Path,
) -> None:
    for dry in (True, False):
        found = chats([CHAT], tmp_path, dry=dry, scrub=Scrub())
        assert found.chats[0].turns[0].text == "Mail me: [MAIL 1]"
        assert (found.scrubbed, list(found.settings)) == ({"MAIL": 1}, ["scrub"])
        assert (tmp_path / "scrubbed.json").exists() is not dry


@pytest.mark.parametrize(
    ("items", "problem"),
    [
        ([Pair("p", (), CHAT.turns, CHAT.turns)], "there is no conversation among the items"),
        ([CHAT, CHAT], "1 ids stand there more than once, the first 'c'"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(
    items: list[Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=problem):
        chats(items, tmp_path)
