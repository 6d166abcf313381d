"""Taking up what people rated before: from an export's folder, or from judgments of any tool."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, func, insert, select

from assize.errors import DataError
from assize.formats import read, to_json
from assize.formats.files import open_input
from assize.judgment import Judgment
from assize.signature import json_hash
from assize.webapp.exporting.folder import HISTORY, ITEMS
from assize.webapp.exporting.history import Worked
from assize.webapp.exporting.rated import worked_of
from assize.webapp.exporting.ratings import record_of
from assize.webapp.exporting.seen import Seen, read_seen
from assize.webapp.queue.chance import chance
from assize.webapp.queue.editions import edition_of
from assize.webapp.queue.recounting import recount
from assize.webapp.queue.standing import START
from assize.webapp.storage.schema import (
    answers,
    assignments,
    items,
    participations,
    people,
    tasks,
)
from assize.webapp.tasks.definition import Task

_A, _I, _P, _T = assignments.c, items.c, people.c, tasks.c
_STATES = {
    "submit": "done", "skip": "skipped", "undo": "expired", "return": "expired",
    "withdraw": "withdrawn",
}  # fmt: skip
_Editions = dict[tuple[int, int | None], int | None]
"""By item, and number of what was shown of it elsewhere, the edition here; None is the item."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What was taken up.

    Args:
        assignments: items in one person's hands that were added.
        known: those that the database has already; nothing of them was changed.
        people: raters who were added; an invitation of their name lets them go on.
        items: items that were added, such as collected conversations.
    """

    assignments: int
    known: int
    people: int
    items: int


def import_task(connection: Connection, task: Task, folder: str | Path) -> Imported:
    """Takes up a task that `export_task` wrote: its ratings, with all their history.

    Answers to what an item does not say here stay answers to what was shown.

    Raises:
        DataError: a file is none of an export, or it rates an item that is nowhere.
    """
    place = Path(folder)
    found = [_worked(line, place / HISTORY, at) for at, line in _lines(place / HISTORY)]
    number = _number(connection, task)
    added = _add_items(connection, task, number, place / ITEMS, {one.item for one in found})
    return add_worked(connection, task, found, added, read_seen(place, found))


def import_ratings(connection: Connection, task: Task, ratings: Iterable[Judgment]) -> Imported:
    """Takes up people's judgments of a task's items: those of an export, or of any other tool.

    Args:
        ratings: judgments of models are passed over, and so are `gold` and `adjudicated`.

    Raises:
        DataError: an item is nowhere, or the task's form cannot have given these judgments.
    """
    number = _number(connection, task)
    rows = list(ratings)
    records = {
        row.key: record_of(row.record)
        for row in connection.execute(
            select(_I.key, _I.record).where(_I.task == number, _I.purpose != "qualify")
        )
    }
    return add_worked(connection, task, worked_of(task, records, rows))


def _lines(place: Path) -> Iterator[tuple[int, bytes]]:
    with open_input(place) as stream:
        yield from ((at, line) for at, line in enumerate(stream, start=1) if line.strip())


def _worked(line: bytes, place: Path, at: int) -> Worked:
    try:
        return Worked.model_validate(json.loads(line))
    except (ValidationError, ValueError, RecursionError) as error:
        said = str(error).splitlines()[0]
        raise DataError(
            f"no record of an export's history: {said}", source=str(place), line=at
        ) from None


def _number(connection: Connection, task: Task) -> int:
    found: int = connection.execute(select(_T.id).where(_T.name == task.name)).scalar_one()
    return found


def _add_items(
    connection: Connection, task: Task, number: int, place: Path, rated: set[str]
) -> int:
    """Adds the items that were rated elsewhere and that the task's files do not have."""
    there = set(connection.execute(select(_I.key).where(_I.task == number)).scalars())
    missing = rated - there
    if not missing:
        return 0
    rows: list[dict[str, Any]] = []
    for one in read(place):
        if not isinstance(one, Judgment) and one.id in missing:
            record = to_json(one)
            rows.append(
                {
                    "task": number, "key": one.id, "origin": "imported", "record": record,
                    "place": len(there) + len(rows), "hash": json_hash(record),
                    "rank": chance(task.seed, "rank", one.id),
                }
            )  # fmt: skip
    if rows:
        connection.execute(insert(items), rows)
    return len(rows)


def add_worked(
    connection: Connection,
    task: Task,
    found: Iterable[Worked],
    added: int = 0,
    seen: Seen | None = None,
) -> Imported:
    """Adds what people did with items of a task; what the database has already stays as it is.

    Args:
        seen: what was shown where it was answered; None is the items as they are here.

    Raises:
        DataError: the task has no such item.
    """
    number = _number(connection, task)
    numbers = {
        (row.key, row.purpose == "qualify"): row.id
        for row in connection.execute(select(_I.id, _I.key, _I.purpose).where(_I.task == number))
    }
    given = list(found)
    whom, fresh = _people(connection, number, [one.rater for one in given], given)
    known = {
        (row.item, row.person, row.repeat)
        for row in connection.execute(
            select(_A.item, _A.person, _A.repeat).where(_A.task == number)
        )
    }
    draws = _draws(connection, number)
    rows: list[tuple[dict[str, Any], Worked]] = []
    for one in given:
        item = numbers.get((one.item, one.purpose == "qualify"))
        if item is None:
            raise DataError(f"the task {task.name!r} has no item {one.item!r}")
        key = (item, whom[one.rater], one.repeat)
        if key in known:
            continue
        known.add(key)
        rows.append((_row(number, key, draws[key[1]], one), one))
        draws[key[1]] += 1
    editions: _Editions = {}
    for row, one in rows:
        made = connection.execute(insert(assignments).values(**row).returning(_A.id)).scalar_one()
        events = _events(connection, row["item"], one, seen or Seen(), editions)
        connection.execute(insert(answers), [{"assignment": made, **each} for each in events])
    recount(connection, number, {row["item"] for row, _ in rows})
    return Imported(len(rows), len(given) - len(rows), fresh, added)


def _people(
    connection: Connection, task: int, names: Iterable[str], given: Iterable[Worked]
) -> tuple[dict[str, int], int]:
    """The numbers of the raters, and how many of them are new; all of them take part."""
    began = {one.rater: one.created for one in reversed(list(given))}
    wanted = dict.fromkeys(names)
    whom: dict[str, int] = {}
    for row in connection.execute(select(_P.id, _P.name)):
        if row.name in wanted:
            whom[row.name] = row.id
    fresh = [name for name in wanted if name not in whom]
    for name in fresh:
        made = insert(people).values(name=name, role="rater", disabled=False, created=began[name])
        whom[name] = connection.execute(made.returning(_P.id)).scalar_one()
    p = participations.c
    taking_part = set(connection.execute(select(p.person).where(p.task == task)).scalars())
    for person in set(whom.values()) - taking_part:
        connection.execute(insert(participations).values(task=task, person=person, front=START))
    return whom, len(fresh)


def _draws(connection: Connection, task: int) -> defaultdict[int, int]:
    """By person, the number of their next assignment."""
    asked = select(_A.person, func.max(_A.draw)).where(_A.task == task).group_by(_A.person)
    found = {person: last + 1 for person, last in connection.execute(asked)}
    return defaultdict(int, found)


def _row(task: int, key: tuple[int, int, int], draw: int, one: Worked) -> dict[str, Any]:
    last = one.events[-1]
    state = _STATES[last.event]
    answered = next((each for each in reversed(one.events) if each.event == "submit"), None)
    return {
        "task": task, "item": key[0], "person": key[1], "repeat": key[2], "draw": draw,
        "state": state, "chosen": one.chosen, "order": one.order, "revision": len(one.events),
        "version": last.version, "pilot": one.pilot, "created": one.created, "touched": last.at,
        "submitted": last.at if state in ("done", "skipped") else None, "seconds": last.seconds,
        "suggestion": one.suggestion,
        "draft": answered.answers if state == "expired" and answered is not None else None,
    }  # fmt: skip


def _events(
    connection: Connection, item: int, one: Worked, seen: Seen, known: _Editions
) -> Iterator[Mapping[str, Any]]:
    for number, each in enumerate(one.events):
        at = (item, each.edition)
        if at not in known:
            record = seen.of(one, each)
            known[at] = None if record is None else edition_of(connection, item, record, each.at)
        yield {**each.model_dump(), "number": number, "edition": known[at]}
