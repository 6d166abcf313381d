"""LMSYS-Chat-1M and WildChat, Parquet or JSONL: `conversation` is a list of messages, and
everything about it (language, moderation, country, ...) becomes metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.conversation import Conversation
from assize.formats.format import Format, Options
from assize.formats.logs.openai import messages
from assize.formats.messages import object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_LMSYS_ID, _WILDCHAT_ID = "conversation_id", "conversation_hash"


def _recognise(sample: Sample, mark: str) -> bool:
    said = sample.first.get("conversation")
    first = said[0] if isinstance(said, list) and said else None
    return mark in sample.first and isinstance(first, dict) and {"role", "content"} <= set(first)


def _conversation(row: Row, mark: str) -> Conversation:
    fields = object_at(row.value, "")
    model = fields.get("model")
    used = {mark, "conversation"} | ({"model"} if isinstance(model, str) else set())
    return Conversation(
        record_id(row, fields.get(mark)),
        tuple(messages(_without_nulls(fields.get("conversation")), "conversation")),
        system=model if isinstance(model, str) else None,
        metadata={key: value for key, value in fields.items() if key not in used},
    )


def _without_nulls(said: Any) -> Any:
    """Messages without the fields that only stand there because a table has columns."""
    if not isinstance(said, list):
        return said
    return [
        {key: value for key, value in one.items() if value is not None or key == "content"}
        if isinstance(one, Mapping)
        else one
        for one in said
    ]


def recognise_lmsys(sample: Sample) -> bool:
    """Whether the first row has a `conversation` and a `conversation_id`."""
    return _recognise(sample, _LMSYS_ID)


def recognise_wildchat(sample: Sample) -> bool:
    """Whether the first row has a `conversation` and a `conversation_hash`."""
    return _recognise(sample, _WILDCHAT_ID)


def read_lmsys(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row; the model is its system."""
    yield _conversation(row, _LMSYS_ID)


def read_wildchat(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row; the model is its system."""
    yield _conversation(row, _WILDCHAT_ID)


LMSYS = Format(
    name="lmsys",
    summary="LMSYS-Chat-1M, Parquet or JSONL",
    recognise=recognise_lmsys,
    parse=read_lmsys,
)

WILDCHAT = Format(
    name="wildchat",
    summary="WildChat, Parquet or JSONL",
    recognise=recognise_wildchat,
    parse=read_wildchat,
)
