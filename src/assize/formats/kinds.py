"""The kinds of records, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.judgment import Judgment
from assize.formats.records import Record

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable

KINDS: Mapping[type, str] = {
    Conversation: "conversations",
    Pair: "pairs",
    Continuation: "continuations",
    Judgment: "judgments",
}


def is_table(value: object) -> TypeGuard[JudgmentTable]:
    """Whether this is a table of judgments; told by its fields, for pyarrow need not be loaded."""
    return hasattr(value, "arrow") and hasattr(value, "inferred")


def is_items(value: object) -> bool:
    """Whether this is what `read` gives; told by its attributes, for `Items` stands on this."""
    return hasattr(value, "rejects") and hasattr(value, "records")


def kind_of(record: Record) -> str:
    """The word for the record's kind: conversations, pairs, continuations or judgments."""
    return KINDS[type(record)]


def counted(count: int, kind: str) -> str:
    """A count with the word for it.

    >>> counted(1, "pairs"), counted(32210, "judgments")
    ('1 pair', '32,210 judgments')
    """
    return f"{count:,} {kind[:-1] if count == 1 else kind}"
