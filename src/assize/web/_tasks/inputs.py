"""What a task's files hold: items, judgments, rubrics."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import read, read_judgments
from assize.formats.records import parse
from assize.judgments import JudgmentTable
from assize.rubric import Rubric, load_rubric, parse_rubric
from assize.rubric._reading import shipped
from assize.web._tasks.definition import Task, problem_in

T = TypeVar("T", bound=Item)

_NAMES: dict[type, str] = {
    Conversation: "a conversation",
    Pair: "a pair",
    Continuation: "a continuation",
}


def items_of(task: Task, *types: type[T]) -> list[T]:
    """Read the items of the task's files, in their order.

    Raises:
        DataError: the task names no file, one cannot be read, an item is of another type, or
            two have one id.
    """
    if not task.items:
        raise problem_in(task, "name a file of items", "items")
    items: dict[str, T] = {}
    for name in task.items:
        for item in read(task.file(name)).records():
            if not isinstance(item, types):
                wanted = " or ".join(_NAMES[kind] for kind in types)
                raise DataError(
                    f"{getattr(item, 'id', '')!r}: kind {task.kind!r} takes {wanted};"
                    f" this is {_NAMES.get(type(item), 'a judgment')}",
                    source=name,
                )
            if item.id in items:
                raise DataError(
                    f"two items have the id {item.id!r}; give each its own", source=name
                )
            items[item.id] = item
    if not items:
        raise problem_in(task, "there is nothing in these files", "items")
    return list(items.values())


def read_item(record: Any) -> Item:
    """Return the item of a record in the database."""
    item = parse(record)
    assert not isinstance(item, Judgment)
    return item


def only(item: Item, *types: type[T]) -> T:
    """Return the item, which is of one of these types.

    Raises:
        DataError: it is not.
    """
    if not isinstance(item, types):
        wanted = " or ".join(_NAMES[kind] for kind in types)
        raise DataError(f"{item.id!r} is {_NAMES[type(item)]}, not {wanted}")
    return item


def read_votes(task: Task, names: Sequence[str], *place: str) -> list[JudgmentTable]:
    """Read files of judgments that a task names; each is read again only when it changed.

    Args:
        place: where the task's file names them.

    Raises:
        DataError: a file is not there, or cannot be read.
    """
    paths = [task.file(name) for name in names]
    for name, path in zip(names, paths, strict=True):
        if not os.path.isfile(path):
            raise problem_in(task, f"there is no {name!r}", *place)
    return [_read_judgments(path, path.stat().st_mtime_ns) for path in paths]


@lru_cache(maxsize=16)
def _read_judgments(path: Path, changed: int) -> JudgmentTable:
    return read_judgments(path)


def rubric_named(task: Task, name: str) -> Rubric:
    """Read a shipped rubric by its name, or a file of the project.

    Raises:
        DataError: there is none of that name, or the file is none.
    """
    if not name.endswith((".yaml", ".yml")):
        if name not in shipped():
            known = ", ".join(shipped())
            problem = f"no rubric {name!r}; shipped are {known}, or name a file"
            raise problem_in(task, problem, "settings", "rubric")
        return _shipped(name)
    text = task.text(name)
    if text is None:
        raise problem_in(task, f"there is no file {name!r}", "settings", "rubric")
    return _parse(text, name)


_shipped = lru_cache(maxsize=64)(load_rubric)
_parse = lru_cache(maxsize=64)(parse_rubric)
