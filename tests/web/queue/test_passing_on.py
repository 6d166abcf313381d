from __future__ import annotations

import pytest
from sqlalchemy import select
from tests.web.queue.office import ANNA, BEN, CARA, NO, YES, Office
from tests.web.queue.rounds import assignment
from tests.web.tasks.test_write import TEXTS

from assize.base.errors import ConfigError
from assize.web._accounts.leaving import leave
from assize.web._exporting.records import made_by
from assize.web._queue import Assignment, skip, sync_task
from assize.web._queue.passing_on import pass_on
from assize.web._queue.reassign import assign, reassign
from assize.web._storage.schema import items

ANEW = {**TEXTS, "turn-0": "where can it be"}


def test_what_was_written_is_there_once_to_be_read_by_others(
    office: Office, written: Assignment
) -> None:
    assert office.texts() == ["where is it"]
    assert office.given(office.reading, ANNA) is None
    assert office.given(office.reading, BEN).record["metadata"]["scenario"] == "A parcel is late."
    assert office.passed() == 0


def test_no_lead_lets_a_writer_proofread_their_own(office: Office, written: Assignment) -> None:
    theirs = office.given(office.reading, BEN)
    about = (office.connection, office.reading)
    why = f"anna wrote '{theirs.key}'; choose somebody else to proofread it"
    with pytest.raises(ConfigError, match=why):
        reassign(*about, theirs.id, ANNA, office.now + 1)
    with pytest.raises(ConfigError, match=why):
        assign(*about, theirs.key, ANNA, office.now + 2)
    assert assign(*about, theirs.key, BEN, office.now + 3).state == "reserved"


def test_a_writer_who_leaves_is_not_passed_on_again(office: Office, written: Assignment) -> None:
    leave(office.connection, ANNA, office.now, "keep")
    assert (office.passed(), office.texts()) == (0, ["where is it"])


def test_a_writer_who_leaves_may_take_what_nobody_reads(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.write(BEN, {**TEXTS, "turn-0": "parcel?"})
    office.passed()
    leave(office.connection, ANNA, office.now, "remove")
    assert "where is it" not in str(office.connection.scalars(select(items.c.record)).all())
    assert (office.passed(), office.texts()) == (0, ["parcel?"])


def test_what_a_writer_undid_goes_with_them_and_is_counted_once(
    office: Office, written: Assignment
) -> None:
    office.undo(office.writing, written)
    office.passed()
    leave(office.connection, ANNA, office.now, "remove")
    assert office.texts() == []
    assert "where is it" not in str(office.connection.scalars(select(items.c.record)).all())


def test_what_others_read_stays_when_its_writer_leaves(office: Office, written: Assignment) -> None:
    assert office.given(office.reading, BEN) is not None
    leave(office.connection, ANNA, office.now, "remove")
    assert (office.passed(), office.texts()) == (0, ["where is it"])


def test_an_edit_replaces_what_nobody_has_read(office: Office, written: Assignment) -> None:
    office.change(office.writing, written, {**TEXTS, "turn-0": "WHERE"})
    assert (office.passed(), office.texts()) == (1, ["WHERE"])


def test_what_was_undone_is_taken_back(office: Office, written: Assignment) -> None:
    office.undo(office.writing, written)
    assert (office.passed(), office.texts()) == (1, [])


def test_what_somebody_reads_stays_as_it_is(office: Office, written: Assignment) -> None:
    assert office.given(office.reading, BEN) is not None
    office.undo(office.writing, written)
    assert (office.passed(), office.texts()) == (0, ["where is it"])


def test_each_writer_of_a_brief_is_read(office: Office) -> None:
    office.write(ANNA, TEXTS)
    office.write(BEN, {**TEXTS, "turn-0": "parcel?"})
    assert office.passed() == 2
    assert office.given(office.reading, ANNA).record["turns"][0]["text"] == "parcel?"


def test_a_project_without_proofreaders_passes_nothing_on(office: Office) -> None:
    office.write(ANNA, TEXTS)
    assert pass_on(office.connection, [office.writing]) == 0


def test_what_was_taken_back_and_comes_again_is_offered_to_who_went_on(office: Office) -> None:
    done = [office.write(ANNA, TEXTS), office.write(BEN, {**TEXTS, "turn-0": "parcel?"})]
    office.passed()
    i = items.c
    asked = select(i.record).where(i.origin == "written").order_by(i.rank).limit(1)
    first = office.connection.execute(asked).scalar_one()
    mine = done[first["turns"][0]["text"] == "parcel?"]
    opened = office.undo(office.writing, mine)
    office.passed()
    office.answer(office.reading, CARA, YES)
    assert office.given(office.reading, CARA) is None
    office.change(office.writing, opened, {**TEXTS, "turn-1": "Soon."})
    office.passed()
    assert office.given(office.reading, CARA) is not None


def test_what_was_changed_while_it_was_read_is_read_again_where_it_was_rejected(
    office: Office,
    written: Assignment,
) -> None:
    one = office.given(office.reading, BEN)
    office.change(office.writing, written, ANEW)
    assert (office.passed(), office.texts()) == (0, ["where is it"])
    office.change(office.reading, one, NO)
    assert (office.passed(), office.texts()) == (1, ["where can it be"])


def test_what_was_accepted_stays_as_it_was_read(office: Office, written: Assignment) -> None:
    office.answer(office.reading, BEN, YES)
    office.change(office.writing, written, ANEW)
    assert (office.passed(), office.texts()) == (0, ["where is it"])


def test_what_a_proofreader_skipped_and_its_writer_changed_is_an_item_of_its_own(
    office: Office,
    written: Assignment,
) -> None:
    one = office.given(office.reading, BEN)
    skip(office.connection, office.reading, one.id, BEN, one.revision, "odd", now=office.now + 1)
    office.change(office.writing, written, ANEW)
    assert (office.passed(), office.texts()) == (1, ["where can it be"])
    assert assignment(office.connection, one.id, BEN).key == f"{one.key}~1"
    assert office.given(office.reading, ANNA) is None
    assert office.given(office.reading, CARA) is not None


def test_a_brief_that_is_changed_keeps_its_texts_where_they_are_read(
    office: Office, written: Assignment
) -> None:
    office.answer(office.reading, BEN, YES)
    path = office.writing.folder / "writing.jsonl"
    path.write_text(path.read_text().replace("parcel", "letter"))
    sync_task(office.connection, office.writing, office.now)
    assert (office.passed(), office.texts()) == (0, ["where is it"])
    office.write(ANNA, ANEW)
    assert (office.passed(), office.texts()) == (1, ["where is it", "where can it be"])
    office.answer(office.reading, CARA, YES)
    wrote = {one.id for one in made_by(office.connection, office.writing)}
    assert {one.partition("-")[0] for one in wrote} == {"b1", "b1~1"}
    assert {one.id for one in made_by(office.connection, office.reading)} == wrote
