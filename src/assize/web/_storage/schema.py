"""The tables of a project's database, the same on SQLite and PostgreSQL.

People work on assignments; an assignment is one item of a task given to one person. What they
answer is appended to `answers` and never changed, so that edits and undone answers stay in its
history; `assignments` say what holds now. Times are seconds since 1970 (UTC).
"""

from __future__ import annotations

import json
import re
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.engine import Dialect

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Json(TypeDecorator[Any]):
    """Anything that JSON can say, kept as ASCII text: no database refuses a character of it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """As text; None stays NULL."""
        return None if value is None else json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """What the text says."""
        return None if value is None else json.loads(value)


class Words(TypeDecorator[str]):
    """Text that a person or a file gave. What PostgreSQL cannot hold becomes U+FFFD, everywhere."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """As both databases take it."""
        return None if value is None else storable(value)


_UNSTORED = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text as both databases hold it."""
    return text if text.isprintable() else _UNSTORED.sub("\ufffd", text)


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True, autoincrement=True)


def _of(name: str, table: str, *, needed: bool = True) -> Column[int]:
    return Column(name, Integer, ForeignKey(f"{table}.id"), nullable=not needed)


def _at(name: str, *, needed: bool = True) -> Column[float]:
    return Column(name, Double, nullable=not needed)


people = Table(
    "people",
    METADATA,
    _id(),
    Column("name", Words, nullable=False, unique=True),  # the judge of their judgments
    Column("role", Text, nullable=False),  # rater | admin
    Column("password", Text),  # argon2; none for the single local user
    Column("disabled", Boolean, nullable=False, default=False),
    _at("created"),
    _at("deleted", needed=False),  # asked to be forgotten: the name is replaced
)

sessions = Table(
    "sessions",
    METADATA,
    Column("token", Text, primary_key=True),  # hash of what the cookie holds
    _of("person", "people"),
    Column("csrf", Text, nullable=False),
    _at("created"),
    _at("expires"),
)

invitations = Table(
    "invitations",
    METADATA,
    Column("token", Text, primary_key=True),  # hash of what the link holds
    Column("role", Text, nullable=False),
    Column("name", Text),  # who is invited, where that is settled
    Column("task", Text),  # where the link leads
    _of("made_by", "people", needed=False),
    _of("used_by", "people", needed=False),
    _at("created"),
    _at("expires"),
)

consents = Table(
    "consents",
    METADATA,
    _id(),
    _of("person", "people"),
    _of("task", "tasks"),
    Column("text", Words, nullable=False),  # what was agreed to, word for word
    _at("at"),
    UniqueConstraint("person", "task", "text"),
)

tasks = Table(
    "tasks",
    METADATA,
    _id(),
    Column("name", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),  # number of the current one
    Column("state", Text, nullable=False, default="open"),  # open | paused | closed
    Column("data", Text),  # hash of all files that it was made of
    Column("wanted", Integer, nullable=False, default=1),  # raters an item
)

task_versions = Table(
    "task_versions",
    METADATA,
    _id(),
    _of("task", "tasks"),
    Column("number", Integer, nullable=False),
    Column("source", Text, nullable=False),  # the file as it was
    Column("hash", Text, nullable=False),
    Column("texts", Json),  # of files that it names, such as a rubric, by name
    Column("pilot", Boolean, nullable=False, default=False),
    _at("created"),
    UniqueConstraint("task", "number"),
)

items = Table(
    "items",
    METADATA,
    _id(),
    _of("task", "tasks"),
    Column("key", Words, nullable=False),  # the record's own id; `c01~1` of one closed by a change
    Column("purpose", Text, nullable=False, default="rate"),  # rate | gold | qualify | example
    Column("origin", Text, nullable=False, default="file"),  # file | collected | written
    Column("rank", Double, nullable=False),  # in [0, 1): its place in a random order
    Column("place", Integer, nullable=False),  # in the file
    Column("taken", Integer, nullable=False, default=0),  # assignments reserved or done
    Column("done", Integer, nullable=False, default=0),  # of these
    Column("skipped", Integer, nullable=False, default=0),  # assignments that were skipped
    Column("open", Boolean, nullable=False, default=True),  # may be given to one more person
    Column("removed", Boolean, nullable=False, default=False),
    Column("hash", Text, nullable=False),  # of the record and of what is expected
    Column("expected", Json),  # answers of a known item, by question
    Column("suggestion", Json),  # a judge's answers, by question
    Column("record", Json, nullable=False),
    UniqueConstraint("task", "key", "purpose"),
    Index(None, "task", "purpose", "open", "rank"),
    Index(None, "task", "purpose", "open", "place"),
)

qualifications = Table(  # how far a person is in the qualification of a task
    "qualifications",
    METADATA,
    _id(),
    _of("task", "tasks"),
    _of("person", "people"),
    Column("attempt", Integer, nullable=False, default=0),  # from 0
    Column("result", Text),  # passed | failed | NULL
    UniqueConstraint("task", "person"),
)

assignments = Table(
    "assignments",
    METADATA,
    _id(),
    _of("task", "tasks"),
    _of("item", "items"),
    _of("person", "people"),
    Column("repeat", Integer, nullable=False, default=0),  # attempt of a qualification, from 0
    Column("draw", Integer, nullable=False),  # the person's n-th in the task, from 0
    Column("state", Text, nullable=False),  # reserved | done | skipped | expired | withdrawn
    Column("chosen", Text, nullable=False),  # a word of `queue.assignment.CHOSEN`
    Column("order", Text),  # BA where the sides of a pair were exchanged
    Column("revision", Integer, nullable=False, default=0),  # number of its next answer
    Column("version", Integer, nullable=False),  # of the task, when it was last answered
    Column("pilot", Boolean, nullable=False, default=False),  # given in a pilot round
    _at("created"),
    _at("touched"),  # when it was last given, saved or answered
    _at("reserved_until", needed=False),
    _at("submitted", needed=False),
    Column("seconds", Double, nullable=False, default=0.0),  # of work, idle time left out
    Column("draft", Json),  # what was saved and not submitted
    Column("suggestion", Json),  # what a judge proposed, where it was shown
    UniqueConstraint("item", "person", "repeat"),
    UniqueConstraint("task", "person", "draw"),
    Index(None, "task", "person", "submitted"),
    Index(None, "task", "state", "reserved_until"),
)

answers = Table(  # history: a row for each thing that was done with an assignment
    "answers",
    METADATA,
    _id(),
    _of("assignment", "assignments"),
    Column("number", Integer, nullable=False),  # from 0
    Column("event", Text, nullable=False),  # submit | skip | undo | return | withdraw
    Column("version", Integer, nullable=False),  # of the task
    Column("answers", Json),  # by field
    Column("reason", Words),  # of a skip
    Column("seconds", Double, nullable=False, default=0.0),
    _at("at"),
    UniqueConstraint("assignment", "number"),
)

comments = Table(
    "comments",
    METADATA,
    _id(),
    _of("task", "tasks"),
    _of("item", "items", needed=False),
    _of("assignment", "assignments", needed=False),
    _of("discussion", "discussions", needed=False),
    _of("person", "people"),
    Column("kind", Text, nullable=False),  # comment | flag | discussion
    Column("text", Words, nullable=False),
    _at("at"),
    _at("settled", needed=False),
    Index(None, "task", "item"),
)

discussions = Table(
    "discussions",
    METADATA,
    _id(),
    _of("task", "tasks"),
    _of("item", "items"),
    Column("state", Text, nullable=False),  # open | settled
    Column("answers", Json),  # a lead's, by field: the judge `adjudicated`
    Column("reason", Words),
    _of("opened_by", "people"),
    _of("settled_by", "people", needed=False),
    _at("opened"),
    _at("settled", needed=False),
    UniqueConstraint("item"),
)

chats = Table(
    "chats",
    METADATA,
    Column("id", Text, primary_key=True),  # random: it tells nothing
    _of("task", "tasks"),
    _of("person", "people"),
    _of("assignment", "assignments", needed=False),  # its rating, once it has ended
    Column("topic", Json, nullable=False),
    Column("systems", Json, nullable=False),  # names, one a side; never shown
    Column("state", Text, nullable=False),  # open | ended | left
    _at("created"),
    _at("ended", needed=False),
    Index(None, "task", "person", "state"),
)

messages = Table(
    "messages",
    METADATA,
    _id(),
    Column("chat", Text, ForeignKey("chats.id"), nullable=False),
    Column("place", Integer, nullable=False),  # from 0, the same on both sides
    Column("side", Text, nullable=False, default=""),  # A | B | "" where both share it
    Column("role", Text, nullable=False),
    Column("text", Words, nullable=False),
    Column("state", Text, nullable=False),  # whole | writing | interrupted | failed
    Column("references", Json),
    Column("details", Json),  # what was asked for and spent; never shown
    _at("at"),
    UniqueConstraint("chat", "place", "side"),
)
