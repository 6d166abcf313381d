"""An item whose record changes: what people were given stays an item of its own.

An item that nobody was ever given is changed in place. Otherwise its row is closed and renamed, so
that `c01` becomes `c01~1`, with its answers, comments and discussion, and a new row takes the id.
Whoever has the closed item open may finish it; nobody else gets it.
"""

from __future__ import annotations

from itertools import count

from sqlalchemy import Connection, select, update

from assize.base.signature import json_hash
from assize.web._queue.written import WROTE
from assize.web._storage.schema import assignments, items, tasks
from assize.web._tasks.write import Write

_A, _I = assignments.c, items.c


def was_given(connection: Connection, item: int) -> bool:
    """Whether anybody was ever given an item; who wrote it was not."""
    given = select(_A.id).where(_A.item == item, _A.chosen != WROTE).limit(1)
    return connection.execute(given).first() is not None


def close_item(connection: Connection, item: int) -> None:
    """Closes an item and gives it an id that no other item of its task has.

    What was written for a brief that is closed names it by the new id.
    """
    row = connection.execute(
        select(_I.task, _I.key, _I.record, tasks.c.name, tasks.c.kind)
        .join(tasks, tasks.c.id == _I.task)
        .where(_I.id == item)
    ).one()
    ends = (f"~{number}" for number in count(1))
    end = next(end for end in ends if not _is_used(connection, row.task, row.key + end))
    before = str(row.record["id"])
    record = {**row.record, "id": before + end}
    connection.execute(
        update(items)
        .where(_I.id == item)
        .values(key=row.key + end, record=record, removed=True, open=False)
    )
    if row.kind == Write.name:
        _rename_brief(connection, row.name, before, before + end)


def _is_used(connection: Connection, task: int, key: str) -> bool:
    """Whether an item of a task has an id, be it closed or not."""
    same = select(_I.id).where(_I.task == task, _I.key == key).limit(1)
    return connection.execute(same).first() is not None


def _rename_brief(connection: Connection, task: str, before: str, after: str) -> None:
    """Renames a brief in the texts that proofreaders have of it, and the texts with it."""
    texts = connection.execute(select(_I.id, _I.key, _I.record).where(_I.origin == "written")).all()
    for text in texts:
        metadata = text.record["metadata"]
        source = metadata["written"]
        if (source["task"], source["brief"]) != (task, before):
            continue
        record = {
            **text.record,
            "id": after + text.record["id"].removeprefix(before),
            "metadata": {**metadata, "written": {**source, "brief": after}},
        }
        connection.execute(
            update(items)
            .where(_I.id == text.id)
            .values(
                key=after + text.key.removeprefix(before), record=record, hash=json_hash(record)
            )
        )
