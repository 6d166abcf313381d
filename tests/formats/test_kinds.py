"""Kinds of records, in words."""

from __future__ import annotations

import pytest

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats import Record
from assize.formats.kinds import counted, is_table, kind_of
from assize.judgments import JudgmentTable

TURNS = (Turn("user", "hi"),)
JUDGMENT = Judgment("i", "j", "q", answer="1")


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (Conversation("c", TURNS), "conversations"),
        (Pair("p", (), TURNS, TURNS), "pairs"),
        (Continuation("k", TURNS, "well"), "continuations"),
        (JUDGMENT, "judgments"),
    ],
)
def test_a_record_s_kind_is_the_word_for_many_of_it(record: Record, kind: str) -> None:
    assert kind_of(record) == kind


def test_only_a_table_of_judgments_is_one() -> None:
    assert is_table(JudgmentTable.of([JUDGMENT]))
    assert not is_table(JUDGMENT)
    assert not is_table([JUDGMENT])


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 pairs"), (1, "1 pair"), (2, "2 pairs"), (9876, "9,876 pairs")]
)
def test_one_record_is_counted_in_the_singular(count: int, words: str) -> None:
    assert counted(count, "pairs") == words
