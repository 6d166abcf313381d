from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update
from tests.web.exporting.conftest import IDS
from tests.web.queue.rounds import Round, conversations, round_about
from tests.web.tasks.making import make_task
from tests.web.tasks.test_write import BRIEF, TEXTS

from assize.base.conversation import Conversation
from assize.web._exporting.records import items_of, made_by
from assize.web._queue import submit
from assize.web._storage import Store
from assize.web._storage.schema import items


def ids(play: Round) -> list[str]:
    return [one.id for one in items_of(play.connection, play.task)]


def test_what_is_gone_from_the_file_is_there_as_long_as_it_is_answered(play: Round) -> None:
    one = play.answer(play.given("ann"))
    conversations(play.task.folder, ["new"])
    play.sync()
    assert sorted(ids(play)) == sorted([one.key, "new"])


@pytest.mark.parametrize(("purpose", "count"), [("rate", 1), ("qualify", 0)])
def test_what_people_wrote_is_a_record_unless_it_was_to_qualify(
    store: Store, tmp_path: Path, purpose: str, count: int
) -> None:
    with round_about(store.engine, make_task(tmp_path, "write", [BRIEF])) as play:
        one = play.given("ann")
        submit(play.connection, play.task, one.id, one.person, 0, TEXTS, now=3.0)
        play.connection.execute(update(items).values(purpose=purpose))
        made = list(made_by(play.connection, play.task))
    assert len(made) == count
    assert all(isinstance(one, Conversation) and one.turns for one in made)


def test_what_was_changed_is_there_as_long_as_it_is_answered(play: Round) -> None:
    one = play.answer(play.given("ann"))
    play.given("bob")
    conversations(play.task.folder, IDS, text="hello")
    play.sync()
    texts = {item.id: item.turns[0].text for item in items_of(play.connection, play.task)}  # type: ignore[union-attr]
    assert texts[f"{one.key}~1"] == f"hi {one.key}"
    assert texts[one.key] == f"hello {one.key}"
    assert texts.keys() == {*IDS, f"{one.key}~1"}
