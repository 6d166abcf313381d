from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import ANNA, first, make_task, rows, sent

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.web._tasks import Task, kind_of
from assize.web._tasks.proofread import writers_of

WRITTEN = {
    "id": "b1-abc",
    "turns": [
        {"role": "user", "text": "where is it"},
        {"role": "assistant", "text": "On it's way."},
        {"role": "user", "text": "thx"},
    ],
    "metadata": {"scenario": "A parcel is late.", "persona": "impatient"},
}
SAME = {f"turn-{place}": turn["text"] for place, turn in enumerate(WRITTEN["turns"])}  # type: ignore[index]


def task_of(folder: Path, **settings: Any) -> Task:
    return make_task(folder, "proofread", [WRITTEN], settings=settings)


def left(task: Task, answers: Any) -> list[Conversation]:
    found = kind_of(task).made(task, first(task), answers, ANNA)
    return [one for one in found if isinstance(one, Conversation)]


def test_the_brief_stands_beside_the_conversation(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    shown = kind_of(task).shown(task, first(task), None)
    assert (shown["scenario"], shown["about"]) == ("A parcel is late.", {"persona": "impatient"})
    assert len(shown["turns"]) == 3


def test_what_is_accepted_leaves_as_it_stands(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, {"proofread": "accepted", "turn-1": "not looked at"})
    (talk,) = left(task, filled.answers)
    assert talk.turns == first(task).turns  # type: ignore[union-attr]
    assert talk.metadata["proofread"]["verdict"] == "accepted"


def test_edited_turns_leave_as_they_were_edited(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, {"proofread": "edited", **SAME, "turn-1": "On its way."})
    assert filled.problems == {}
    (talk,) = left(task, filled.answers)
    assert [one.text for one in talk.turns] == ["where is it", "On its way.", "thx"]
    assert talk.id == "b1-abc"
    (row,) = rows(task, filled.answers)
    assert row.details["changed_turns"] == [1]


def test_an_emptied_turn_is_left_out(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, {"proofread": "edited", **SAME, "turn-2": ""})
    assert [one.text for one in left(task, filled.answers)[0].turns] == [
        "where is it",
        "On it's way.",
    ]


def test_an_edit_that_changes_nothing_is_none(tmp_path: Path) -> None:
    filled = sent(task_of(tmp_path), {"proofread": "edited", **SAME})
    assert "No turn was changed" in filled.problems["proofread"]


def test_an_edit_that_leaves_nothing_is_refused(tmp_path: Path) -> None:
    filled = sent(task_of(tmp_path), {"proofread": "edited"})
    assert "Nothing is left" in filled.problems["proofread"]


def test_what_is_rejected_says_why_and_does_not_leave(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    assert sent(task, {"proofread": "rejected"}).problems.keys() == {"comment"}
    filled = sent(task, {"proofread": "rejected", "comment": "another scenario"})
    assert left(task, filled.answers) == []
    (row,) = rows(task, filled.answers)
    assert (row.answer, row.explanation) == ("rejected", "another scenario")


def test_what_holds_is_kept(tmp_path: Path) -> None:
    task = task_of(tmp_path, checks=["Good style"])
    filled = sent(task, {"proofread": "accepted", "checks": ["Good style"]})
    assert rows(task, filled.answers)[0].details["holds"] == ["Good style"]


def test_what_tools_answered_is_neither_edited_nor_lost(tmp_path: Path) -> None:
    call = {"role": "assistant", "text": "", "tool_calls": [{"id": "t", "name": "track"}]}
    result = {"role": "tool", "text": "in Hall", "tool_call_id": "t"}
    talk = {**WRITTEN, "turns": [WRITTEN["turns"][0], call, result]}  # type: ignore[index]
    task = make_task(tmp_path, "proofread", [talk])
    filled = sent(task, {"proofread": "edited", "turn-0": "Where is it?"})
    assert [one.text for one in left(task, filled.answers)[0].turns] == [
        "Where is it?",
        "",
        "in Hall",
    ]


@pytest.mark.parametrize(("of", "problem"), [("", "name the writers' task"), ("task", "itself")])
def test_where_conversations_come_from_must_be_said(tmp_path: Path, of: str, problem: str) -> None:
    task = make_task(tmp_path, "proofread", settings={"of": of})
    with pytest.raises(DataError, match=problem):
        kind_of(task).check(task)


def test_a_task_that_reads_another_needs_no_files(tmp_path: Path) -> None:
    task = make_task(tmp_path, "proofread", settings={"of": "writing"})
    kind_of(task).check(task)
    assert kind_of(task).items(task) == []


def test_two_cannot_make_records_of_one_id(tmp_path: Path) -> None:
    task = make_task(tmp_path, "proofread", [WRITTEN], raters_per_item=2)
    with pytest.raises(DataError, match=r"raters_per_item: .* for a second time, add a task"):
        kind_of(task).check(task)


def test_the_writers_task_of_a_task_is_found(tmp_path: Path) -> None:
    writing = make_task(tmp_path, "write", [{"id": "b", "text": "x"}], name="writing")
    one = make_task(tmp_path, "proofread", name="one", settings={"of": "writing"})
    two = make_task(tmp_path, "proofread", name="two", settings={"of": "one"})
    found = [writers_of(task, [two, writing, one]) for task in (writing, one, two)]
    assert found == [None, writing, None]
