from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import ANNA, BARE, TALK, make_task, rows, sent

from assize.base.errors import DataError
from assize.criteria._labelled_items import labelled_items
from assize.formats import write
from assize.web._tasks import Task, kind_of


def task_of(folder: Path, **settings: Any) -> Task:
    return make_task(folder, "label", [TALK, BARE], settings=settings)


def test_a_label_is_1_or_0_with_its_reasons(tmp_path: Path) -> None:
    task = task_of(tmp_path, reasons=["wrong facts", "too long"])
    filled = sent(task, {"label": "0", "reasons": ["too long"], "why": "It rambles."})
    assert filled.problems == {}
    (row,) = rows(task, filled.answers)
    assert (row.question, row.answer, row.explanation) == ("label", "0", "It rambles.")
    assert row.details["reasons"] == ["too long"]


def test_reasons_in_words_are_asked_for_unless_the_settings_say_otherwise(tmp_path: Path) -> None:
    assert sent(task_of(tmp_path), {"label": "1"}).problems.keys() == {"why"}
    assert sent(task_of(tmp_path, why="no"), {"label": "1"}).problems == {}


def test_who_cannot_tell_answers_na_where_that_is_offered(tmp_path: Path) -> None:
    assert sent(task_of(tmp_path), {"label": "NA", "why": "?"}).problems
    task = task_of(tmp_path, unsure=True)
    filled = sent(task, {"label": "NA", "why": "half and half"})
    assert rows(task, filled.answers)[0].answer == "NA"


def test_criteria_are_learnt_from_what_people_labelled(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    kind = kind_of(task)
    items = kind.items(task)
    found = [
        row
        for item, label in zip(items, "10", strict=True)
        for rater in ("anna", "ben")
        for row in kind.judgments(
            task, item, {"label": label, "why": "so"}, replace(ANNA, rater=rater)
        )
    ]
    path = tmp_path / "people.jsonl"
    write(path, found)
    labelled = labelled_items(items, str(path))
    assert [(one.conversation.id, one.good) for one in labelled] == [("c1", True), ("c2", False)]


def test_a_reason_that_stands_twice_is_refused(tmp_path: Path) -> None:
    task = task_of(tmp_path, reasons=["a", "a"])
    with pytest.raises(DataError, match="reasons differ"):
        kind_of(task).check(task)
