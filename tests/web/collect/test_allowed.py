"""Whether a rater may go on with a chat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from tests.web.collect.conftest import SYSTEMS, make_project

from assize.simulate._topics_file import Topic
from assize.web._collect.allowed import check_allowed, hindrance, lacks_system, least_exchanges
from assize.web._collect.settings import collect_settings
from assize.web._queue import set_state
from assize.web._storage import Store
from assize.web._storage.chats import Chat, NotPossible
from assize.web._storage.schema import people
from assize.web._tasks.definition import Task

ANN = 1
CHAT = Chat("c1", 1, ANN, Topic("keys", "rotate keys"), ("DS1",), "open", 1.0)


@pytest.mark.parametrize(
    ("state", "changes", "words"),
    [
        ("closed", {}, "closed"),
        ("open", {"raters": ("ben",)}, "no longer among"),
        ("open", {"consent": "New words."}, "agree"),
    ],
)
def test_what_hinders_is_told_in_words(
    store: Store, task: Task, state: str, changes: dict[str, Any], words: str
) -> None:
    store.write_now(set_state, task, state)
    assert words in store.read_now(hindrance, replace(task, **changes), ANN)


def test_who_was_disabled_goes_on_with_nothing(store: Store, task: Task) -> None:
    store.write_now(lambda one: one.execute(update(people).values(disabled=True)))
    with store.connect() as connection, pytest.raises(NotPossible, match="no longer among"):
        check_allowed(connection, task, ANN)


def test_a_chat_whose_system_is_gone_may_end_early(tmp_path: Path) -> None:
    there = collect_settings(make_project(tmp_path, SYSTEMS, least_exchanges=4))
    other = [{"name": "DS9", "model": "scripted:first"}]
    gone = collect_settings(make_project(tmp_path, other, least_exchanges=4))
    assert (lacks_system(there, CHAT), least_exchanges(there, CHAT)) == (False, 4)
    assert (lacks_system(gone, CHAT), least_exchanges(gone, CHAT)) == (True, 1)
