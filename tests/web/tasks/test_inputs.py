from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import BARE, PAIR, TALK, lines, make_task

from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.errors import DataError
from assize.web._tasks.inputs import items_of, only, rubric_named


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([PAIR], r"'p1': kind 'rate' takes a conversation; this is a pair"),
        ([TALK, TALK], "two items have the id 'c1'"),
        ([], r"task\.yaml:1: items: name a file"),
    ],
)
def test_items_that_cannot_be_are_refused(
    tmp_path: Path, records: list[dict[str, Any]], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        items_of(make_task(tmp_path, "rate", records), Conversation)


def test_items_of_all_files_stand_in_their_order(tmp_path: Path) -> None:
    lines(tmp_path / "more.jsonl", [BARE])
    task = make_task(tmp_path, "rate", [TALK], items=["task.jsonl", "more.jsonl"])
    assert [one.id for one in items_of(task, Conversation)] == ["c1", "c2"]


def test_what_is_of_the_wrong_type_is_named() -> None:
    with pytest.raises(DataError, match="'k' is a continuation, not a pair"):
        only(Continuation("k", (), ""), Pair)


OWN = """rubric: own
main: q
sections:
  - questions:
      - {id: q, text: "Good?", answers: {1: no, 2: yes}}
"""


def test_a_shipped_rubric_is_found_by_its_name(tmp_path: Path) -> None:
    assert rubric_named(make_task(tmp_path, "rate", [TALK]), "general").name == "general"


def test_a_rubric_of_the_project_is_read_again_when_it_changes(tmp_path: Path) -> None:
    task, path = make_task(tmp_path, "rate", [TALK]), tmp_path / "own.yaml"
    path.write_text(OWN)
    assert rubric_named(task, "own.yaml").question("q").text == "Good?"
    path.write_text(OWN.replace("Good?", "Fine?"))
    assert rubric_named(task, "own.yaml").question("q").text == "Fine?"


@pytest.mark.parametrize(
    ("named", "problem"), [("none", "no rubric 'none'"), ("none.yaml", "there is no file")]
)
def test_a_rubric_that_is_not_there_is_refused(tmp_path: Path, named: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        rubric_named(make_task(tmp_path, "rate", [TALK]), named)


def test_a_rubric_with_a_mistake_names_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(OWN.replace("main: q", "main: r"))
    with pytest.raises(DataError, match=r"own\.yaml:2: main: received 'r'"):
        rubric_named(make_task(tmp_path, "rate", [TALK]), "own.yaml")
