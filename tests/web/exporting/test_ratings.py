from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from tests.web.exporting.conftest import IDS
from tests.web.queue.rounds import Round, known, round_about
from tests.web.tasks import test_check_labels as test_labels
from tests.web.tasks import test_maxims, test_rate, test_write
from tests.web.tasks.making import ANSWER, TALK, USER, lines, make_task, rows

from assize.base.judgment import Unscored
from assize.web._exporting.ratings import Part, ratings, ratings_table
from assize.web._queue import skip, submit, undo, withdraw
from assize.web._storage import Store
from assize.web._storage.schema import items
from assize.web._tasks import Task
from assize.web._tasks.check_labels import LABELS
from assize.web._tasks.definition import Example, Gold, Qualification


def said(play: Round, *parts: Part) -> list[tuple[str, str, str | None]]:
    return [
        (one.item, one.judge, one.answer)
        for one in ratings(play.connection, play.task, parts or ("rate",))
    ]


def rows_after(
    store: Store,
    task: Task,
    answers: Mapping[str, str] | None = None,
    then: Callable[[Round], None] = lambda _: None,
) -> list[Any]:
    """The rows of the first item, which a rater answered, or skipped where no answers are given,
    after something else was done."""
    with round_about(store.engine, task) as play:
        one = play.given("ann")
        about = (play.connection, task, one.id, one.person, 0)
        if answers is None:
            skip(*about, "not my language", now=play.tick())
        else:
            submit(*about, answers, now=play.tick())
        then(play)
        return list(ratings(play.connection, task))


def test_the_last_submitted_answer_is_a_judgment_of_the_rater(play: Round) -> None:
    one = play.answer(play.given("ann"), "1", seconds=0.5)
    play.answer(one, "3", seconds=1.0)
    (row,) = ratings(play.connection, play.task)
    assert (row.item, row.judge, row.question, row.answer) == (one.key, "ann", "warm", "3")
    assert (row.kind, row.at) == ("person", "1970-01-01T00:16:44+00:00")
    assert row.details == {"seconds": 1.5, "version": 1, "chosen": "random"}


def proofreading(folder: Path) -> Task:
    return make_task(folder, "proofread", [TALK])


@pytest.mark.parametrize(
    ("make", "answers"),
    [
        (test_labels.task_of, test_labels.RIGHT),
        (test_maxims.task_of, test_maxims.CORRECT),
        (test_write.task_of, test_write.TEXTS),
        (proofreading, {"proofread": "accepted"}),
        (test_rate.task_of, {"solved": "2", "tone": "2", "remark": "so", "minutes": "1"}),
    ],
)
def test_a_skip_has_the_rows_of_an_answer(
    store: Store, tmp_path: Path, make: Callable[[Path], Task], answers: dict[str, str]
) -> None:
    task = make(tmp_path)
    found = rows_after(store, task)
    assert [(one.question, one.turn) for one in found] == [
        (one.question, one.turn) for one in rows(task, answers)
    ]
    assert {one.unscored for one in found} == {Unscored("skipped", "not my language")}


def test_a_skip_stays_where_the_task_cannot_ask_about_the_item_now(
    store: Store, tmp_path: Path
) -> None:
    def relabel(play: Round) -> None:
        """Acts that are none of the item's turns."""
        record = play.connection.execute(select(items.c.record)).scalar_one()
        labels = {"judge": test_labels.JUDGE, "acts": {"context": [], "a": [], "b": []}}
        changed = {**record, "metadata": {**record["metadata"], LABELS: labels}}
        play.connection.execute(update(items).values(record=changed))

    found = rows_after(store, test_labels.task_of(tmp_path), then=relabel)
    assert [(one.question, one.turn) for one in found] == [("acts", None), ("act_check", None)]
    assert {one.unscored for one in found} == {Unscored("skipped", "not my language")}


def test_what_is_undone_withdrawn_or_open_has_no_row(play: Round) -> None:
    first, second = (play.answer(play.given("ann")) for _ in range(2))
    play.given("ann")
    undo(play.connection, play.task, first.id, first.person, 1, now=play.tick())
    withdraw(play.connection, play.task, second.id, play.tick())
    assert said(play) == []


def test_pilot_rounds_are_a_part_of_their_own(play: Round) -> None:
    play.sync(replace(play.task, pilot=True, hash="pilot"))
    one = play.answer(play.given("ann"))
    play.sync(replace(play.task, pilot=False, hash="real"))
    two = play.answer(play.given("ann"))
    assert said(play) == [(two.key, "ann", "1")]
    (row,) = ratings(play.connection, play.task, ["pilot"])
    assert (row.item, (row.details or {})["pilot"]) == (one.key, True)


def test_gold_answers_and_the_qualification_are_parts_of_their_own(
    play: Round, tmp_path: Path
) -> None:
    known(tmp_path, ["c0"], "gold.jsonl")
    known(tmp_path, ["c1"], "pass.jsonl")
    gold = Gold.model_validate({"judgments": "gold.jsonl", "every": 2})
    qualification = Qualification.model_validate(
        {"items": "items.jsonl", "judgments": "pass.jsonl"}
    )
    play.sync(replace(play.task, gold=gold, qualification=qualification, hash="known"))
    play.worked("ann")
    assert [item for item, _, _ in said(play)] == ["c1", "c2", "c3"]
    table = ratings_table(play.connection, play.task, ["gold"])
    assert {(one.item, one.judge) for one in table} == {("c0", "ann"), ("c0", "gold")}
    assert len(said(play, "qualify")) == 4


def test_nobody_is_given_a_worked_example_and_older_answers_to_it_are_left_out(play: Round) -> None:
    play.answer(play.given("ann"))
    (first,) = said(play)
    example = Example(item=first[0], answers={"warm": "1"})
    play.sync(replace(play.task, examples=(example,), hash="example"))
    play.worked("ann")
    play.worked("bob")
    assert {item for item, _, _ in said(play)} == set(IDS) - {first[0]}
    (row,) = ratings(play.connection, play.task, ["example"])
    assert (row.details or {})["chosen"] == "example"


def test_an_answer_is_read_against_what_was_shown(store: Store, tmp_path: Path) -> None:
    said = {"proofread": "edited", "turn-0": "Better.", "turn-1": str(ANSWER["text"])}

    def edit(play: Round) -> None:
        lines(tmp_path / "task.jsonl", [{**TALK, "turns": [{**USER, "text": "Better."}, ANSWER]}])
        play.sync()

    (row,) = rows_after(store, proofreading(tmp_path), said, edit)
    assert (row.item, row.details["changed_turns"]) == (f"{TALK['id']}~1", [0])


@pytest.mark.parametrize("read_again", [False, True])
def test_labels_that_were_right_are_those_that_were_shown_whatever_the_file_says_now(
    store: Store, tmp_path: Path, read_again: bool
) -> None:
    task = test_labels.task_of(tmp_path)

    def relabel(play: Round) -> None:
        acts = {**test_labels.ACTS, "a": [[["Task", "Offer"]]]}
        vote = {**test_labels.VOTE, "judge": "other", "details": {"acts": acts}}
        lines(tmp_path / "judged.jsonl", [vote])
        if read_again:
            play.sync()

    whole, *turns = rows_after(store, task, test_labels.RIGHT, relabel)
    assert (whole.details["acts"], whole.details["checked"]) == (
        test_labels.ACTS,
        test_labels.JUDGE,
    )
    assert turns[1].details["of_judge"] == ["Task: Answer"]
    assert whole.item.endswith("~1") == read_again


def test_labels_that_hold_are_those_that_were_shown_though_the_judges_are_gone(
    store: Store, tmp_path: Path
) -> None:
    task = test_maxims.task_of(tmp_path)

    def remove(_: Round) -> None:
        (tmp_path / "judged.jsonl").unlink()

    whole, *each = rows_after(store, task, test_maxims.CORRECT, remove)
    assert whole.details["maxims"] == test_maxims.HELD
    assert {(row.answer, *row.details["of_judge"]) for row in each} == {
        ("right", label) for label in test_maxims.HELD.values()
    }
