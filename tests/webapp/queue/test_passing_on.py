from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select
from tests.webapp.tasks.making import make_task
from tests.webapp.tasks.test_write import BRIEF, TEXTS

from assize.errors import ConfigError
from assize.formats import to_json
from assize.webapp.accounts.leaving import leave
from assize.webapp.project import Project
from assize.webapp.queue import Assignment, Nothing, next_assignment, submit, sync_project, undo
from assize.webapp.queue.assigning import assign, reassign
from assize.webapp.queue.passing_on import pass_on, written
from assize.webapp.storage.engine import engine_of
from assize.webapp.storage.migrating import upgrade
from assize.webapp.storage.schema import items, people, tasks
from assize.webapp.tasks import Task

ANNA, BEN = 1, 2


@dataclass
class Office:
    """A writers' task, a proofreaders' task, two people, and a lead."""

    connection: Connection
    writing: Task
    reading: Task
    now: float = 1_000.0

    def given(self, task: Task, person: int) -> Assignment | None:
        self.now += 1
        found = next_assignment(self.connection, task, person, self.now)
        return None if isinstance(found, Nothing) else found

    def write(self, person: int, answers: dict[str, str]) -> Assignment:
        one = self.given(self.writing, person)
        assert one is not None
        self.now += 1
        return submit(
            self.connection, self.writing, one.id, person, one.revision, answers, now=self.now
        )

    def passed(self) -> int:
        return pass_on(self.connection, [self.writing, self.reading])

    def texts(self) -> list[str]:
        """The first turn of each conversation that is there to be read."""
        asked = (
            select(items.c.record)
            .join(tasks, items.c.task == tasks.c.id)
            .where(tasks.c.name == "reading", items.c.removed.is_(False))
        )
        return [row.record["turns"][0]["text"] for row in self.connection.execute(asked)]


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    writing = make_task(
        tmp_path, "write", [BRIEF], name="writing", settings={"least": 2}, raters_per_item=2
    )
    reading = make_task(tmp_path, "proofread", name="reading", settings={"of": "writing"})
    engine = engine_of(f"sqlite:///{tmp_path}/assize.db")
    upgrade(engine)
    with engine.begin() as connection:
        for name in ("anna", "ben"):
            connection.execute(
                insert(people).values(name=name, role="rater", disabled=False, created=0.0)
            )
        connection.execute(
            insert(people).values(
                name="lea", role="admin", password="kept", disabled=False, created=0.0
            )
        )
        project = Project(tmp_path, "t", "", (writing, reading))
        sync_project(connection, project, 0.0)
        yield Office(connection, writing, reading)
    engine.dispose()


def test_what_was_written_is_there_to_be_read(office: Office) -> None:
    office.write(ANNA, TEXTS)
    assert office.passed() == 1
    assert office.texts() == ["where is it"]
    found = office.given(office.reading, BEN)
    assert found is not None
    assert found.record["metadata"]["scenario"] == "A parcel is late."


def test_nobody_proofreads_their_own(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.passed()
    assert office.given(office.reading, ANNA) is None


def test_no_lead_lets_a_writer_proofread_their_own(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.passed()
    theirs = office.given(office.reading, BEN)
    assert theirs is not None
    about = (office.connection, office.reading)
    why = f"anna wrote '{theirs.key}'; choose somebody else to proofread it"
    with pytest.raises(ConfigError, match=why):
        reassign(*about, theirs.id, ANNA, office.now + 1)
    with pytest.raises(ConfigError, match=why):
        assign(*about, theirs.key, ANNA, office.now + 2)
    assert assign(*about, theirs.key, BEN, office.now + 3).state == "reserved"


def test_a_writer_who_leaves_is_not_passed_on_again(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.passed()
    leave(office.connection, ANNA, office.now, "keep", [office.writing, office.reading])
    assert (office.passed(), office.texts()) == (0, ["where is it"])


def test_a_writer_who_leaves_may_take_what_nobody_reads(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.write(BEN, {**TEXTS, "turn-0": "parcel?"})
    office.passed()
    leave(office.connection, ANNA, office.now, "remove", [office.writing, office.reading])
    records = office.connection.scalars(select(items.c.record)).all()
    assert "where is it" not in str(records)
    assert (office.passed(), office.texts()) == (0, ["parcel?"])
    sizes = select(tasks.c.size).where(tasks.c.name == "reading")
    assert office.connection.execute(sizes).scalar_one() == 1


def test_what_a_writer_undid_goes_with_them_and_is_counted_once(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    office.passed()
    undo(office.connection, office.writing, done.id, ANNA, done.revision, now=office.now + 1)
    office.passed()
    leave(office.connection, ANNA, office.now, "remove", [office.writing, office.reading])
    asked = select(tasks.c.size).where(tasks.c.name == "reading")
    assert office.connection.execute(asked).scalar_one() == 0
    assert "where is it" not in str(office.connection.scalars(select(items.c.record)).all())


def test_what_others_read_stays_when_its_writer_leaves(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.passed()
    assert office.given(office.reading, BEN) is not None
    leave(office.connection, ANNA, office.now, "remove", [office.writing, office.reading])
    assert (office.passed(), office.texts()) == (0, ["where is it"])


def test_what_was_proofread_elsewhere_is_not_passed_on_again(office: Office) -> None:
    office.write(ANNA, TEXTS)
    (sent,) = written(office.connection, office.writing)
    about = {**sent.conversation.metadata["written"], "by": "another"}
    talk = replace(
        sent.conversation, id="b1-another",
        metadata={**sent.conversation.metadata, "written": about},
    )  # fmt: skip
    task = select(tasks.c.id).where(tasks.c.name == "reading").scalar_subquery()
    office.connection.execute(
        insert(items).values(
            task=task, key=talk.id, origin="imported", rank=0.5, place=0, hash="",
            record=to_json(talk),
        )
    )  # fmt: skip
    assert (office.passed(), office.passed(), office.texts()) == (0, 0, ["where is it"])
    assert office.given(office.reading, ANNA) is None
    assert office.given(office.reading, BEN) is not None


def test_passing_on_twice_changes_nothing(office: Office) -> None:
    office.write(ANNA, TEXTS)
    assert (office.passed(), office.passed()) == (1, 0)


def test_an_edit_replaces_what_nobody_has_read(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    office.passed()
    office.now += 1
    submit(
        office.connection, office.writing, done.id, ANNA, done.revision,
        {**TEXTS, "turn-0": "WHERE"}, now=office.now,
    )  # fmt: skip
    assert (office.passed(), office.texts()) == (1, ["WHERE"])


def test_what_was_undone_is_taken_back(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    office.passed()
    undo(office.connection, office.writing, done.id, ANNA, done.revision, now=office.now + 1)
    assert (office.passed(), office.texts()) == (1, [])


def test_what_somebody_reads_stays_as_it_is(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    office.passed()
    assert office.given(office.reading, BEN) is not None
    undo(office.connection, office.writing, done.id, ANNA, done.revision, now=office.now + 1)
    assert (office.passed(), office.texts()) == (0, ["where is it"])


def test_each_writer_of_a_brief_is_read(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.write(BEN, {**TEXTS, "turn-0": "parcel?"})
    assert office.passed() == 2
    mine = office.given(office.reading, ANNA)
    assert mine is not None
    assert mine.record["turns"][0]["text"] == "parcel?"


def test_the_size_of_the_task_grows(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.passed()
    asked = select(tasks.c.size).where(tasks.c.name == "reading")
    assert office.connection.execute(asked).scalar_one() == 1


def test_only_what_holds_counts_as_written(office: Office) -> None:
    done = office.write(ANNA, TEXTS)
    assert [one.writer for one in written(office.connection, office.writing)] == [ANNA]
    undo(office.connection, office.writing, done.id, ANNA, done.revision, now=office.now + 1)
    assert written(office.connection, office.writing) == []


def test_a_project_without_proofreaders_passes_nothing_on(office: Office) -> None:
    office.write(ANNA, TEXTS)
    assert pass_on(office.connection, [office.writing]) == 0
