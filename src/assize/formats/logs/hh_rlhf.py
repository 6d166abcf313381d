"""Anthropic's hh-rlhf: two transcripts, `chosen` and `rejected`, of `Human:` and `Assistant:`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from assize.conversation import Pair, Role, Turn
from assize.errors import DataError
from assize.formats.format import Format, Options
from assize.formats.messages import (
    beside,
    common_start,
    object_at,
    only,
    preferred,
    record_id,
    shown,
    spoken,
    text_at,
    with_rest,
)
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_NAMES: dict[Role, str] = {"user": "Human", "assistant": "Assistant"}
_ROLES: dict[str, Role] = {"Human": "user", "Assistant": "assistant"}
_SPEAKER = re.compile(r"(?:^|\n\n)(Human|Assistant): ?")


def recognise(sample: Sample) -> bool:
    """Whether both sides of the first row are transcripts."""
    return all(is_transcript(sample.first.get(side)) for side in ("chosen", "rejected"))


def is_transcript(text: Any) -> bool:
    """Whether a text begins with the name of a speaker."""
    return isinstance(text, str) and _SPEAKER.match(text.lstrip("\n")) is not None


def read(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row: the turns that both share are the context, `chosen` is A and gold."""
    fields = object_at(row.value, "")
    a, b = (transcript(text_at(fields.get(side), side), side) for side in ("chosen", "rejected"))
    shared = common_start(a, b)
    metadata, extra = beside(fields, {"id", "chosen", "rejected"})
    yield Pair(
        record_id(row, fields.get("id")),
        context=a[:shared],
        a=a[shared:],
        b=b[shared:],
        gold="A",
        metadata=metadata,
        extra=extra,
    )


def transcript(text: str, field: str) -> tuple[Turn, ...]:
    """The turns of a transcript.

    >>> [turn.text for turn in transcript("Human: Hi\\n\\nAssistant: Hello!", "chosen")]
    ['Hi', 'Hello!']
    """
    lead, *parts = _SPEAKER.split(text)
    if lead.strip() or not parts:
        problem = f"received {shown(text)}; a transcript begins with `Human:` or `Assistant:`"
        raise DataError(problem, field=field)
    said = zip(parts[::2], parts[1::2], strict=True)
    return tuple(Turn(_ROLES[name], words) for name, words in said)


def write(record: Record) -> Iterable[Any]:
    """One pair a row, the preferred side as `chosen`."""
    record = only(record, Pair, "hh-rlhf holds pairs: write another format")
    best = preferred(record.gold, "hh-rlhf")
    sides = (record.a, record.b) if best == "A" else (record.b, record.a)
    chosen, rejected = (_transcript(record.context + side) for side in sides)
    row: dict[str, Any] = {"id": record.id, "chosen": chosen, "rejected": rejected}
    yield with_rest(row, record)


def _transcript(turns: Sequence[Turn]) -> str:
    spoken(turns, _NAMES, "hh-rlhf")
    text = "".join(f"\n\n{_NAMES[turn.role]}: {turn.text}" for turn in turns)
    if [turn.text for turn in transcript(text, "")] != [turn.text for turn in turns]:
        raise DataError("a turn holds a line that begins like a speaker, `Human:`", field="turns")
    return text


HH_RLHF = Format(
    name="hh-rlhf",
    summary="Anthropic's hh-rlhf: transcripts chosen and rejected",
    recognise=recognise,
    parse=read,
    unparse=write,
)
