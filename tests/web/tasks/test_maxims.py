from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.tasks.making import ANNA, ANSWER, PAIR, PLAIN, first, lines, make_task, rows, sent

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


def test_labels_that_hold_are_the_persons_too(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = answered(task)
    assert filled.problems == {}
    whole, *each = rows(task, filled.answers)
    assert (whole.details["maxims"], whole.score) == (HELD, 12.0)
    assert len(each) == 12


def test_too_harsh_a_label_is_put_right(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = answered(task, Quality="wrong", Quality_right="both")
    assert filled.problems == {}
    whole, *each = rows(task, filled.answers)
    assert whole.details["maxims"]["Quality"] == "both"
    quality = next(one for one in each if one.question == "maxim_check:Quality")
    assert (quality.answer, quality.details["of_judge"]) == ("wrong", ["A"])
    assert quality.details["error"] == "too harsh"


def test_the_right_label_is_asked_for_where_the_judges_is_wrong(tmp_path: Path) -> None:
    assert answered(task_of(tmp_path), Quality="wrong").problems.keys() == {"Quality-right"}


def test_the_judges_own_label_is_not_offered_in_its_place(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    fields = {one.name: one for one in kind_of(task).form(task, first(task)).fields}
    assert fields["Quality-right"].question.answers == ("B", "both", "neither")
    assert fields["Quality"].note == "The judge: A keeps to it, or keeps to it better."


def test_a_maxim_about_which_one_cannot_say_is_left_out(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    whole = rows(task, answered(task, Quality="unsure").answers)[0]
    assert "Quality" not in whole.details["maxims"]
    assert len(whole.details["maxims"]) == 11


def test_the_share_that_holds_and_the_commonest_error_come_of_it(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = answered(task, Quality="wrong", Quality_right="both")
    write(tmp_path / "anna.jsonl", rows(task, filled.answers))
    found = acts.agree(
        [tmp_path / "judged.jsonl", tmp_path / "anna.jsonl"], items=tmp_path / "task.jsonl"
    )
    every = found.maxims[0].share
    assert (every.count, every.n) == (11, 12)
    assert found.table_notes["maxims"][1] == "Most often the judge is too harsh."


def test_sides_stand_as_the_labels_name_them(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    assert not kind_of(task).paired
    shown = kind_of(task).shown(task, first(task), None)
    assert [side.turns[0].text for side in shown["sides"]] == [ANSWER["text"], PLAIN["text"]]


def test_a_judge_without_maxims_is_refused(tmp_path: Path) -> None:
    lines(tmp_path / "judged.jsonl", [{**VOTE, "details": {"maxims": {"Quality": "A"}}}])
    task = make_task(tmp_path, "check", [PAIR], settings=SETTINGS)
    with pytest.raises(DataError, match="has no maxims of 'p1'"):
        kind_of(task).form(task, first(task))


def test_the_pair_and_each_maxim_have_a_row(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    assert kind_of(task).asked(task, first(task)) == [
        ("maxims", None),
        *((f"maxim_check:{name}", None) for name in HELD),
    ]


def test_a_pair_holds_the_labels_that_are_shown(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    pair = first(task)
    (tmp_path / "judged.jsonl").unlink()
    whole = kind_of(task).judgments(task, pair, CORRECT, ANNA)[0]
    assert whole.details is not None
    assert (whole.details["maxims"], whole.details["checked"]) == (HELD, "maxim@openai:m")
