from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import (
    PAIR,
    PLAIN,
    USER,
    form_of,
    lines,
    make_task,
    rows,
    sent,
    taken,
)

import assize
from assize.formats import write
from assize.web._tasks import Task, kind_of
from assize.web._tasks.check_labels import error_of

JUDGE = "da@openai:m"
ACTS = {
    "context": [[["Task", "Set Question"]]],
    "a": [[["Task", "Answer"]]],
    "b": [[["Social Obligations Management", "Initial Greeting"], ["Task", "Inform"]]],
}
VOTE = {
    "item": "p1",
    "judge": JUDGE,
    "question": "preference",
    "answer": "A",
    "kind": "model",
    "details": {"acts": ACTS},
}
RIGHT = {"turn-0": "right", "turn-1": "right", "turn-2": "right"}


def task_of(
    folder: Path,
    *records: dict[str, Any],
    votes: list[dict[str, Any]] | None = None,
    **settings: Any,
) -> Task:
    lines(folder / "judged.jsonl", votes or [VOTE])
    given = {"judgments": ["judged.jsonl"], **settings}
    return make_task(folder, "check", records or [PAIR], settings=given)


def agreed(task: Task, judgments: list[Any]) -> tuple[Any, str]:
    """The share of the judge's acts that is right by what Anna said, and what is said of errors."""
    write(task.folder / "anna.jsonl", judgments)
    found = assize.acts.agree(
        [task.folder / "judged.jsonl", task.folder / "anna.jsonl"],
        items=task.folder / "task.jsonl",
    )
    assert (found.gold, found.judges) == ("anna", (JUDGE,))
    return found.turns[0].share, found.table_notes["turns"][-1]


def test_the_judges_acts_stand_beside_each_turn_to_be_corrected(task: Task) -> None:
    form = form_of(task)
    assert [one.name for one in form.beside(0)] == ["turn-0", "turn-0-right"]
    asked, right = form.beside(1)
    assert (asked.name, right.initial, right.widget) == ("turn-1", ("Task: Answer",), "pick")
    assert "Task: Propositional Question" in right.question.answers


@pytest.mark.parametrize(
    ("changed", "acts"),
    [
        ({}, ACTS),
        ({"turn-2": "unsure"}, {**ACTS, "b": [None]}),
        ({"turn-1": "wrong"}, {**ACTS, "a": [[]]}),
    ],
    ids=["all right", "not looked at", "without any function"],
)
def test_acts_are_the_judges_but_for_what_the_person_changes(
    task: Task, changed: dict[str, str], acts: dict[str, Any]
) -> None:
    answers = {**RIGHT, **changed}
    whole, *turns = rows(task, {**taken(task, answers), "note": "odd"})
    assert whole.details["acts"] == acts
    assert whole.explanation == "odd"
    assert {f"turn-{one.turn}": one.answer for one in turns} == answers


def test_corrected_acts_stand_in_the_judges_place(task: Task) -> None:
    corrected = ["Task: Answer", "Task: Inform"]
    found = rows(task, taken(task, {**RIGHT, "turn-1": "wrong", "turn-1-right": corrected}))
    assert found[0].details["acts"]["a"] == [[["Task", "Answer"], ["Task", "Inform"]]]
    assert found[2].details["error"] == "missing"
    assert found[2].details["of_judge"] == ["Task: Answer"]
    right, error = agreed(task, found)
    assert (right.count, right.n, error) == (2, 3, "The commonest error: a function is missing.")


@pytest.mark.parametrize(
    ("right", "problem"), [("Task: Answer", "These are the judge's"), ("Task: Nonsense", "in the")]
)
def test_what_is_said_to_be_wrong_is_put_right_by_the_taxonomy(
    task: Task, right: str, problem: str
) -> None:
    filled = sent(task, {**RIGHT, "turn-1": "wrong", "turn-1-right": right})
    assert filled.problems.keys() == {"turn-1-right"}
    assert problem in filled.problems["turn-1-right"]


def test_a_function_that_the_judge_made_up_is_shown_and_can_be_taken_out(tmp_path: Path) -> None:
    acts = {**ACTS, "a": [[["Task", "Answer"], ["Task", "Musing"]]]}
    task = task_of(tmp_path, votes=[{**VOTE, "details": {"acts": acts}}])
    taken(task, {**RIGHT, "turn-1": "wrong", "turn-1-right": "Task: Answer"})


@pytest.mark.parametrize(
    ("judge", "person", "error"),
    [
        (["T: a"], ["T: a", "T: b"], "missing"),
        (["T: a", "T: b"], ["T: a"], "invented"),
        (["T: a"], ["T: b"], "wrong"),
        (["T: a"], ["T: b", "T: c"], "several"),
        (["T: a"], ["S: a"], "wrong"),
    ],
)
def test_errors_are_named_by_the_functions(judge: list[str], person: list[str], error: str) -> None:
    assert error_of(judge, person) == error


def test_turns_that_the_judge_was_not_shown_are_not_asked_about(tmp_path: Path) -> None:
    longer = {**PAIR, "context": [USER, PLAIN, USER]}
    votes = [{**VOTE, "details": {"acts": ACTS, "left_out_turns": 2}}]
    task = task_of(tmp_path, longer, votes=votes)
    assert form_of(task).beside(0) == ()
    whole, *turns = rows(task, taken(task, {f"turn-{turn}": "right" for turn in (2, 3, 4)}))
    assert (whole.details["acts"], whole.details["left_out_turns"]) == (ACTS, 2)
    assert [one.turn for one in turns] == [2, 3, 4]
    assert agreed(task, [whole])[0].n == 3


def test_conversations_are_checked_turn_by_turn(tmp_path: Path) -> None:
    talk = {"id": "c1", "turns": [USER, PLAIN]}
    acts = {"turns": [[["Task", "Set Question"]], [["Task", "Answer"]]]}
    vote = {
        "item": "c1",
        "judge": "acts@local",
        "question": "acts",
        "score": 2,
        "details": {"acts": acts},
    }
    task = task_of(tmp_path, talk, votes=[vote])
    whole, *turns = rows(task, sent(task, {"turn-0": "right", "turn-1": "right"}).answers)
    assert whole.details["acts"] == acts
    assert (whole.score, len(turns)) == (2.0, 2)


def test_the_instructions_define_every_function(task: Task) -> None:
    text = kind_of(task).instructions(task)
    assert "**Set Question**" in text
    assert "**Allo-Feedback**" in text
