"""Chats: who talks about what with which hidden systems, and what was said.

A message of the person is one row that both sides share. An answer is a row a side: `writing`
from the moment it is asked for, then `whole`, or `interrupted` with what there is of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, Row, select, update

from assize.base.conversation import Reference
from assize.formats import to_json
from assize.simulate._topics_file import Topic, topic, topic_json
from assize.web._storage.schema import assignments, chats, messages, tasks

ChatState = Literal["open", "ended", "left"]
MessageState = Literal["whole", "writing", "interrupted"]

SHARED = ""
SIDES = ("A", "B")
LEFT_OUT = "left"  # of a chat whose topic was put aside before a word was said


@dataclass(frozen=True, slots=True)
class Message:
    """One message.

    Args:
        place: from 0, the same for both sides of an answer.
        side: `A` or `B`; "" where there is one side, or both share it.
        references: the sources that the assistant was shown, numbered as it cites them.
        details: what was asked for and spent; not for raters.
    """

    place: int
    role: Literal["user", "assistant"]
    text: str
    side: str = SHARED
    state: MessageState = "whole"
    references: tuple[Reference, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat with all that was said so far.

    Args:
        task, person: ids in their tables.
        systems: names, one a side; nothing of them may be shown to the rater.
        assignment: its rating, once it has ended.
    """

    id: str
    task: int
    person: int
    topic: Topic
    systems: tuple[str, ...]
    state: ChatState
    created: float
    ended: float | None = None
    assignment: int | None = None
    messages: tuple[Message, ...] = ()

    @property
    def sides(self) -> tuple[str, ...]:
        """`A` and `B`; or one side without a name."""
        return SIDES if len(self.systems) > 1 else (SHARED,)

    def system(self, side: str) -> str:
        """The name of a side's system."""
        return self.systems[self.sides.index(side)]

    def of(self, side: str) -> tuple[Message, ...]:
        """What one side has seen: the shared messages, and its own answers."""
        return tuple(one for one in self.messages if one.side in (SHARED, side))

    @property
    def exchanges(self) -> int:
        """Messages of the person."""
        return sum(one.role == "user" for one in self.messages)

    @property
    def busy(self) -> bool:
        """Whether an answer is being written."""
        return any(one.state == "writing" for one in self.messages)

    @property
    def broken(self) -> tuple[Message, ...]:
        """Answers that can be asked for again: those of the last exchange that broke off."""
        last = max((one.place for one in self.messages), default=0)
        return tuple(
            one for one in self.messages if one.place == last and one.state == "interrupted"
        )


class NotPossible(Exception):
    """The chat takes no message at this moment; the text says why."""


def insert_chat(connection: Connection, chat: Chat) -> None:
    """Begins a chat."""
    connection.execute(
        chats.insert().values(
            id=chat.id,
            task=chat.task,
            person=chat.person,
            topic=topic_json(chat.topic),
            systems=list(chat.systems),
            state=chat.state,
            created=chat.created,
        )
    )


def find_chat(connection: Connection, id: str) -> Chat | None:
    """A chat with its messages; None where there is none of that id."""
    row = connection.execute(select(chats).where(chats.c.id == id)).first()
    if row is None:
        return None
    said = connection.execute(
        select(messages).where(messages.c.chat == id).order_by(messages.c.place, messages.c.side)
    )
    return _chat(row, tuple(_message(one) for one in said))


def chat_under_way(connection: Connection, task: int | None, person: int) -> Chat | None:
    """The person's open chat; where the process died between two, the last one begun."""
    found = connection.execute(
        select(chats.c.id)
        .where(chats.c.task == task, chats.c.person == person, chats.c.state == "open")
        .order_by(chats.c.created.desc())
        .limit(1)
    ).scalar_one_or_none()
    return None if found is None else find_chat(connection, found)


def unrated(connection: Connection, task: int | None, person: int) -> str | None:
    """The id of a chat that has ended and that the person has not rated yet."""
    found = connection.execute(
        select(chats.c.id)
        .join(assignments, assignments.c.id == chats.c.assignment)
        .where(chats.c.task == task, chats.c.person == person, assignments.c.state == "reserved")
        .order_by(chats.c.created)
        .limit(1)
    )
    return found.scalar_one_or_none()


def chats_of(connection: Connection, task: int, person: int | None = None) -> list[Chat]:
    """The chats of a task that are open or have ended, oldest first, with their messages."""
    wanted = [chats.c.task == task, chats.c.state != LEFT_OUT]
    if person is not None:
        wanted.append(chats.c.person == person)
    said: dict[str, list[Message]] = {}
    for one in connection.execute(
        select(messages)
        .join(chats, chats.c.id == messages.c.chat)
        .where(*wanted)
        .order_by(messages.c.place, messages.c.side)
    ):
        said.setdefault(one.chat, []).append(_message(one))
    rows = connection.execute(select(chats).where(*wanted).order_by(chats.c.created, chats.c.id))
    return [_chat(row, tuple(said.get(row.id, ()))) for row in rows]


def count_topics(connection: Connection, task: int, person: int) -> dict[str, int | None]:
    """Count the topics of a person's chats that have ended or are under way.

    Returns:
        By topic; None for one that they put aside.
    """
    rows = connection.execute(
        select(chats.c.topic, chats.c.state)
        .where(chats.c.task == task, chats.c.person == person)
        .order_by(chats.c.created)
    ).all()
    had = Counter(str(row.topic["id"]) for row in rows if row.state != LEFT_OUT)
    aside = (str(row.topic["id"]) for row in rows if row.state == LEFT_OUT)
    return {**had, **dict.fromkeys(aside)}


def take_message(connection: Connection, chat: str, text: str, now: float) -> int:
    """Keeps what the person wrote, and a row for each answer that is now asked for.

    Returns:
        The place of the answers.

    Raises:
        NotPossible: the chat has ended, or an answer is missing.
    """
    found = open_chat(connection, chat)
    if found.busy:
        raise NotPossible("The answer is still being written.")
    if found.broken:
        raise NotPossible("An answer broke off. Ask for it again, or end the conversation.")
    place = max((one.place for one in found.messages), default=-1) + 1
    _insert(connection, chat, place, SHARED, "user", text, "whole", now)
    for side in found.sides:
        _insert(connection, chat, place + 1, side, "assistant", "", "writing", now)
    return place + 1


def again(connection: Connection, chat: str, now: float) -> tuple[Message, ...]:
    """The answers of the last exchange that broke off, now being written anew.

    Raises:
        NotPossible: the chat has ended.
    """
    found = open_chat(connection, chat)
    for one in found.broken:
        tries = int(one.details.get("tries", 1)) + 1
        _change(connection, chat, one, text="", state="writing", details={"tries": tries}, at=now)
    return found.broken


def keep_answer(connection: Connection, chat: str, answer: Message) -> None:
    """What came of an answer: all of it, or as far as it came."""
    before = connection.execute(
        select(messages.c.details).where(*_is(chat, answer))
    ).scalar_one_or_none()
    details = {**(before or {}), **answer.details}
    _change(
        connection,
        chat,
        answer,
        text=answer.text,
        state=answer.state,
        details=details,
        references=[to_json(one) for one in answer.references],
        at=answer.at,
    )


def interrupt(connection: Connection, chat: str) -> None:
    """Marks answers that were being written by a process which has ended."""
    connection.execute(
        update(messages)
        .where(messages.c.chat == chat, messages.c.state == "writing")
        .values(state="interrupted")
    )


def put_aside(connection: Connection, chat: str, now: float) -> None:
    """Leaves a chat in which nothing was said: another topic is wanted.

    Raises:
        NotPossible: something was said, or it has ended.
    """
    found = open_chat(connection, chat)
    if found.exchanges:
        raise NotPossible("The conversation has begun; end it to get another topic.")
    update_chat(connection, chat, state=LEFT_OUT, ended=now)


def update_chat(connection: Connection, /, chat: str, **values: Any) -> None:
    """Writes columns of a chat: other systems, its end, its rating."""
    connection.execute(update(chats).where(chats.c.id == chat).values(values))


def spent_on(connection: Connection, task: int) -> float:
    """US dollars that a task's answers have cost, those that broke off left out."""
    rows = connection.execute(
        select(messages.c.details)
        .join(chats, chats.c.id == messages.c.chat)
        .where(chats.c.task == task, messages.c.details.is_not(None))
    ).scalars()
    return sum(float((one.get("usage") or {}).get("cost_usd") or 0.0) for one in rows)


def count_put_aside(connection: Connection, task: int) -> dict[str, int]:
    """How often each topic was put aside, by topic."""
    rows = connection.execute(
        select(chats.c.topic).where(chats.c.task == task, chats.c.state == LEFT_OUT)
    ).scalars()
    return dict(Counter(str(one["id"]) for one in rows))


def task_number(connection: Connection, name: str) -> int | None:
    """A task's number in the database; None before it was brought there."""
    return connection.execute(select(tasks.c.id).where(tasks.c.name == name)).scalar_one_or_none()


def task_data(connection: Connection, number: int) -> str | None:
    """The hash of a task's files when they were last read; None where it is not known."""
    return connection.execute(select(tasks.c.data).where(tasks.c.id == number)).scalar_one_or_none()


def open_chat(connection: Connection, chat: str) -> Chat:
    """A chat that has not ended, with its messages.

    Raises:
        NotPossible: it has ended, or who talked was forgotten meanwhile.
    """
    found = find_chat(connection, chat)
    if found is None or found.state != "open":
        raise NotPossible("This conversation has ended.")
    return found


def _insert(
    connection: Connection,
    chat: str,
    place: int,
    side: str,
    role: str,
    text: str,
    state: str,
    now: float,
) -> None:
    connection.execute(
        messages.insert().values(
            chat=chat, place=place, side=side, role=role, text=text, state=state, at=now
        )
    )


def _change(connection: Connection, chat: str, one: Message, **values: Any) -> None:
    connection.execute(update(messages).where(*_is(chat, one)).values(values))


def _is(chat: str, one: Message) -> Sequence[Any]:
    return messages.c.chat == chat, messages.c.place == one.place, messages.c.side == one.side


def _chat(row: Row[Any], said: tuple[Message, ...]) -> Chat:
    return Chat(
        row.id,
        row.task,
        row.person,
        topic(row.topic),
        tuple(row.systems),
        row.state,
        row.created,
        row.ended,
        row.assignment,
        said,
    )


def _message(row: Row[Any]) -> Message:
    return Message(
        row.place,
        row.role,
        row.text,
        row.side,
        row.state,
        tuple(_reference(one) for one in row._mapping["references"] or ()),
        row.details or {},
        row.at,
    )


def _reference(value: Mapping[str, Any]) -> Reference:
    extra = {name: part for name, part in value.items() if name not in ("id", "title", "text")}
    return Reference(
        str(value["id"]), str(value.get("title", "")), str(value.get("text", "")), extra
    )
