"""ShareGPT preference pairs: `conversations`, then `chosen` and `rejected`, each one message.

WildFeedback and LLaMA-Factory write them so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assize.conversation import Pair, Turn
from assize.formats.format import Format, Options
from assize.formats.logs import sharegpt
from assize.formats.messages import beside, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_SIDES = ("chosen", "rejected")


def recognise(sample: Sample) -> bool:
    """Whether the first row has `conversations` and two messages beside them."""
    sides = [sample.first.get(side) for side in _SIDES]
    return sharegpt.recognise(sample) and all(
        isinstance(side, dict) and {"from", "value"} <= set(side) for side in sides
    )


def read(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row, `chosen` being A and gold."""
    fields = object_at(row.value, "")
    metadata, extra = beside(fields, {"id", "conversations", *_SIDES})
    yield Pair(
        record_id(row, fields.get("id")),
        context=tuple(sharegpt.turns(fields.get("conversations"), "conversations")),
        a=_side(fields, "chosen"),
        b=_side(fields, "rejected"),
        gold="A",
        metadata=metadata,
        extra=extra,
    )


def _side(fields: dict[str, Any], side: str) -> tuple[Turn, ...]:
    return tuple(sharegpt.turns([object_at(fields.get(side), side)], side))


SHAREGPT_PAIRS = Format(
    name="sharegpt-pairs",
    summary="ShareGPT preference pairs: conversations, chosen, rejected",
    recognise=recognise,
    parse=read,
)
