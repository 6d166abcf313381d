"""What is to be asked: an item's tasks for each judge, without those that are done."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from assize.base.conversation import Conversation, Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import Order
from assize.judging.judge import Judge, Task, sees_order
from assize.judging.records import task_key
from assize.judging.session import RunSettings
from assize.running.key_set import KeySet


def tasks_of(
    items: Iterable[Item],
    judges: Sequence[Judge],
    settings: RunSettings,
    done: Container[int],
    on_skip: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Judge, Task]]:
    """What is to be asked, item by item, without what is done."""
    seen = KeySet()
    for item in items:
        key = task_key(item.id, "", None, 0)
        if key in seen:
            if settings.on_error == "fail":
                problem = f"two items have the id {item.id!r}"
                raise DataError(f"{problem}; give each its own or pass --on-error skip")
            on_skip()
            continue
        seen.add(key)
        for judge in judges:
            for task in tasks_for(judge, item, settings):
                if task_key(task.item.id, judge.name, task.order, task.repeat) not in done:
                    yield judge, task


def tasks_for(judge: Judge, item: Item, settings: RunSettings) -> Iterator[Task]:
    """An item's tasks: both orders of a pair, both sides for who judges conversations."""
    for repeat in range(settings.repeats):
        if isinstance(item, Pair) and Pair in judge.takes:
            if not sees_order(judge):
                yield Task(item, None, repeat)
                continue
            for order in orders(item.id, settings.votes, settings.seed):
                yield Task(item, order, repeat)
        elif isinstance(item, Pair) and Conversation in judge.takes:
            for side in item.sides():
                yield Task(side, None, repeat)
        elif isinstance(item, tuple(judge.takes)) or settings.on_error == "skip":
            yield Task(item, None, repeat)
        else:
            raise DataError(f"{item.id}: {explain_not_taken(judge, item)}; or pass --on-error skip")


def orders(id: str, votes: int, seed: int) -> tuple[Order, ...]:
    """The orders in which a pair is shown.

    >>> orders("p1", 2, 0)
    ('AB', 'BA')
    """
    if votes == 2:
        return ("AB", "BA")
    return ("BA",) if task_key(id, str(seed), None, 0) % 2 else ("AB",)


def takes_task(judge: Judge, task: Task) -> bool:
    """Whether a judge judges items of a task's kind."""
    return isinstance(task.item, tuple(judge.takes))


def explain_not_taken(judge: Judge, item: Item) -> str:
    """Say that a judge does not judge items of a kind."""
    takes = " or ".join(f"{kind.__name__.lower()}s" for kind in judge.takes)
    return f"{judge.name} judges {takes}, and this is a {type(item).__name__.lower()}"
