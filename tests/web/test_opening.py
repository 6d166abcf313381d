"""From a folder to an app."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from postgres import Postgres
from sqlalchemy import func, select
from tests.web.accounts.projects import TASK, write_project

from assize.base.errors import ConfigError, DataError
from assize.web._opening import opened, opened_store
from assize.web._storage.schema import items, people


def test_a_first_start_offers_a_link_and_brings_the_items_in(tmp_path: Path) -> None:
    write_project(tmp_path)
    with opened(tmp_path, url="http://localhost:1") as app:
        assert any("http://localhost:1/invitation/" in line for line in app.greeting)
        assert not any("no task" in line for line in app.greeting)
        with app.store.connect() as connection:
            assert connection.scalar(select(func.count()).select_from(items)) == 3


def test_an_open_app_has_its_one_user_and_no_link(tmp_path: Path) -> None:
    with opened(tmp_path, open=True) as app:
        assert not any("invitation" in line for line in app.greeting)
        assert any("no task yet" in line for line in app.greeting)
        with app.store.connect() as connection:
            assert connection.scalars(select(people.c.role)).all() == ["admin"]


def test_a_password_in_the_address_of_a_database_is_not_shown(
    tmp_path: Path, postgres_server: Postgres
) -> None:
    url = postgres_server.database()
    with opened(tmp_path, database=url.replace("postgres@", "postgres:secret@")) as app:
        assert app.database == url.replace("postgres@", "postgres:***@")


def test_a_store_is_closed_whatever_happens(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), opened_store(tmp_path) as (_, store):
        raise ZeroDivisionError
    with pytest.raises(ConfigError, match="the store is closed"):
        asyncio.run(store.write(lambda _: None))


def test_a_task_is_held_against_its_files_only_when_they_changed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_project(tmp_path, task=TASK + "gold: {judgments: [gold.jsonl]}\n", size=1)
    gold = '{"item": "c0", "judge": "people", "question": "Q0", "answer": "%s"}\n'
    (tmp_path / "gold.jsonl").write_text(gold % 4)
    for told in (["task chats: every item is gold; nothing is left to rate"], []):
        caplog.clear()
        with opened_store(tmp_path):
            assert caplog.messages == told
    (tmp_path / "gold.jsonl").write_text(gold % "purple")
    with pytest.raises(DataError, match="purple"), opened_store(tmp_path):
        pass
