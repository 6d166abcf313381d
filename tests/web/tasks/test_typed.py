from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.tasks.making import BARE, PAIR, TALK, lines, make_task

from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.errors import DataError
from assize.web._tasks.typed import items_of, only, wanted


def test_items_of_all_files_stand_in_their_order(tmp_path: Path) -> None:
    lines(tmp_path / "more.jsonl", [BARE])
    task = make_task(tmp_path, "rate", [TALK], items=["task.jsonl", "more.jsonl"])
    assert [one.id for one in items_of(task, Conversation)] == ["c1", "c2"]


def test_an_item_of_another_type_is_refused(tmp_path: Path) -> None:
    task = make_task(tmp_path, "rate", [PAIR])
    with pytest.raises(DataError, match=r"'p1': kind 'rate' takes a conversation; this is a pair"):
        items_of(task, Conversation)


def test_two_items_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="two items have the id 'c1'"):
        items_of(make_task(tmp_path, "rate", [TALK, TALK]), Conversation)


def test_a_task_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"task\.yaml:1: items: name a file"):
        items_of(make_task(tmp_path, "rate"), Conversation)


def test_what_is_of_the_wrong_type_is_named() -> None:
    with pytest.raises(DataError, match="'k' is a continuation, not a pair"):
        only(Continuation("k", (), ""), Pair)
    assert wanted([Pair]) == "a pair"
