"""Conversations and their labels."""

from __future__ import annotations

import logging
from typing import Any

import criteria_taught as taught
import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.criteria._labelled_items import labelled_items

LABEL = "thumbs:up=1,down=0"
CHATS = taught.taught(6)
PAIR = Pair("p", (), (Turn("user", "a"),), (Turn("user", "b"),))


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


def test_what_is_no_conversation_may_be_passed_over() -> None:
    assert len(labelled_items([*CHATS, PAIR, CHATS[0]], LABEL, skip=True)) == 6


@pytest.mark.parametrize(
    ("items", "label", "error", "message"),
    [
        ([*CHATS, PAIR], LABEL, DataError, "p: criteria are learnt from conversations"),
        ([*CHATS, CHATS[0]], LABEL, DataError, r"c0: .* its id was seen before"),
        (
            [*CHATS, Conversation("empty", ())],
            LABEL,
            DataError,
            "empty: .* conversations with turns",
        ),
        (CHATS, "stars:5=1,1=0", DataError, "stars"),
        ([], LABEL, DataError, "there is no conversation"),
        *(
            (CHATS, wrong, ConfigError, f"label '{wrong}'")
            for wrong in ("thumbs:up", ":up=1", "thumbs:up=2")
        ),
    ],
)
def test_items_and_labels_that_do_not_fit_are_refused(
    items: list[Any], label: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        labelled_items(items, label)
