"""What is done in a discussion: it is opened, people speak, and a lead settles it."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from assize.base.errors import ConfigError
from assize.web._forms import Answers
from assize.web._monitor.discussion import Discussion, answered_by
from assize.web._monitor.reading import number_of
from assize.web._storage.schema import comments, discussions, items
from assize.web._tasks.definition import Task

LONGEST = 5_000  # characters of a message


def open_discussion(connection: Connection, task: Task, key: str, person: int, now: float) -> int:
    """Opens the discussion of an item, or finds the one there is.

    Args:
        key: the item's own id. person: the lead who opens it.

    Raises:
        ConfigError: there is no such item, or fewer than two raters have answered it.
    """
    number = number_of(connection, task)
    item = connection.execute(
        select(items.c.id).where(
            items.c.task == number, items.c.key == key, items.c.purpose == "rate"
        )
    ).scalar_one_or_none()
    if item is None:
        raise ConfigError(f"the task has no item {key!r}")
    there = select(discussions.c.id).where(discussions.c.item == item)
    found = connection.execute(there).scalar_one_or_none()
    if found is not None:
        return int(found)
    if len(answered_by(connection, item)) < 2:
        raise ConfigError(
            f"fewer than two raters have answered {key!r}; there is nothing to settle"
        )
    made = insert(discussions).values(
        task=number, item=item, state="open", opened_by=person, opened=now
    )
    return int(connection.execute(made.returning(discussions.c.id)).scalar_one())


def say(connection: Connection, found: Discussion, person: int, text: str, now: float) -> None:
    """Adds a message.

    Raises:
        ConfigError: it is empty or too long, or the discussion is settled.
    """
    _check_open(found)
    words = text.strip()
    if not words:
        raise ConfigError("the message is empty")
    if len(words) > LONGEST:
        raise ConfigError(f"a message has at most {LONGEST:,} characters; this has {len(words):,}")
    task = connection.execute(
        select(discussions.c.task).where(discussions.c.id == found.id)
    ).scalar_one()
    connection.execute(
        insert(comments).values(
            task=task,
            item=found.item,
            discussion=found.id,
            person=person,
            kind="discussion",
            text=words,
            at=now,
        )
    )


def settle(
    connection: Connection,
    found: Discussion,
    person: int,
    answers: Answers,
    reason: str,
    now: float,
) -> None:
    """Settles it as a lead, with the lead's own answers to the item.

    Args:
        answers: by field of the item's form, as `fill` read them.

    Raises:
        ConfigError: the discussion is settled.
    """
    _check_open(found)
    connection.execute(
        update(discussions)
        .where(discussions.c.id == found.id, discussions.c.state == "open")
        .values(
            state="settled",
            answers=dict(answers),
            reason=reason.strip()[:LONGEST] or None,
            settled=now,
            settled_by=person,
        )
    )


def reopen(connection: Connection, found: Discussion) -> None:
    """Takes back what was settled; the messages stay."""
    connection.execute(
        update(discussions)
        .where(discussions.c.id == found.id)
        .values(state="open", answers=None, reason=None, settled=None, settled_by=None)
    )


def _check_open(found: Discussion) -> None:
    if not found.is_open:
        raise ConfigError("this discussion is settled")
