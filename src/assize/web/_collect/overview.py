"""How far a collection is: by system and by topic, what was put aside, what broke off, its cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from assize.simulate._topics_file import Topic
from assize.web._collect.settings import CollectSettings
from assize.web._storage.chats import Chat, chats_of, count_put_aside


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system's conversations, side by side those in which it took part.

    Args:
        answers: that it wrote, those that broke off among them.
        cost: US dollars of whole answers; None where the model has no known price.
    """

    name: str
    model: str
    ended: int
    open: int
    answers: int
    interrupted: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic's conversations, and how often raters wanted another one."""

    id: str
    text: str
    ended: int
    open: int
    put_aside: int


@dataclass(frozen=True, slots=True)
class Overview:
    """A whole collection, as its lead sees it."""

    systems: tuple[SystemRow, ...]
    topics: tuple[TopicRow, ...]
    ended: int
    open: int
    raters: int


def overview(
    connection: Connection, number: int, settings: CollectSettings, topics: Sequence[Topic]
) -> Overview:
    """What has been collected so far; systems and topics that the files name no longer come last.

    Args:
        number: the task's, in the database.
    """
    chats = chats_of(connection, number)
    aside = count_put_aside(connection, number)
    texts = {one.id: one.text for one in topics}
    for chat in chats:
        texts.setdefault(chat.topic.id, chat.topic.text)
    models = {one.name: one.model for one in settings.systems}
    for name in (name for chat in chats for name in chat.systems):
        models.setdefault(name, "no longer in the task")
    ended = [one for one in chats if one.state == "ended"]
    by_topic = Counter((one.topic.id, one.state) for one in chats)
    return Overview(
        tuple(_system(name, model, chats) for name, model in models.items()),
        tuple(
            TopicRow(
                id,
                text,
                by_topic[id, "ended"],
                by_topic[id, "open"],
                aside.get(id, 0),
            )
            for id, text in texts.items()
        ),
        len(ended),
        len(chats) - len(ended),
        len({one.person for one in ended}),
    )


def _system(name: str, model: str, chats: Sequence[Chat]) -> SystemRow:
    had = [one for one in chats if name in one.systems]
    answers = [
        message
        for chat in had
        for side in chat.sides
        if chat.system(side) == name
        for message in chat.messages
        if message.role == "assistant" and message.side == side and message.details
    ]
    costs = [one.details["usage"].get("cost_usd") for one in answers if "usage" in one.details]
    return SystemRow(
        name,
        model,
        sum(one.state == "ended" for one in had),
        sum(one.state == "open" for one in had),
        len(answers),
        sum(one.state != "whole" for one in answers),
        None if None in costs else sum(costs),
    )
