"""ShareGPT: `{"id", "conversations": [{"from": "human|gpt|system", "value"}]}`.

Preference pairs, as WildFeedback and LLaMA-Factory write them, have `chosen` and `rejected`
beside it, each one message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from assize.base.conversation import Conversation, Pair, Role, Turn
from assize.formats.format import Format, Options
from assize.formats.messages import (
    NO_NAMES,
    RoleNames,
    add_extra,
    list_at,
    message_fields,
    object_at,
    only,
    record_id,
    role_name,
    split_metadata,
    text_at,
    turn,
)
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_USUAL: dict[Role, str] = {
    "user": "human",
    "assistant": "gpt",
    "system": "system",
    "tool": "tool",
}


def recognise(sample: Sample) -> bool:
    """Whether the first row has `conversations` of `from` and `value`."""
    said = sample.first.get("conversations")
    first = said[0] if isinstance(said, list) and said else None
    return isinstance(first, dict) and {"from", "value"} <= set(first)


def read(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row; a `system` text beside it is its first turn."""
    fields = object_at(row.value, "")
    model, prompt = fields.get("model"), fields.get("system")
    used = {"id", "conversations"} | {
        name for name in ("model", "system") if isinstance(fields.get(name), str)
    }
    metadata, extra = split_metadata(fields, used)
    # An empty `system` is how this format says that there is none.
    preamble = (Turn("system", prompt),) if isinstance(prompt, str) and prompt else ()
    yield Conversation(
        record_id(row, fields.get("id")),
        (*preamble, *turns(fields.get("conversations"), "conversations", options.roles)),
        system=model if isinstance(model, str) else None,
        metadata=metadata,
        extra=extra,
    )


def turns(values: Any, field: str, names: RoleNames = NO_NAMES) -> Iterator[Turn]:
    """The turns of a list of messages; raises DataError naming the field."""
    for index, value in enumerate(list_at(values, field)):
        place = f"{field}[{index}]"
        message = object_at(value, place)
        text = text_at(message.get("value"), f"{place}.value")
        rest = {key: part for key, part in message.items() if key not in ("from", "value")}
        yield turn(message.get("from"), text, rest, f"{place}.from", set(_USUAL.values()), names)


def write(record: Record) -> Iterable[Any]:
    """One conversation a row."""
    record = only(record, Conversation, "sharegpt holds conversations: write another format")
    row: dict[str, Any] = {"id": record.id}
    if record.system is not None:
        row["model"] = record.system
    row["conversations"] = [
        {"from": role_name(one, _USUAL), "value": one.text} | message_fields(one)
        for one in record.turns
    ]
    yield add_extra(row, record)


SHAREGPT = Format(
    name="sharegpt",
    summary="ShareGPT conversations: from and value",
    recognise=recognise,
    parse=read,
    unparse=write,
)


_SIDES = ("chosen", "rejected")


def recognise_pairs(sample: Sample) -> bool:
    """Whether the first row has `conversations` and two messages beside them."""
    sides = [sample.first.get(side) for side in _SIDES]
    return recognise(sample) and all(
        isinstance(side, dict) and {"from", "value"} <= set(side) for side in sides
    )


def read_pairs(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row, `chosen` being A and gold."""
    fields = object_at(row.value, "")
    metadata, extra = split_metadata(fields, {"id", "conversations", *_SIDES})
    yield Pair(
        record_id(row, fields.get("id")),
        context=tuple(turns(fields.get("conversations"), "conversations", options.roles)),
        a=_side(fields, "chosen", options.roles),
        b=_side(fields, "rejected", options.roles),
        gold="A",
        metadata=metadata,
        extra=extra,
    )


def _side(fields: dict[str, Any], side: str, names: RoleNames) -> tuple[Turn, ...]:
    return tuple(turns([object_at(fields.get(side), side)], side, names))


SHAREGPT_PAIRS = Format(
    name="sharegpt-pairs",
    summary="ShareGPT preference pairs: conversations, chosen, rejected",
    recognise=recognise_pairs,
    parse=read_pairs,
)
