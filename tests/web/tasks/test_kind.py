from __future__ import annotations

from pathlib import Path

from tests.web.tasks.making import ANNA, PAIR, TALK, first, make_task

from assize.web._tasks import kind_of
from assize.web._tasks.kind import Kind
from assize.web._tasks.proofread import Proofread


def test_a_kind_says_only_what_is_its_own(tmp_path: Path) -> None:
    task = make_task(tmp_path, "proofread", [TALK])
    kind: Kind = Proofread()
    assert not kind.paired
    assert kind.examples(task) == ()
    assert kind.made(task, first(task), {}, ANNA) == ()


def test_what_is_asked_are_the_forms_questions_unless_a_kind_says_otherwise(tmp_path: Path) -> None:
    task = make_task(tmp_path, "compare", [PAIR], settings={"why": "required"})
    assert kind_of(task).asked(task, first(task)) == [("preference", None)]
