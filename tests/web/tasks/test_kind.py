from __future__ import annotations

from pathlib import Path

from tests.web.tasks.making import PAIR, first, make_task

from assize.web._tasks import kind_of


def test_what_is_asked_are_the_forms_questions_unless_a_kind_says_otherwise(tmp_path: Path) -> None:
    task = make_task(tmp_path, "compare", [PAIR], settings={"why": "required"})
    assert kind_of(task).asked(task, first(task)) == [("preference", None)]
