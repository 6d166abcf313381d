from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import ANNA, PAIR, PLAIN, USER, first, lines, make_task, rows, sent

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


def test_every_turn_is_asked_about_beside_it(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    form = kind_of(task).form(task, first(task))
    assert [one.name for one in form.beside(0)] == ["turn-0", "turn-0-right"]
    assert [one.name for one in form.beside(2)] == ["turn-2", "turn-2-right"]


def test_the_judges_acts_are_there_to_be_corrected(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    field = kind_of(task).form(task, first(task)).beside(1)[1]
    assert (field.initial, field.widget) == (("Task: Answer",), "pick")
    assert "Task: Propositional Question" in field.question.answers


def test_acts_that_are_right_are_the_persons_too(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, RIGHT)
    assert filled.problems == {}
    whole, *turns = rows(task, filled.answers)
    assert whole.details["acts"] == ACTS
    assert [(one.turn, one.answer) for one in turns] == [(0, "right"), (1, "right"), (2, "right")]


def test_corrected_acts_stand_in_the_judges_place(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    corrected = ["Task: Answer", "Task: Inform"]
    filled = sent(task, {**RIGHT, "turn-1": "wrong", "turn-1-right": corrected})
    assert filled.problems == {}
    whole, _, of_a, _ = rows(task, filled.answers)
    assert whole.details["acts"]["a"] == [[["Task", "Answer"], ["Task", "Inform"]]]
    assert of_a.details["error"] == "missing"
    assert of_a.details["of_judge"] == ["Task: Answer"]


def test_a_turn_about_which_one_cannot_say_was_not_looked_at(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    whole = rows(task, sent(task, {**RIGHT, "turn-2": "unsure"}).answers)[0]
    assert whole.details["acts"]["b"] == [None]


def test_a_turn_without_any_function_is_corrected_to_none(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, {**RIGHT, "turn-1": "wrong"})
    assert filled.problems == {}
    assert rows(task, filled.answers)[0].details["acts"]["a"] == [[]]


def test_what_is_said_to_be_wrong_is_put_right(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, {**RIGHT, "turn-1": "wrong", "turn-1-right": "Task: Answer"})
    assert filled.problems == {"turn-1-right": "These are the judge's. Write down the right ones."}


def test_functions_are_chosen_from_the_taxonomy(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, {**RIGHT, "turn-1": "wrong", "turn-1-right": "Task: Nonsense"})
    assert filled.problems.keys() == {"turn-1-right"}


def test_a_function_that_the_judge_made_up_is_shown_and_can_be_taken_out(tmp_path: Path) -> None:
    acts = {**ACTS, "a": [[["Task", "Answer"], ["Task", "Musing"]]]}
    task = task_of(tmp_path, votes=[{**VOTE, "details": {"acts": acts}}])
    filled = sent(task, {**RIGHT, "turn-1": "wrong", "turn-1-right": "Task: Answer"})
    assert filled.problems == {}


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


def test_shares_and_the_commonest_error_come_of_it(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    answers = sent(
        task, {**RIGHT, "turn-1": "wrong", "turn-1-right": ["Task: Answer", "Task: Inform"]}
    ).answers
    write(tmp_path / "anna.jsonl", rows(task, answers))
    found = assize.acts.agree(
        [tmp_path / "judged.jsonl", tmp_path / "anna.jsonl"], items=tmp_path / "task.jsonl"
    )
    assert (found.gold, found.judges) == ("anna", (JUDGE,))
    right = found.turns[0].share
    assert (right.count, right.n) == (2, 3)
    assert found.table_notes["turns"][1] == "The commonest error: a function is missing."


def test_turns_that_the_judge_was_not_shown_are_not_asked_about(tmp_path: Path) -> None:
    longer = {**PAIR, "context": [USER, PLAIN, USER]}
    votes = [{**VOTE, "details": {"acts": ACTS, "left_out_turns": 2}}]
    task = task_of(tmp_path, longer, votes=votes)
    form = kind_of(task).form(task, first(task))
    assert form.beside(0) == ()
    answers = {f"turn-{turn}": "right" for turn in (2, 3, 4)}
    whole, *turns = rows(task, sent(task, answers).answers)
    assert (whole.details["acts"], whole.details["left_out_turns"]) == (ACTS, 2)
    assert [one.turn for one in turns] == [2, 3, 4]
    write(tmp_path / "anna.jsonl", [whole])
    found = assize.acts.agree(
        [tmp_path / "judged.jsonl", tmp_path / "anna.jsonl"], items=tmp_path / "task.jsonl"
    )
    assert found.turns[0].share.n == 3


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


def test_a_remark_explains_the_whole_row(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    whole = rows(task, {**RIGHT, "note": "odd"}, replace(ANNA, rater="ben"))[0]
    assert (whole.explanation, whole.judge) == ("odd", "ben")


def test_the_instructions_define_every_function(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    text = kind_of(task).instructions(task)
    assert "**Set Question**" in text
    assert "**Allo-Feedback**" in text


def test_the_item_and_each_turn_that_the_judge_labelled_have_a_row(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    assert kind_of(task).asked(task, first(task)) == [
        ("acts", None),
        ("act_check", 0),
        ("act_check", 1),
        ("act_check", 2),
    ]
