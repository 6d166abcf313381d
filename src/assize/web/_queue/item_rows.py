"""What a task's files say: a row for each item, and hashes that tell when to read them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, func, insert, select

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.signature import content_hash, file_hash, json_hash
from assize.base.version import __version__
from assize.formats import to_json
from assize.web._queue.seeded import seeded_uniform
from assize.web._storage.schema import items
from assize.web._tasks.definition import Task
from assize.web._tasks.kinds import kind_of
from assize.web._tasks.marking import expected_of, question_of
from assize.web._tasks.suggest import proposals

Rows = dict[tuple[str, bool], dict[str, Any]]
"""By the item's own id, and whether it is of the qualification."""


def item_rows(task: Task) -> Rows:
    """The rows of `items` that the task's files make.

    Raises:
        DataError: a file is wrong, or two items have one id.
    """
    kind = kind_of(task)
    gold = _expected(task, task.gold.judgments) if task.gold else {}
    examples = {example.item for example in task.examples}
    found: Rows = {}
    for place, item in enumerate(kind.items(task)):
        ordinary = "example" if item.id in examples else "rate"  # raters were shown its answers
        purpose = "gold" if item.id in gold else ordinary
        _add(found, task, item, purpose, place, gold.get(item.id))
    if task.qualification is not None:
        known = _expected(task, task.qualification.judgments)
        named = replace(task, items=tuple(task.qualification.items))
        for place, item in enumerate(kind.items(named)):
            _add(found, task, item, "qualify", place, known.get(item.id, {}))
    for id, answers in proposals(task).items():
        if (id, False) in found:
            found[id, False]["suggestion"] = dict(answers)
    for row in found.values():
        row["hash"] = json_hash(
            [row[name] for name in ("record", "purpose", "expected", "suggestion", "rank")]
        )
    return found


def insert_item(
    connection: Connection, task: Task, number: int, origin: str, record: dict[str, Any]
) -> int:
    """Insert an item that people made while the app ran; return its primary key.

    Args:
        number: primary key of the task.
        origin: collected or written.
    """
    count = select(func.count()).select_from(items).where(items.c.task == number)
    row = {
        "task": number,
        "key": record["id"],
        "purpose": "rate",
        "origin": origin,
        "record": record,
        "hash": json_hash(record),
        "place": connection.execute(count).scalar_one(),
        "rank": seeded_uniform(task.seed, "rank", record["id"]),
    }
    inserted = connection.execute(insert(items).values(row).returning(items.c.id))
    return int(inserted.scalar_one())


def _add(
    found: Rows,
    task: Task,
    item: Item,
    purpose: str,
    place: int,
    expected: Mapping[str, str] | None,
) -> None:
    key = (item.id, purpose == "qualify")
    if key in found:
        raise DataError(
            f"two items of the task have the id {item.id!r}; give each its own", source=task.path
        )
    found[key] = {
        "key": item.id,
        "purpose": purpose,
        "record": to_json(item),
        "place": place,
        "expected": expected,
        "rank": seeded_uniform(task.seed, "rank", item.id),
        "suggestion": None,
    }


def _expected(task: Task, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """By item, the answers to the task's questions that count as right."""
    questions = {one.id: one for one in kind_of(task).questions(task)}
    return {
        item: {name: said for name, said in answers.items() if question_of(name, questions)}
        for item, answers in expected_of(task, names).items()
    }


def version_hash(task: Task) -> str:
    """Another one, where people are asked something else: by the task's file, its instructions,
    or a file that its settings name, such as a rubric."""
    return content_hash(task.hash, *_hashes(task, _words(task.settings)))


def task_texts(task: Task) -> dict[str, str]:
    """Texts of the small files that the settings name, so that exports need no file."""
    names = [name for name in _words(task.settings) if name.endswith((".yaml", ".yml"))]
    read = {name: text for name in names if (text := task.text(name)) is not None}
    return {**task.texts, **read}


def data_hash(task: Task) -> str:
    """Another one, where a file that the items come from changed, or what reads it."""
    known = [task.qualification.items, task.qualification.judgments] if task.qualification else []
    gold = [task.gold.judgments] if task.gold else []
    proposed = [task.suggestions.judgments] if task.suggestions else []
    names = [name for some in (task.items, *known, *gold, *proposed) for name in some]
    return content_hash(version_hash(task), __version__, *_hashes(task, names))


def _hashes(task: Task, names: Sequence[str]) -> Iterator[str]:
    """Of each name that is a file of the project, and of the files in a folder."""
    for name in names:
        try:
            place = task.file(name)
            inside = sorted(place.rglob("*")) if place.is_dir() else [place]
            yield from (f"{one}:{file_hash(one)}" for one in inside if one.is_file())
        except (DataError, OSError, ValueError):  # a word that is no file's name
            continue


def _words(settings: Any) -> list[str]:
    """All texts in a task's settings."""
    if isinstance(settings, str):
        return [settings]
    if isinstance(settings, Mapping):
        return [word for one in settings.values() for word in _words(one)]
    if isinstance(settings, Sequence):
        return [word for one in settings for word in _words(one)]
    return []
