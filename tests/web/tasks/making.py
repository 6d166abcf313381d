"""Task files for tests, and the people who answer them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from assize.base.conversation import Item
from assize.web._forms import Answers, Filled, Form, fill
from assize.web._tasks import Rating, Task, kind_of, read_task

ANNA = Rating("anna", 1, 12.34, "2026-11-23T09:00:00Z")
USER = {"role": "user", "text": "How do I rotate keys?"}
SOURCE = {"id": "1", "title": "Rotate keys", "text": "Choose Regenerate key."}
ANSWER = {"role": "assistant", "text": "Choose Regenerate key [1].", "references": [SOURCE]}
PLAIN = {"role": "assistant", "text": "Hello! How can I help?"}
TALK = {"id": "c1", "turns": [USER, ANSWER], "metadata": {"topic": "rotate keys"}}
BARE = {"id": "c2", "turns": [USER, PLAIN]}
PAIR = {"id": "p1", "context": [USER], "a": [ANSWER], "b": [PLAIN]}


def lines(path: Path, records: Sequence[Mapping[str, Any]]) -> None:
    """Writes records as JSON, one a line."""
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def make_task(
    folder: Path,
    kind: str,
    records: Sequence[Mapping[str, Any]] = (),
    *,
    name: str = "task",
    settings: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Task:
    """A task whose items are these records."""
    written: dict[str, Any] = {"task": name, "kind": kind, **fields}
    if records:
        lines(folder / f"{name}.jsonl", records)
        written.setdefault("items", [f"{name}.jsonl"])
    if settings:
        written["settings"] = dict(settings)
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(written, sort_keys=False), encoding="utf-8")
    return read_task(path, folder)


def first(task: Task) -> Item:
    """The task's first item."""
    return kind_of(task).items(task)[0]


def sent(task: Task, answers: Mapping[str, str | list[str]], item: Item | None = None) -> Filled:
    """What a form takes of these answers."""
    posted = {name: [one] if isinstance(one, str) else list(one) for name, one in answers.items()}
    return fill(kind_of(task).form(task, first(task) if item is None else item), posted)


def rows(task: Task, answers: Mapping[str, str | list[str]], rating: Rating = ANNA) -> list[Any]:
    """The judgments of answers to the first item."""
    item = first(task)
    return list(kind_of(task).judgments(task, item, answers, rating))


def form_of(task: Task) -> Form:
    """What is asked of the first item."""
    return kind_of(task).form(task, first(task))


def taken(task: Task, answers: Mapping[str, str | list[str]]) -> Answers:
    """Answers that the form takes without a problem."""
    filled = sent(task, answers)
    assert filled.problems == {}
    return filled.answers
