from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.webapp.exporting.conftest import IDS
from tests.webapp.queue.rounds import Round, add_people, check, conversations, task_in
from tests.webapp.tasks import test_acts

from assize.errors import DataError
from assize.judgment import Judgment
from assize.webapp.exporting import (
    export_task,
    history,
    import_ratings,
    import_task,
    ratings,
)
from assize.webapp.exporting.ratings import last_answers
from assize.webapp.queue import Nothing, skip, submit, undo
from assize.webapp.queue.answering import send_back
from assize.webapp.storage import Store, open_store
from assize.webapp.storage.schema import assignments


@pytest.fixture
def worked(play: Round) -> Round:
    """Answers, an edit, a skip, an answer that was undone, and repeats."""
    play.sync(replace(play.task, repeats=0.5, hash="repeats"))
    play.answer(play.answer(play.given("ann"), "1"), "2")
    one = play.given("ann")
    skip(play.connection, play.task, one.id, one.person, 0, "odd", now=play.tick())
    one = play.answer(play.given("bob"), "3")
    undo(play.connection, play.task, one.id, one.person, 1, now=play.tick())
    play.tick(10_000)
    play.worked("ann")
    play.connection.commit()
    return play


@contextmanager
def elsewhere(folder: Path, text: str = "hi") -> Iterator[Round]:
    """The same task in another project, where nobody has rated."""
    folder.mkdir()
    conversations(folder, IDS, text=text)
    store = open_store(f"sqlite:///{folder / 'other.db'}")
    with store.engine.connect() as connection:
        play = Round(connection, task_in(folder, repeats=0.5), {}, now=90_000.0)
        play.sync()
        yield play
    store.close()


def test_a_folder_comes_back_as_it_was(worked: Round, store: Store, tmp_path: Path) -> None:
    export_task(store, worked.task, tmp_path / "out")
    with elsewhere(tmp_path / "other") as play:
        found = import_task(play.connection, play.task, tmp_path / "out")
        check(play.connection, play.task)
        before = list(history(worked.connection, worked.task))
        assert list(history(play.connection, play.task)) == before
        assert (found.assignments, found.known, found.people) == (len(before), 0, 2)
        assert list(ratings(play.connection, play.task)) == list(
            ratings(worked.connection, worked.task)
        )


def test_taken_up_twice_nothing_is_doubled(worked: Round, store: Store, tmp_path: Path) -> None:
    export_task(store, worked.task, tmp_path / "out")
    with elsewhere(tmp_path / "other") as play:
        first = import_task(play.connection, play.task, tmp_path / "out")
        second = import_task(play.connection, play.task, tmp_path / "out")
        assert (second.assignments, second.known) == (0, first.assignments)


def test_judgments_alone_come_back_as_the_same_judgments(worked: Round, tmp_path: Path) -> None:
    rows = list(ratings(worked.connection, worked.task))
    with elsewhere(tmp_path / "other") as play:
        import_ratings(play.connection, play.task, rows)
        check(play.connection, play.task)
        assert list(ratings(play.connection, play.task)) == rows


def test_work_goes_on_behind_what_was_taken_up(worked: Round, store: Store, tmp_path: Path) -> None:
    export_task(store, worked.task, tmp_path / "out")
    with elsewhere(tmp_path / "other") as play:
        import_task(play.connection, play.task, tmp_path / "out")
        from sqlalchemy import select

        from assize.webapp.storage.schema import people

        play.people = {
            row.name: row.id for row in play.connection.execute(select(people.c.id, people.c.name))
        }
        assert isinstance(play.next("ann"), Nothing)
        assert play.worked("bob")
        check(play.connection, play.task)


def test_what_was_sent_back_comes_as_a_draft(play: Round, store: Store, tmp_path: Path) -> None:
    one = play.answer(play.given("ann"), "1")
    send_back(play.connection, play.task, one.id, one.person, 1, now=play.tick())
    play.connection.commit()
    export_task(store, play.task, tmp_path / "out")
    with elsewhere(tmp_path / "other") as other:
        import_task(other.connection, other.task, tmp_path / "out")
        check(other.connection, other.task)
        asked = select(assignments.c.state, assignments.c.draft)
        assert other.connection.execute(asked).all() == [("expired", {"warm": "1"})]


def test_collected_items_come_with_the_folder(worked: Round, store: Store, tmp_path: Path) -> None:
    export_task(store, worked.task, tmp_path / "out")
    with elsewhere(tmp_path / "other") as play:
        conversations(play.task.folder, IDS[:1])
        play.sync()
        conversations(play.task.folder, [*IDS[:1], "new"])
        play.sync()
        assert import_task(play.connection, play.task, tmp_path / "out").items == 0


def test_ratings_of_models_and_gold_are_passed_over(play: Round) -> None:
    rows = [
        Judgment("c0", "io@openai:gpt-4o", "warm", answer="1", kind="model"),
        Judgment("c0", "gold", "warm", answer="1"),
        Judgment("c0", "eve", "warm", answer="2"),
    ]
    found = import_ratings(play.connection, play.task, rows)
    assert (found.assignments, found.people) == (1, 1)
    (row,) = ratings(play.connection, play.task)
    assert (row.judge, row.answer) == ("eve", "2")
    assert (row.details or {})["chosen"] == "imported"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Judgment("nowhere", "eve", "warm", answer="1"), "has no item 'nowhere'"),
        (Judgment("c0", "eve", "sweet", answer="1"), "no answers to the form"),
        (Judgment("c0", "eve", "warm", answer="1", at="soon"), "is no time"),
    ],
)
def test_what_the_task_cannot_hold_is_refused(play: Round, row: Judgment, said: str) -> None:
    with pytest.raises(DataError, match=said):
        import_ratings(play.connection, play.task, [row])


def test_a_file_that_is_no_history_is_refused(play: Round, tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_text('{"item": 1}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"history.jsonl:1: no record of an export's history"):
        import_task(play.connection, play.task, tmp_path)


def shown(play: Round) -> list[tuple[str, str]]:
    """Who answered what, by the text that stood there."""
    return [
        (row.name, row.record["turns"][0]["text"])
        for row in last_answers(play.connection, play.task)
    ]


def test_answers_stay_with_what_was_shown_when_they_are_taken_up_elsewhere(
    worked: Round, store: Store, tmp_path: Path
) -> None:
    conversations(worked.task.folder, IDS, text="hello")
    worked.sync()
    worked.worked("bob", 2)
    worked.connection.commit()
    export_task(store, worked.task, tmp_path / "out")
    before = shown(worked)
    assert {text.split()[0] for _, text in before} == {"hi", "hello"}
    for text in ("hi", "hello", "good day"):
        with elsewhere(tmp_path / text, text) as play:
            import_task(play.connection, play.task, tmp_path / "out")
            check(play.connection, play.task)
            assert shown(play) == before


def test_an_edition_that_did_not_come_along_is_missed(
    worked: Round, store: Store, tmp_path: Path
) -> None:
    conversations(worked.task.folder, IDS, text="hello")
    worked.sync()
    worked.connection.commit()
    export_task(store, worked.task, tmp_path / "out")
    (tmp_path / "out" / "editions.jsonl").unlink()
    with (
        elsewhere(tmp_path / "other") as play,
        pytest.raises(DataError, match=r"answered edition 1 of 'c\d', which is not there"),
    ):
        import_task(play.connection, play.task, tmp_path / "out")


def test_labels_that_were_checked_elsewhere_stay_those_that_were_shown(
    store: Store, tmp_path: Path
) -> None:
    with store.engine.connect() as connection:
        play = Round(connection, test_acts.task_of(tmp_path), add_people(connection, ("ann",)))
        play.sync()
        one = play.given("ann")
        submit(connection, play.task, one.id, one.person, 0, test_acts.RIGHT, now=play.tick())
        connection.commit()
        export_task(store, play.task, tmp_path / "out")
        before = list(ratings(connection, play.task))
    (tmp_path / "other").mkdir()
    acts = {**test_acts.ACTS, "a": [[["Task", "Offer"]]]}
    votes = [{**test_acts.VOTE, "details": {"acts": acts}}]
    task = test_acts.task_of(tmp_path / "other", votes=votes)
    there = open_store(f"sqlite:///{tmp_path / 'other' / 'other.db'}")
    with there.engine.connect() as connection:
        Round(connection, task, {}).sync()
        import_task(connection, task, tmp_path / "out")
        after = list(ratings(connection, task))
    there.close()
    assert [one.answer for one in after] == [one.answer for one in before]
    assert (after[0].details or {})["acts"] == test_acts.ACTS
    assert {(one.details or {})["edition"] for one in after} == {1}
