"""Half characters become U+FFFD wherever they stand."""

from __future__ import annotations

from assize.base.conversation import Conversation, Turn
from assize.base.whole_text import replace_halves


def test_texts_in_lists_objects_and_records_lose_their_halves() -> None:
    record = Conversation("c", (Turn("user", "a\ud800"),), metadata={"\udfff": ["x\ud800", 1]})
    whole = Conversation("c", (Turn("user", "a\ufffd"),), metadata={"\ufffd": ["x\ufffd", 1]})
    assert replace_halves(record) == whole
    assert replace_halves("😀") == "😀"
