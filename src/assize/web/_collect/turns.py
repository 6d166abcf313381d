"""A chat as turns and as a record: what its rating is about, and what is exported."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from assize.base.conversation import Conversation, Pair, Turn
from assize.web._storage.chats import Chat, Message

FACTS = (
    "model",
    "answered_as",
    "retrieval",
    "query_by",
    "sources",
    "told_topic",
    "prompt",
    "temperature",
)


def turns_of(chat: Chat, side: str, before: int | None = None) -> tuple[Turn, ...]:
    """What one side has said and seen, with the sources of each answer.

    An answer of which nothing came is left out; one that broke off says `interrupted`.

    Args:
        before: only what stands before this place; None for all.
    """
    return tuple(
        _turn(one)
        for one in chat.of(side)
        if (before is None or one.place < before) and (one.text or one.state == "whole")
    )


def record_of(chat: Chat, task: str) -> Conversation | Pair:
    """The chat as a record: a conversation, or a pair whose sides share the user's turns.

    Args:
        task: its name.

    Metadata hold the topic, and of each side its model, how it retrieved and by which prompt, as
    they were when it answered last; `changed` names those that were others before.
    """
    about = {
        "task": task,
        "topic": chat.topic.id,
        "topic_text": chat.topic.text,
        "at": _iso(chat.created),
        **chat.topic.metadata,
    }
    if chat.ended is not None:
        about["seconds"] = round(chat.ended - chat.created, 1)
    parts = {side: turns_of(chat, side) for side in chat.sides}
    how = {side: _how(chat, side) for side in chat.sides}
    if len(parts) == 1:
        ((side, turns),) = parts.items()
        return Conversation(chat.id, turns, chat.system(side), {**about, **how[side]})
    systems = {side: chat.system(side) for side in chat.sides}
    metadata = {**about, "systems": systems, "how": how}
    return Pair(chat.id, (), parts["A"], parts["B"], shared_user=True, metadata=metadata)


def _turn(one: Message) -> Turn:
    extra = {
        name: value
        for name in ("query", "finish", "unknown_citations")
        if (value := one.details.get(name)) not in (None, "", [], "stop")
    }
    if one.state != "whole":
        extra["interrupted"] = True
    return Turn(one.role, one.text, one.references, extra)


def _how(chat: Chat, side: str) -> Mapping[str, Any]:
    """The facts of a side's system that its answers carry."""
    found: dict[str, Any] = {}
    for one in chat.of(side):
        found |= {name: told for name in FACTS if (told := one.details.get(name)) is not None}
    whole = [one.details for one in chat.of(side) if one.details and one.state == "whole"]
    changed = [name for name in FACTS if len({repr(one.get(name)) for one in whole}) > 1]
    return {**found, "changed": changed} if changed else found


def _iso(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"
