"""Files that models are tuned on: ShareGPT, TRL's preferences and prompts, hh-rlhf's transcripts.

    {"id", "conversations": [{"from": "human|gpt|system", "value"}]}
    {"conversations": [...], "chosen": {"from", "value"}, "rejected": {"from", "value"}}
    {"prompt", "chosen", "rejected"}: texts or messages; the prompt may stand in both sides
    {"chosen", "rejected"}: transcripts of `Human:` and `Assistant:`
    {"prompt", "completion"}: texts or messages

Of pairs `chosen` is A and gold, and the turns that both sides share are the context.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from assize.base.conversation import Continuation, Conversation, Pair, Role, Turn
from assize.base.errors import DataError, shorten
from assize.formats.chat_messages import read_messages, read_turns
from assize.formats.format import Format, Options
from assize.formats.logs.chat import openai_message
from assize.formats.messages import (
    RoleNames,
    add_extra,
    common_start,
    list_at,
    message_fields,
    object_at,
    only,
    preferred,
    record_id,
    role_name,
    split_metadata,
    text_at,
)
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.transcripts import split_at_marks

_USUAL: dict[Role, str] = {
    "user": "human",
    "assistant": "gpt",
    "system": "system",
    "tool": "tool",
}
_SIDES = ("chosen", "rejected")
_SPEAKER = re.compile(r"(?:^|\n\n)(Human|Assistant): ?")


# --- ShareGPT ------------------------------------------------------------------------------------


def read_sharegpt(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row; a `system` text beside it is its first turn."""
    fields = object_at(row.value, "")
    texts = {
        name: fields[name] for name in ("model", "system") if isinstance(fields.get(name), str)
    }
    metadata, extra = split_metadata(fields, {"id", "conversations", *texts})
    # An empty `system` is how this format says that there is none.
    preamble = (Turn("system", texts["system"]),) if texts.get("system") else ()
    turns = _sharegpt_turns(fields.get("conversations"), "conversations", options.roles)
    name = record_id(row, fields.get("id"))
    yield Conversation(name, preamble + turns, texts.get("model"), metadata, extra)


def _sharegpt_turns(values: Any, place: str, names: RoleNames) -> tuple[Turn, ...]:
    messages = []
    for index, value in enumerate(list_at(values, place)):
        message = object_at(value, f"{place}[{index}]")
        text = text_at(message.get("value"), f"{place}[{index}].value")
        rest = {key: part for key, part in message.items() if key not in ("from", "value")}
        speakers = {name: role for role, name in _USUAL.items() if name not in names}
        name = message.get("from")
        role = speakers.get(name, name) if isinstance(name, str) else name
        messages.append({**rest, "role": role, "content": text})
    return tuple(read_messages(messages, place, names))


def write_sharegpt(record: Record) -> Iterable[Any]:
    """One conversation a row."""
    record = only(record, Conversation, "sharegpt holds conversations: write another format")
    row: dict[str, Any] = {"id": record.id}
    if record.system is not None:
        row["model"] = record.system
    row["conversations"] = [
        {"from": role_name(turn, _USUAL), "value": turn.text} | message_fields(turn)
        for turn in record.turns
    ]
    yield add_extra(row, record)


def _has_speakers(values: Any) -> bool:
    first = values[0] if isinstance(values, list) and values else None
    return isinstance(first, dict) and {"from", "value"} <= set(first)


SHAREGPT = Format(
    name="sharegpt",
    summary="ShareGPT conversations: from and value",
    recognise=lambda sample: _has_speakers(sample.first.get("conversations")),
    parse=read_sharegpt,
    unparse=write_sharegpt,
)


# --- pairs ---------------------------------------------------------------------------------------


def _read_pair(row: Row, prompt: Sequence[Turn], sides: Sequence[Sequence[Turn]]) -> Pair:
    """The pair of a row; the prompt may stand in both sides too."""
    (a, b), prompt = map(tuple, sides), tuple(prompt)
    if prompt and all(len(side) > len(prompt) and side[: len(prompt)] == prompt for side in (a, b)):
        prompt = ()
    shared = 0 if prompt else common_start(a, b)
    key = "prompt_id" if row.value.get("id") is None else "id"
    metadata, extra = split_metadata(row.value, {key, "conversations", "prompt", *_SIDES})
    return Pair(
        record_id(row, row.value.get(key)),
        prompt or a[:shared],
        a[shared:],
        b[shared:],
        gold="A",
        metadata=metadata,
        extra=extra,
    )


def read_sharegpt_pair(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row."""
    fields = object_at(row.value, "")
    prompt = _sharegpt_turns(fields.get("conversations"), "conversations", options.roles)
    sides = [
        _sharegpt_turns([object_at(fields.get(side), side)], side, options.roles) for side in _SIDES
    ]
    yield _read_pair(row, prompt, sides)


def read_trl(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row."""
    fields = object_at(row.value, "")
    prompt = fields.get("prompt")
    before = () if prompt in (None, "", []) else read_turns(prompt, "prompt", "user", options.roles)
    sides = [read_turns(fields.get(side), side, "assistant", options.roles) for side in _SIDES]
    yield _read_pair(row, before, sides)


def write_trl(record: Record) -> Iterable[Any]:
    """One pair a row as messages, the preferred side as `chosen`, the context as `prompt`."""
    record = only(record, Pair, "trl holds pairs: write another format")
    best = preferred(record.gold, "trl")
    chosen, rejected = (record.a, record.b) if best == "A" else (record.b, record.a)
    row: dict[str, Any] = {"id": record.id}
    for name, turns in (("prompt", record.context), ("chosen", chosen), ("rejected", rejected)):
        if turns:
            row[name] = [openai_message(turn) for turn in turns]
    yield add_extra(row, record)


def read_hh_rlhf(row: Row, options: Options) -> Iterable[Record]:
    """One pair a row."""
    fields = object_at(row.value, "")
    yield _read_pair(row, (), [read_transcript(fields.get(side), side) for side in _SIDES])


def read_transcript(value: Any, field: str) -> tuple[Turn, ...]:
    """The turns of a transcript.

    >>> [turn.text for turn in read_transcript("Human: Hi\\n\\nAssistant: Hello!", "chosen")]
    ['Hi', 'Hello!']
    """
    parts = split_at_marks(text_at(value, field), _SPEAKER)
    if not parts:
        problem = f"received {shorten(value)}; a transcript begins with `Human:` or `Assistant:`"
        raise DataError(problem, field=field)
    return tuple(Turn("user" if mark[1] == "Human" else "assistant", text) for mark, text in parts)


def _is_transcript(text: Any) -> bool:
    return isinstance(text, str) and _SPEAKER.match(text.lstrip("\n")) is not None


def _is_trl(sample: Sample) -> bool:
    sides = [sample.first.get(side) for side in _SIDES]
    other = {"turns", "prompt_turns"} & sample.first.keys()
    messages = all(isinstance(side, list | str) for side in sides)
    return messages and not other and not all(map(_is_transcript, sides))


SHAREGPT_PAIRS = Format(
    name="sharegpt-pairs",
    summary="ShareGPT preference pairs: conversations, chosen, rejected",
    recognise=lambda sample: all(
        _has_speakers(messages)
        for messages in (
            sample.first.get("conversations"),
            *([sample.first.get(side)] for side in _SIDES),
        )
    ),
    parse=read_sharegpt_pair,
)
TRL = Format(
    name="trl",
    summary="TRL preference records: prompt, chosen, rejected",
    recognise=_is_trl,
    parse=read_trl,
    unparse=write_trl,
)
HH_RLHF = Format(
    name="hh-rlhf",
    summary="Anthropic's hh-rlhf: transcripts chosen and rejected",
    recognise=lambda sample: all(_is_transcript(sample.first.get(side)) for side in _SIDES),
    parse=read_hh_rlhf,
)


# --- prompts and completions ---------------------------------------------------------------------


def read_completion(row: Row, options: Options) -> Iterable[Record]:
    """A continuation whose reference is the completion; its candidate is empty."""
    fields = object_at(row.value, "")
    context = read_turns(fields.get("prompt"), "prompt", "user", options.roles)
    turns = read_turns(fields.get("completion"), "completion", "assistant", options.roles)
    if [turn.role for turn in turns] != ["assistant"]:
        by = " and ".join(turn.role for turn in turns)
        raise DataError(
            f"received what {by} said; expected one message, by the assistant", field="completion"
        )
    conversation = fields.get("conversation")
    metadata, extra = split_metadata(fields, {"id", "prompt", "completion", "conversation"})
    yield Continuation(
        record_id(row, fields.get("id")),
        context,
        candidate="",
        references=(turns[0].text,),
        conversation=conversation if isinstance(conversation, str) and conversation else None,
        turn=len(context),
        metadata=metadata,
        extra=extra,
    )


def write_completions(record: Record) -> Iterable[Any]:
    """A row a reference that holds text; messages have role and content alone, so that all rows
    have the same columns."""
    record = only(record, Continuation, "prompt-completion holds continuations: cut first")
    prompt = [{"role": turn.role, "content": turn.text} for turn in record.context]
    texts = [text for text in record.references if text.strip()]
    if not prompt or not texts:
        missing = "reference" if prompt else "context"
        raise DataError(f"there is no {missing}, so no prompt with a completion", field=missing)
    for text in texts:
        yield {
            "prompt": prompt,
            "completion": [{"role": "assistant", "content": text}],
            "id": record.id,
            "conversation": record.conversation or "",
        }


PROMPT_COMPLETION = Format(
    name="prompt-completion",
    summary="prompt and completion for supervised fine-tuning, as TRL has them",
    recognise=lambda sample: (
        "chosen" not in sample.first
        and all(isinstance(sample.first.get(key), str | list) for key in ("prompt", "completion"))
    ),
    parse=read_completion,
    unparse=write_completions,
)
