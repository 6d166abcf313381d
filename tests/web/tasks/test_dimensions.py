from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import BARE, first, make_task, rows, sent

from assize.base.errors import DataError
from assize.judging.judges.rating import NAMES, RATING_DIMENSIONS
from assize.web._tasks import Task, kind_of


def task_of(folder: Path, **settings: Any) -> Task:
    return make_task(folder, "dimensions", [BARE], settings=settings)


def test_people_are_asked_what_the_judge_is_asked(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    assert list(kind_of(task).questions(task)) == list(RATING_DIMENSIONS.questions)


def test_each_dimension_is_rated_from_1_to_10(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    filled = sent(task, {f"rating:{name}": "10" for name in NAMES})
    assert filled.problems == {}
    found = rows(task, filled.answers)
    assert [(one.question, one.answer) for one in found] == [
        (f"rating:{one}", "10") for one in NAMES
    ]
    assert sent(task, {f"rating:{name}": "11" for name in NAMES}).problems


def test_each_field_says_what_its_dimension_means(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    fields = kind_of(task).form(task, first(task)).fields
    assert fields[0].question.text == "Accuracy"
    assert fields[0].note.startswith("What it says is true")
    assert fields[-1].question.text == "Overall"


def test_some_dimensions_can_be_asked_alone(tmp_path: Path) -> None:
    task = task_of(tmp_path, dimensions=["Safety", "Overall"])
    assert [one.id for one in kind_of(task).questions(task)] == ["rating:Safety", "rating:Overall"]


@pytest.mark.parametrize("wrong", [["Beauty"], ["Safety", "Safety"], []])
def test_unknown_and_repeated_dimensions_are_refused(tmp_path: Path, wrong: list[str]) -> None:
    task = task_of(tmp_path, dimensions=wrong)
    with pytest.raises(DataError, match="dimension"):
        kind_of(task).check(task)
