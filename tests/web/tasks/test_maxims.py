from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.tasks.making import (
    ANSWER,
    PAIR,
    PLAIN,
    first,
    form_of,
    lines,
    make_task,
    rows,
    sent,
)

from assize import acts
from assize.acts import MAXIMS
from assize.base.errors import DataError
from assize.formats import write
from assize.web._forms import Filled
from assize.web._tasks import Task, kind_of

HELD = {**dict.fromkeys(MAXIMS, "both"), "Quality": "A", "Manner-1": "neither"}
VOTE = {
    "item": "p1",
    "judge": "maxim@openai:m",
    "question": "preference",
    "answer": "A",
    "kind": "model",
    "details": {"maxims": HELD},
}
SETTINGS = {"labels": "maxims", "judgments": ["judged.jsonl"]}
CORRECT = dict.fromkeys(MAXIMS, "right")


def task_of(folder: Path) -> Task:
    lines(folder / "judged.jsonl", [VOTE])
    return make_task(folder, "check", [PAIR], settings=SETTINGS)


def answered(task: Task, **said: str) -> Filled:
    return sent(task, {**CORRECT, **{name.replace("_", "-"): one for name, one in said.items()}})


@pytest.mark.parametrize(
    ("said", "changed", "score"),
    [
        ({}, {}, 12.0),
        ({"Quality": "wrong", "Quality_right": "both"}, {"Quality": "both"}, 11.0),
        ({"Quality": "unsure"}, {"Quality": None}, 11.0),
    ],
    ids=["all hold", "put right", "left out where one cannot say"],
)
def test_labels_are_the_judges_but_for_what_the_person_changes(
    task: Task, said: dict[str, str], changed: dict[str, str | None], score: float
) -> None:
    filled = answered(task, **said)
    assert filled.problems == {}
    whole, *each = rows(task, filled.answers)
    assert whole.details["maxims"] == {
        name: label for name, label in {**HELD, **changed}.items() if label is not None
    }
    assert (whole.score, len(each)) == (score, 12)


def test_the_share_that_holds_and_the_commonest_error_come_of_it(task: Task) -> None:
    found = rows(task, answered(task, Quality="wrong", Quality_right="both").answers)
    quality = next(one for one in found if one.question == "maxim_check:Quality")
    assert (quality.answer, quality.details["of_judge"]) == ("wrong", ["A"])
    assert quality.details["error"] == "too harsh"
    write(task.folder / "anna.jsonl", found)
    report = acts.agree(
        [task.folder / "judged.jsonl", task.folder / "anna.jsonl"],
        items=task.folder / "task.jsonl",
    )
    every = report.maxims[0].share
    assert (every.count, every.n) == (11, 12)
    assert report.table_notes["maxims"][1] == "Most often the judge is too harsh."


def test_the_right_label_is_asked_for_where_the_judges_is_wrong(tmp_path: Path) -> None:
    assert answered(task_of(tmp_path), Quality="wrong").problems.keys() == {"Quality-right"}


def test_the_judges_own_label_is_not_offered_in_its_place(task: Task) -> None:
    fields = {one.name: one for one in form_of(task).fields}
    assert fields["Quality-right"].question.answers == ("B", "both", "neither")
    assert fields["Quality"].note == "The judge: A keeps to it, or keeps to it better."


def test_sides_stand_as_the_labels_name_them(task: Task) -> None:
    assert not kind_of(task).paired
    shown = kind_of(task).shown(task, first(task), None)
    assert [side.turns[0].text for side in shown["sides"]] == [ANSWER["text"], PLAIN["text"]]


def test_a_judge_without_maxims_is_refused(tmp_path: Path) -> None:
    lines(tmp_path / "judged.jsonl", [{**VOTE, "details": {"maxims": {"Quality": "A"}}}])
    task = make_task(tmp_path, "check", [PAIR], settings=SETTINGS)
    with pytest.raises(DataError, match="has no maxims of 'p1'"):
        form_of(task)
