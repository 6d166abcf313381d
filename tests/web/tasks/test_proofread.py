from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import ANNA, first, make_task, rows, sent, taken

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


@pytest.mark.parametrize(
    ("edit", "texts", "changed"),
    [
        ({"turn-1": "On its way."}, ["where is it", "On its way.", "thx"], [1]),
        ({"turn-2": ""}, ["where is it", "On it's way."], [2]),
    ],
    ids=["edited", "emptied"],
)
def test_edited_turns_leave_as_they_were_edited(
    tmp_path: Path, edit: dict[str, str], texts: list[str], changed: list[int]
) -> None:
    task = task_of(tmp_path, checks=["Good style"])
    answers = taken(task, {"proofread": "edited", **SAME, **edit, "checks": ["Good style"]})
    (talk,) = left(task, answers)
    assert (talk.id, [one.text for one in talk.turns]) == ("b1-abc", texts)
    (row,) = rows(task, answers)
    assert (row.details["changed_turns"], row.details["holds"]) == (changed, ["Good style"])


@pytest.mark.parametrize(
    ("answers", "field", "problem"),
    [
        ({"proofread": "edited", **SAME}, "proofread", "No turn was changed"),
        ({"proofread": "edited"}, "proofread", "Nothing is left"),
        ({"proofread": "rejected"}, "comment", "Please say"),
    ],
)
def test_a_verdict_that_cannot_be_says_what_is_missing(
    task: Task, answers: dict[str, str], field: str, problem: str
) -> None:
    problems = sent(task, answers).problems
    assert problems.keys() == {field}
    assert problem in problems[field]


@pytest.mark.parametrize(
    ("records", "fields", "problem"),
    [
        ([], {"settings": {"of": ""}}, "name the writers' task"),
        ([], {"settings": {"of": "task"}}, "itself"),
        ([WRITTEN], {"raters_per_item": 2}, r"raters_per_item: .* for a second time, add a task"),
    ],
)
def test_a_task_that_cannot_be_is_refused(
    tmp_path: Path, records: list[dict[str, Any]], fields: dict[str, Any], problem: str
) -> None:
    task = make_task(tmp_path, "proofread", records, **fields)
    with pytest.raises(DataError, match=problem):
        kind_of(task).check(task)


def test_the_brief_stands_beside_the_conversation(task: Task) -> None:
    shown = kind_of(task).shown(task, first(task), None)
    assert (shown["scenario"], shown["about"]) == ("A parcel is late.", {"persona": "impatient"})
    assert len(shown["turns"]) == 3


def test_what_is_accepted_leaves_as_it_stands(task: Task) -> None:
    answers = taken(task, {"proofread": "accepted", "turn-1": "not looked at"})
    (talk,) = left(task, answers)
    assert talk.turns == first(task).turns  # type: ignore[union-attr]
    assert talk.metadata["proofread"]["verdict"] == "accepted"


def test_what_is_rejected_says_why_and_does_not_leave(task: Task) -> None:
    answers = taken(task, {"proofread": "rejected", "comment": "another scenario"})
    assert left(task, answers) == []
    (row,) = rows(task, answers)
    assert (row.answer, row.explanation) == ("rejected", "another scenario")


def test_what_tools_answered_is_neither_edited_nor_lost(tmp_path: Path) -> None:
    call = {"role": "assistant", "text": "", "tool_calls": [{"id": "t", "name": "track"}]}
    result = {"role": "tool", "text": "in Hall", "tool_call_id": "t"}
    talk = {**WRITTEN, "turns": [WRITTEN["turns"][0], call, result]}  # type: ignore[index]
    task = make_task(tmp_path, "proofread", [talk])
    answers = taken(task, {"proofread": "edited", "turn-0": "Where is it?"})
    assert [one.text for one in left(task, answers)[0].turns] == [
        "Where is it?",
        "",
        "in Hall",
    ]


def test_the_writers_task_of_a_task_is_found(tmp_path: Path) -> None:
    writing = make_task(tmp_path, "write", [{"id": "b", "text": "x"}], name="writing")
    one = make_task(tmp_path, "proofread", name="one", settings={"of": "writing"})
    two = make_task(tmp_path, "proofread", name="two", settings={"of": "one"})
    found = [writers_of(task, [two, writing, one]) for task in (writing, one, two)]
    assert found == [None, writing, None]
