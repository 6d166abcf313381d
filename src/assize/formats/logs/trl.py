"""TRL preference records: `prompt` (text or messages, or none), `chosen`, `rejected`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assize.base.conversation import Pair, Turn
from assize.base.errors import DataError, shorten
from assize.formats.chat_messages import read_messages
from assize.formats.format import Format, Options
from assize.formats.logs.chat import openai_message
from assize.formats.logs.hh_rlhf import is_transcript
from assize.formats.messages import (
    RoleNames,
    add_extra,
    common_start,
    object_at,
    only,
    preferred,
    record_id,
    split_metadata,
)
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_IDS = ("id", "prompt_id")


def recognise(sample: Sample) -> bool:
    """Whether the first row has `chosen` and `rejected` texts or messages."""
    sides = [sample.first.get(side) for side in ("chosen", "rejected")]
    told = "turns" in sample.first or "prompt_turns" in sample.first
    return (
        not told
        and all(isinstance(side, list | str) for side in sides)
        and not all(map(is_transcript, sides))
    )


def read(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row, `chosen` being A and gold.

    Where both sides hold the prompt, because there is none or because they repeat it,
    the turns that they share are the context.
    """
    fields = object_at(row.value, "")
    prompt = _prompt(fields.get("prompt"), options.roles)
    a, b = (_side(fields.get(side), side, options.roles) for side in ("chosen", "rejected"))
    if prompt and all(side[: len(prompt)] == prompt and len(side) > len(prompt) for side in (a, b)):
        prompt = ()
    shared = 0 if prompt else common_start(a, b)
    name = next((key for key in _IDS if fields.get(key) is not None), None)
    metadata, extra = split_metadata(fields, {name, "prompt", "chosen", "rejected"})
    yield Pair(
        record_id(row, None if name is None else fields[name]),
        context=prompt or a[:shared],
        a=a[shared:],
        b=b[shared:],
        gold="A",
        metadata=metadata,
        extra=extra,
    )


def _prompt(value: Any, names: RoleNames) -> tuple[Turn, ...]:
    if value is None or value == [] or value == "":
        return ()
    if isinstance(value, str):
        return (Turn("user", value),)
    return tuple(read_messages(value, "prompt", names))


def _side(value: Any, field: str, names: RoleNames) -> tuple[Turn, ...]:
    if isinstance(value, str):
        return (Turn("assistant", value),)
    if isinstance(value, list):
        return tuple(read_messages(value, field, names))
    raise DataError(f"received {shorten(value)}; expected text or a list of messages", field=field)


def write(record: Record) -> Iterable[Any]:
    """One pair a row as messages, the preferred side as `chosen`, the context as `prompt`."""
    record = only(record, Pair, "trl holds pairs: write another format")
    best = preferred(record.gold, "trl")
    chosen, rejected = (record.a, record.b) if best == "A" else (record.b, record.a)
    row: dict[str, Any] = {"id": record.id}
    if record.context:
        row["prompt"] = [openai_message(turn) for turn in record.context]
    row["chosen"] = [openai_message(turn) for turn in chosen]
    row["rejected"] = [openai_message(turn) for turn in rejected]
    yield add_extra(row, record)


TRL = Format(
    name="trl",
    summary="TRL preference records: prompt, chosen, rejected",
    recognise=recognise,
    parse=read,
    unparse=write,
)
