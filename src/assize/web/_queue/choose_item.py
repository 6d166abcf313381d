"""Choose the next item for a rater: a gold item, or one of the task.

A random order is drawn from a window: one of the first `WINDOW` open items, in an order fixed
for all raters. So each rater has an order of their own, the ratings of an item still come close
together, and a round that ends early leaves few items half rated.

Every draw follows from the task's seed, the rater, and how many items the rater has had.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, func, select

from assize.web._queue.assignment import Chosen
from assize.web._queue.participant import Participant
from assize.web._queue.seeded import seeded_index, seeded_uniform
from assize.web._storage.schema import assignments, items
from assize.web._tasks.definition import Task

WINDOW = 128  # open items among which a random order chooses


class Choice(NamedTuple):
    """The primary key of an item, and how it was chosen."""

    item: int
    chosen: Chosen


_A, _I = assignments.c, items.c


def _open_items(purpose: str) -> Select[Any]:
    """Select open items that the rater has not had; one that expired counts as not had."""
    state = select(_A.state).where(
        _A.item == _I.id, _A.person == bindparam("rater"), _A.repeat == 0
    )
    return select(_I.id).where(
        _I.task == bindparam("in_task"),
        _I.purpose == purpose,
        _I.open.is_(True),
        func.coalesce(state.scalar_subquery(), "expired") == "expired",
    )


# Statements are built once: building one takes longer than running it.
_LOW: Any = bindparam("low")
_HIGH: Any = bindparam("high")
_GOLD = _open_items("gold").where(_I.rank >= _LOW, _I.rank < _HIGH).order_by(_I.rank).limit(1)
_UNSEEN_GOLD = _open_items("gold")
_BY_PLACE = _open_items("rate").order_by(_I.place).limit(1)
_BY_RANK = _open_items("rate").order_by(_I.rank).limit(WINDOW)


def choose_item(connection: Connection, task: Task, rater: Participant) -> Choice | None:
    """Choose the next item for a rater; None where nothing is left for them."""
    return choose_gold(connection, task, rater) or choose_from_task(connection, task, rater)


def choose_gold(connection: Connection, task: Task, rater: Participant) -> Choice | None:
    """Choose a gold item, at one unpredictable position in every `gold.every`."""
    if not is_gold_position(task, rater.person, rater.draws):
        return None
    start = seeded_uniform(task.seed, "gold", rater.person, rater.draws)
    for low, high in ((start, 1.0), (0.0, start)):
        rows = _find(connection, _GOLD, rater, low=low, high=high)
        if rows:
            return Choice(rows[0], "gold")
    return None


def is_gold_position(task: Task, person: int, draw: int) -> bool:
    """Whether a rater's assignment at a position, from 0, is to be a gold item."""
    if task.gold is None:
        return False
    block, position = divmod(draw, task.gold.every)
    return seeded_index(task.gold.every, task.seed, "gold place", person, block) == position


def count_gold_ahead(connection: Connection, task: Task, rater: Participant, left: int) -> int:
    """Return how many gold items a rater will get with the `left` items still to come.

    A rater's total counts these from the start, so that it does not tell which items are gold.
    """
    if task.gold is None:
        return 0
    unseen = len(_find(connection, _UNSEEN_GOLD, rater))
    draw, gold = rater.draws, 0
    while True:
        if gold < unseen and is_gold_position(task, rater.person, draw):
            gold += 1
        elif left > 0:
            left -= 1
        else:
            return gold
        draw += 1


def choose_from_task(connection: Connection, task: Task, rater: Participant) -> Choice | None:
    """Choose an item to rate, in the task's order."""
    if task.order == "file":
        rows = _find(connection, _BY_PLACE, rater)
        return Choice(rows[0], "file") if rows else None
    window = _find(connection, _BY_RANK, rater)
    if not window:
        return None
    index = seeded_index(len(window), task.seed, "item", rater.person, rater.draws)
    return Choice(window[index], "random")


def _find(
    connection: Connection, query: Select[Any], rater: Participant, **bounds: float
) -> Sequence[int]:
    values = {"in_task": rater.task, "rater": rater.person, **bounds}
    return connection.scalars(query, values).all()
