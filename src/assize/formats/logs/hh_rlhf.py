"""Anthropic's hh-rlhf: two transcripts, `chosen` and `rejected`, of `Human:` and `Assistant:`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from assize.base.conversation import Pair, Role, Turn
from assize.base.errors import DataError, shorten
from assize.formats.format import Format, Options
from assize.formats.messages import common_start, object_at, record_id, split_metadata, text_at
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

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
    metadata, extra = split_metadata(fields, {"id", "chosen", "rejected"})
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
        raise DataError(
            f"received {shorten(text)}; a transcript begins with `Human:` or `Assistant:`",
            field=field,
        )
    said = zip(parts[::2], parts[1::2], strict=True)
    return tuple(Turn(_ROLES[name], words) for name, words in said)


HH_RLHF = Format(
    name="hh-rlhf",
    summary="Anthropic's hh-rlhf: transcripts chosen and rejected",
    recognise=recognise,
    parse=read,
)
