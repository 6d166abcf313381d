"""How far a collection is: by system and by topic, what was put aside, what broke off, its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from assize.simulate._topics_file import Topic
from assize.web._collect.settings import CollectSettings
from assize.web._storage.chats import Chat, chats_of, count_put_aside


def overview(
    connection: Connection, number: int, settings: CollectSettings, topics: Sequence[Topic]
) -> Mapping[str, Any]:
    """What has been collected so far; systems and topics that the files name no longer come last.

    Args:
        number: the task's, in the database.

    Returns:
        Conversations that `ended` and are `open`, of how many `raters`; rows of `systems`: name,
        model, ended, open, answers (those that broke off among them), interrupted, and cost in US
        dollars, None where the model has no known price; rows of `topics`: id, text, ended, open,
        put_aside.
    """
    chats = chats_of(connection, number)
    aside = count_put_aside(connection, number)
    texts = {topic.id: topic.text for topic in topics}
    for chat in chats:
        texts.setdefault(chat.topic.id, chat.topic.text)
    models = {system.name: system.model for system in settings.systems}
    for name in (name for chat in chats for name in chat.systems):
        models.setdefault(name, "no longer in the task")
    ended = [chat for chat in chats if chat.state == "ended"]
    by_topic = Counter((chat.topic.id, chat.state) for chat in chats)
    return {
        "systems": [_system(name, model, chats) for name, model in models.items()],
        "topics": [
            {
                "id": id,
                "text": text,
                "ended": by_topic[id, "ended"],
                "open": by_topic[id, "open"],
                "put_aside": aside.get(id, 0),
            }
            for id, text in texts.items()
        ],
        "ended": len(ended),
        "open": len(chats) - len(ended),
        "raters": len({chat.person for chat in ended}),
    }


def _system(name: str, model: str, chats: Sequence[Chat]) -> Mapping[str, Any]:
    had = [chat for chat in chats if name in chat.systems]
    answers = [
        message
        for chat in had
        for side in chat.sides
        if chat.system(side) == name
        for message in chat.messages
        if message.role == "assistant" and message.side == side and message.details
    ]
    usage = [message.details["usage"] for message in answers if "usage" in message.details]
    costs = [row.get("cost_usd") for row in usage]
    return {
        "name": name,
        "model": model,
        "ended": sum(chat.state == "ended" for chat in had),
        "open": sum(chat.state == "open" for chat in had),
        "answers": len(answers),
        "interrupted": sum(message.state != "whole" for message in answers),
        "cost": None if None in costs else sum(costs),
    }
