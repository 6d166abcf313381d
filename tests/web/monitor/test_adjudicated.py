from __future__ import annotations

from pathlib import Path

from tests.web.monitor.test_settling import Room
from tests.web.monitor.worked import reword

from assize.web._monitor.adjudicated import adjudicated
from assize.web._monitor.settling import reopen


def test_what_was_settled_is_judgments_with_the_answers_and_no_name(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.settle(clear="2", kind="3")
    with room.worked.store.connect() as connection:
        clear, kind = adjudicated(connection, room.worked.task)
    assert (clear.item, clear.judge, clear.question, clear.answer) == (
        "c0",
        "adjudicated",
        "clear",
        "2",
    )
    assert (kind.question, kind.answer, kind.at) == ("kind", "3", "1970-01-01T00:00:02+00:00")
    assert clear.details is not None
    assert clear.details.keys() == {"answers", "reason"}
    assert clear.details["reason"] == "Read twice."
    assert sorted(clear.details["answers"]) == ["Rater 1", "Rater 2"]
    assert "ann" not in str(clear)


def test_what_is_open_makes_no_judgment(tmp_path: Path) -> None:
    room = Room(tmp_path)
    with room.worked.store.connect() as connection:
        assert adjudicated(connection, room.worked.task) == []
    room.settle(clear="2", kind="3")
    room.worked.store.write_now(reopen, room.by("lead"))
    with room.worked.store.connect() as connection:
        assert adjudicated(connection, room.worked.task) == []


def test_what_was_settled_before_the_item_was_changed_stays_with_the_old_one(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path)
    room.settle(clear="2", kind="3")
    reword(room.worked)
    with room.worked.store.connect() as connection:
        found = adjudicated(connection, room.worked.task)
    assert {one.item for one in found} == {"c0~1"}
