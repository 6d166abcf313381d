"""A small project that collects conversations, with scripted systems and documents to search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from assize.web._storage import Store
from assize.web._storage.schema import people, task_versions, tasks
from assize.web._tasks.definition import Task, read_task

PAGES = {
    "keys.md": "# Rotating keys\n\nRotate storage keys every ninety days. Keep two keys.",
    "vaults.md": "# Vaults\n\nA vault holds secrets. Purge protection keeps a deleted vault.",
    "cats.md": "# Cats\n\nCats sleep most of the day, on keyboards by preference.",
}
TOPICS = [
    {"id": "keys", "text": "rotate storage keys", "documents": ["keys.md"]},
    {"id": "vaults", "text": "restore a deleted vault", "documents": ["vaults.md"]},
]
SYSTEMS = [{"name": "DS1", "model": "scripted:first"}]


def make_project(folder: Path, systems: list[dict[str, Any]], **settings: Any) -> Task:
    """A project with one task; returns the task."""
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    (folder / "pages").mkdir(exist_ok=True)
    for name, text in PAGES.items():
        (folder / "pages" / name).write_text(text)
    (folder / "topics.jsonl").write_text("\n".join(map(json.dumps, TOPICS)))
    kind = settings.pop("kind", "collect")
    form = {"rubric": "information-seeking"} if kind == "collect" else {}
    told = {"form": form, "documents": ["pages"], "systems": systems, **settings}
    said = {"task": "help", "kind": kind, "items": ["topics.jsonl"], "settings": told}
    path = folder / "tasks" / "help.yaml"
    path.write_text(yaml.safe_dump(said))
    return read_task(path, folder)


@pytest.fixture
def store(store: Store) -> Store:
    """A database with two raters and one task, whose numbers are 1, 2 and 1."""

    def fill(connection: Any) -> None:
        rows = [{"name": name, "role": "rater", "created": 0.0} for name in ("ann", "ben")]
        connection.execute(people.insert(), rows)
        connection.execute(tasks.insert().values(name="help", kind="collect", version=1))
        connection.execute(
            task_versions.insert().values(task=1, number=1, source="", hash="", created=0.0)
        )

    store.write_now(fill)
    return store


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """A task whose one system is scripted."""
    return make_project(tmp_path, SYSTEMS)
