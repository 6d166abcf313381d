"""Prompt and completion, as TRL's supervised fine-tuning takes them: messages, or texts.

{"prompt": [{"role": "user", "content": "..."}],
 "completion": [{"role": "assistant", "content": "..."}]}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assize.base.conversation import Continuation, Turn
from assize.base.errors import DataError, shorten
from assize.formats.chat_messages import read_messages
from assize.formats.format import Format, Options
from assize.formats.messages import RoleNames, object_at, only, record_id, split_metadata
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_USED = {"id", "prompt", "completion", "conversation"}


def recognise(sample: Sample) -> bool:
    """Whether the first row has a prompt and a completion, and nothing that is preferred."""
    first = sample.first
    told = (first.get("prompt"), first.get("completion"))
    return all(isinstance(one, str | list) for one in told) and "chosen" not in first


def read(row: Row, options: Options) -> Iterable[Record]:
    """A continuation whose reference is the completion; its candidate is empty."""
    fields = object_at(row.value, "")
    context = _turns(fields.get("prompt"), "prompt", "user", options.roles)
    said = _turns(fields.get("completion"), "completion", "assistant", options.roles)
    if len(said) != 1 or said[0].role != "assistant":
        by = " and ".join(turn.role for turn in said)
        raise DataError(
            f"received what {by} said; expected one message, by the assistant", field="completion"
        )
    conversation = fields.get("conversation")
    metadata, extra = split_metadata(fields, _USED)
    yield Continuation(
        record_id(row, fields.get("id")),
        context,
        candidate="",
        references=(said[0].text,),
        conversation=conversation if isinstance(conversation, str) and conversation else None,
        turn=len(context),
        metadata=metadata,
        extra=extra,
    )


def _turns(value: Any, field: str, role: Any, names: RoleNames) -> tuple[Turn, ...]:
    if isinstance(value, str):
        return (Turn(role, value),)
    if isinstance(value, list):
        return tuple(read_messages(value, field, names))
    raise DataError(f"received {shorten(value)}; expected text or a list of messages", field=field)


def rows_of(record: Continuation) -> Iterable[dict[str, Any]]:
    """A row a reference that holds text; messages have role and content alone, so that all rows
    have the same columns."""
    prompt = [{"role": turn.role, "content": turn.text} for turn in record.context]
    for text in record.references:
        if text.strip():
            yield {
                "prompt": prompt,
                "completion": [{"role": "assistant", "content": text}],
                "id": record.id,
                "conversation": record.conversation or "",
            }


def write(record: Record) -> Iterable[Any]:
    """A row a reference."""
    record = only(record, Continuation, "prompt-completion holds continuations: cut first")
    rows = list(rows_of(record)) if record.context else []
    if not rows:
        missing = "reference" if record.context else "context"
        raise DataError(f"there is no {missing}, so no prompt with a completion", field=missing)
    return rows


PROMPT_COMPLETION = Format(
    name="prompt-completion",
    summary="prompt and completion for supervised fine-tuning, as TRL has them",
    recognise=recognise,
    parse=read,
    unparse=write,
)
