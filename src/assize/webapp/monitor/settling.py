"""What is done in a discussion: it is opened, people speak and propose, and it is settled."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, insert, select, update

from assize.errors import ConfigError
from assize.judgment import NOT_APPLICABLE, Question
from assize.webapp.forms import Field, Form, FormSection
from assize.webapp.monitor.discussion import LEAD, Discussion, answered_by
from assize.webapp.monitor.reading import number_of
from assize.webapp.storage.schema import comments, discussions, items
from assize.webapp.tasks.definition import Task

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


def settling_form(found: Discussion) -> Form:
    """The disputed questions, as a form."""
    fields = [
        Field(
            one.id,
            one,
            "number" if one.kind == "number" and not one.answers else "radio",
            not_applicable=NOT_APPLICABLE in found.answers[one.id].values(),
        )
        for one in found.disputed
    ]
    return Form((FormSection("", tuple(fields)),))


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
    _add(connection, found, person, "discussion", words, now)


def propose(
    connection: Connection, found: Discussion, person: int, answers: Mapping[str, str], now: float
) -> bool:
    """Keeps what a rater would settle on; where all of them say the same, it is settled.

    Args:
        answers: to every disputed question.

    Returns:
        Whether it is settled now.

    Raises:
        ConfigError: an answer is missing or not allowed, or the discussion is settled.
    """
    _check_open(found)
    if found.me == LEAD:
        raise ConfigError("a lead settles and proposes nothing")
    given = _checked(found.disputed, answers)
    _add(connection, found, person, "proposal", json.dumps(given), now)
    proposals = {**found.proposals, found.me: given}
    if any(proposals.get(one) != given for one in found.raters):
        return False
    _end(connection, found, {**found.agreed, **given}, None, "", now)
    return True


def settle(
    connection: Connection,
    found: Discussion,
    person: int,
    answers: Mapping[str, str],
    reason: str,
    now: float,
) -> None:
    """Settles it as a lead: these answers count, of the questions that are not disputed the
    common ones.

    Raises:
        ConfigError: an answer is missing or not allowed, or the discussion is settled.
    """
    _check_open(found)
    given = _checked(found.disputed, answers)
    _end(connection, found, {**found.agreed, **given}, person, reason.strip()[:LONGEST], now)


def reopen(connection: Connection, found: Discussion) -> None:
    """Takes back what was settled; the messages stay."""
    connection.execute(
        update(discussions)
        .where(discussions.c.id == found.id)
        .values(state="open", answers=None, reason=None, settled=None, settled_by=None)
    )


def _add(
    connection: Connection, found: Discussion, person: int, kind: str, text: str, now: float
) -> None:
    task = connection.execute(
        select(discussions.c.task).where(discussions.c.id == found.id)
    ).scalar_one()
    connection.execute(
        insert(comments).values(
            task=task,
            item=found.item,
            discussion=found.id,
            person=person,
            kind=kind,
            text=text,
            at=now,
        )
    )


def _end(
    connection: Connection,
    found: Discussion,
    answers: Mapping[str, str],
    person: int | None,
    reason: str,
    now: float,
) -> None:
    connection.execute(
        update(discussions)
        .where(discussions.c.id == found.id, discussions.c.state == "open")
        .values(
            state="settled",
            answers=dict(answers),
            reason=reason or None,
            settled=now,
            settled_by=person,
        )
    )


def _check_open(found: Discussion) -> None:
    if not found.is_open:
        raise ConfigError("this discussion is settled")


def _checked(asked: Sequence[Question], answers: Mapping[str, str]) -> dict[str, str]:
    """The answers to these questions, each of which is allowed."""
    given = {}
    for one in asked:
        said = answers.get(one.id, "").strip()
        if not _allowed(one, said):
            raise ConfigError(f"choose an answer to {one.text or one.id}")
        given[one.id] = said
    return given


def _allowed(asked: Question, said: str) -> bool:
    if asked.kind != "number" or asked.answers:
        return said in (*asked.answers, NOT_APPLICABLE)
    try:
        number = float(said)
    except ValueError:
        return False
    low, high = asked.range or (float("-inf"), float("inf"))
    return low <= number <= high
