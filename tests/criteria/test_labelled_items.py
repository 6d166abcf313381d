"""Conversations and their labels."""

from __future__ import annotations

import logging

import criteria_taught as taught
import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.criteria._labelled_items import labelled_items

LABEL = "thumbs:up=1,down=0"
CHATS = taught.taught(6)


def test_a_field_of_the_metadata_is_the_label() -> None:
    found = labelled_items(CHATS, LABEL)
    assert [one.good for one in found] == [True, False] * 3
    assert [one.polarity for one in found[:2]] == ["sat", "dsat"]


def test_conversations_without_a_label_are_left_out_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "assize"):
        found = labelled_items(CHATS, {"c0": True, "c1": False, "elsewhere": True})
    assert [one.conversation.id for one in found] == ["c0", "c1"]
    assert "elsewhere" in caplog.text
    assert "4 without a label" in caplog.text


def test_what_is_no_conversation_is_an_error_or_passed_over() -> None:
    pair = Pair("p", (), (Turn("user", "a"),), (Turn("user", "b"),))
    with pytest.raises(DataError, match="p: criteria are learnt from conversations"):
        labelled_items([*CHATS, pair], LABEL)
    with pytest.raises(DataError, match=r"c0: .* its id was seen before"):
        labelled_items([*CHATS, CHATS[0]], LABEL)
    with pytest.raises(DataError, match="empty: criteria are learnt from conversations with turns"):
        labelled_items([*CHATS, Conversation("empty", ())], LABEL)
    assert len(labelled_items([*CHATS, pair, CHATS[0]], LABEL, skip=True)) == 6


def test_labels_that_do_not_fit_are_told_in_words() -> None:
    with pytest.raises(DataError, match="stars"):
        labelled_items(CHATS, "stars:5=1,1=0")
    with pytest.raises(DataError, match="there is no conversation"):
        labelled_items([], LABEL)
    for wrong in ("thumbs:up", ":up=1", "thumbs:up=2"):
        with pytest.raises(ConfigError):
            labelled_items(CHATS, wrong)
