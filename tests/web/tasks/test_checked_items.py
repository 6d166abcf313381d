"""Which labels of a judge the items of a task hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import BARE, PAIR, lines, make_task
from tests.web.tasks.test_check_labels import ACTS, VOTE

from assize.base.conversation import Pair
from assize.base.errors import DataError
from assize.formats import to_json
from assize.formats.records import parse
from assize.web._tasks import Task, kind_of
from assize.web._tasks.check_labels import labels_in, read_labels, rows_of_judge


def task_of(folder: Path, votes: list[dict[str, Any]], **settings: Any) -> Task:
    lines(folder / "judged.jsonl", votes)
    given = {"judgments": ["judged.jsonl"], **settings}
    return make_task(folder, "check", [PAIR, BARE], settings=given)


TWO = [VOTE, {**VOTE, "judge": "other"}]


@pytest.mark.parametrize(
    ("votes", "settings", "problem"),
    [
        (TWO, {}, r"name the judge; .*: da@openai:m, other"),
        ([VOTE], {"judge": "gone"}, r"yaml:\d+: .*name the judge; .*: da@openai:m"),
        ([{**VOTE, "item": "elsewhere"}], {}, "labelled none of these items"),
        (
            [{**VOTE, "details": {"acts": {**ACTS, "context": []}}}],
            {},
            "has no acts of 'p1'",
        ),
    ],
    ids=["several judges", "no such judge", "other items", "other turns"],
)
def test_labels_that_cannot_be_checked_are_refused(
    tmp_path: Path, votes: list[dict[str, Any]], settings: dict[str, str], problem: str
) -> None:
    task = task_of(tmp_path, votes, **settings)
    with pytest.raises(DataError, match=problem):
        kind_of(task).items(task)


@pytest.mark.parametrize(
    ("votes", "settings", "judge"),
    [([VOTE], {}, "da@openai:m"), (TWO, {"judge": "other"}, "other")],
    ids=["the only judge need not be named", "of several one is"],
)
def test_the_labels_are_those_of_one_judge(
    tmp_path: Path, votes: list[dict[str, Any]], settings: dict[str, str], judge: str
) -> None:
    assert rows_of_judge(task_of(tmp_path, votes, **settings))[0] == judge


def test_the_first_vote_is_checked(tmp_path: Path) -> None:
    other = {**ACTS, "a": [[["Task", "Offer"]]]}
    second = {**VOTE, "order": "BA", "details": {"acts": other}}
    task = task_of(tmp_path, [second, {**VOTE, "order": "AB"}])
    assert rows_of_judge(task)[1]["p1"].order == "AB"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    task = task_of(tmp_path, [VOTE])
    assert "p1" in rows_of_judge(task)[1]
    lines(tmp_path / "judged.jsonl", [{**VOTE, "item": "p22"}])
    assert "p22" in rows_of_judge(task)[1]


def test_a_missing_file_names_its_line(tmp_path: Path) -> None:
    task = make_task(tmp_path, "check", [PAIR], settings={"judgments": ["gone.jsonl"]})
    with pytest.raises(DataError, match=r"task\.yaml:\d+: .*there is no 'gone.jsonl'"):
        kind_of(task).check(task)


def test_items_hold_the_acts_that_are_shown_whatever_becomes_of_the_file(tmp_path: Path) -> None:
    task = task_of(tmp_path, [VOTE])
    (item,) = kind_of(task).items(task)
    assert labels_in(item) == {"judge": "da@openai:m", "acts": ACTS}
    before = read_labels(task, item)
    (tmp_path / "judged.jsonl").unlink()
    kept = parse(json.loads(json.dumps(to_json(item))))
    assert isinstance(kept, Pair)
    assert read_labels(task, kept) == before
    assert kind_of(task).form(task, kept).fields


def test_labels_of_an_earlier_export_give_way_to_the_judges(tmp_path: Path) -> None:
    lines(tmp_path / "judged.jsonl", [VOTE])
    held = {"checked_labels": {"judge": "old", "acts": {"context": [], "a": [], "b": []}}}
    settings = {"judgments": ["judged.jsonl"]}
    task = make_task(tmp_path, "check", [{**PAIR, "metadata": held}], settings=settings)
    assert labels_in(kind_of(task).items(task)[0]) == {"judge": "da@openai:m", "acts": ACTS}
