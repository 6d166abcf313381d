"""LMSYS-Chat-1M and WildChat, Parquet or JSONL: `conversation` is a list of messages, and
everything about it (language, moderation, country, ...) becomes metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Conversation
from assize.formats.format import Format, Options
from assize.formats.logs.openai import messages
from assize.formats.messages import RoleNames, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample


def _conversation(row: Row, mark: str, names: RoleNames) -> Conversation:
    fields = object_at(row.value, "")
    model = fields.get("model")
    used = {mark, "conversation"} | ({"model"} if isinstance(model, str) else set())
    return Conversation(
        record_id(row, fields.get(mark)),
        tuple(messages(_without_nulls(fields.get("conversation")), "conversation", names)),
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


def _format(name: str, summary: str, mark: str) -> Format:
    """The format of rows with a `conversation` of messages, whose id stands under `mark`."""

    def recognise(sample: Sample) -> bool:
        said = sample.first.get("conversation")
        first = said[0] if isinstance(said, list) and said else {}
        return sample.has(mark) and isinstance(first, dict) and {"role", "content"} <= set(first)

    def read(row: Row, options: Options) -> Iterable[Record]:
        yield _conversation(row, mark, options.roles)

    return Format(name=name, summary=summary, recognise=recognise, parse=read)


LMSYS = _format("lmsys", "LMSYS-Chat-1M, Parquet or JSONL", "conversation_id")
WILDCHAT = _format("wildchat", "WildChat, Parquet or JSONL", "conversation_hash")
