"""Items of a task's files, of the types that its kind takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.base.errors import DataError
from assize.formats import read
from assize.web._tasks.definition import Task, problem_in

T = TypeVar("T", bound=Item)

_NAMES: dict[type, str] = {
    Conversation: "a conversation",
    Pair: "a pair",
    Continuation: "a continuation",
}


def items_of(task: Task, *types: type[T]) -> list[T]:
    """The items of the task's files, in their order.

    Raises:
        DataError: the task names no file, one cannot be read, an item is of another type, or
            two have one id.
    """
    if not task.items:
        raise problem_in(task, "name a file of items", "items")
    found: dict[str, T] = {}
    for name in task.items:
        for one in read(task.file(name)).records():
            if not isinstance(one, types):
                raise DataError(
                    f"{getattr(one, 'id', '')!r}: kind {task.kind!r} takes {wanted(types)};"
                    f" this is {_NAMES.get(type(one), 'a judgment')}",
                    source=name,
                )
            if one.id in found:
                raise DataError(f"two items have the id {one.id!r}; give each its own", source=name)
            found[one.id] = one
    if not found:
        raise problem_in(task, "there is nothing in these files", "items")
    return list(found.values())


def only(item: Item, *types: type[T]) -> T:
    """The item, which is of one of these types.

    Raises:
        DataError: it is not.
    """
    if not isinstance(item, types):
        raise DataError(f"{item.id!r} is {_NAMES[type(item)]}, not {wanted(types)}")
    return item


def wanted(types: Sequence[type]) -> str:
    """Types in words.

    >>> wanted([Conversation, Pair])
    'a conversation or a pair'
    """
    return " or ".join(_NAMES[one] for one in types)
