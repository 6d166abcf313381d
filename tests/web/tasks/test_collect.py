"""What is asked of a collected conversation is asked by another kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.collect.conftest import SYSTEMS, make_project

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.web._tasks.collect import Collect
from assize.web._tasks.definition import Qualification
from assize.web._tasks.kind import Rating
from assize.web._tasks.kinds import kind_of

TALK = Conversation(
    "c1", (Turn("user", "How?"), Turn("assistant", "So.")), "DS1", {"model": "openai:secret"}
)


def test_the_form_is_that_of_the_rubric_and_a_rating_a_judgment_of_the_chat(
    tmp_path: Path,
) -> None:
    task = make_project(tmp_path, SYSTEMS)
    kind = kind_of(task)
    kind.check(task)
    names = [one.name for one in kind.form(task, TALK).fields]
    assert (names[0], names[-1]) == ("Q1", "Q0")
    rating = Rating("ann", 1, 30.0, "2026-11-23T09:00:00Z")
    rows = kind.judgments(task, TALK, {"Q0": "3"}, rating)
    assert ("c1", "ann", "Q0", "3") in [
        (one.item, one.judge, one.question, one.answer) for one in rows
    ]


def test_raters_are_shown_the_turns_and_nothing_of_the_system(tmp_path: Path) -> None:
    shown = Collect().shown(make_project(tmp_path, SYSTEMS), TALK, None)
    assert "secret" not in repr(shown)
    assert "DS1" not in repr(shown)


def test_a_wrong_form_is_refused(tmp_path: Path) -> None:
    task = make_project(tmp_path, SYSTEMS, form={"rubrik": "x"})
    with pytest.raises(DataError, match="rubric: field required"):
        Collect().check(task)


def test_wrong_topics_and_prompts_are_told_before_anybody_talks(tmp_path: Path) -> None:
    task = make_project(tmp_path, SYSTEMS)
    (task.folder / task.items[0]).write_text('{"id": 1}\n')
    with pytest.raises(DataError, match=task.items[0]):
        Collect().check(task)
    systems = [{**one, "prompt": "gone.md"} for one in SYSTEMS]
    with pytest.raises(DataError, match=r"there is no file 'gone\.md'"):
        Collect().check(make_project(tmp_path / "second", systems))


def test_nobody_can_qualify_for_what_has_no_items_yet(tmp_path: Path) -> None:
    given = Qualification.model_validate({"items": "first.jsonl", "judgments": "pass.jsonl"})
    task = replace(make_project(tmp_path, SYSTEMS), qualification=given)
    with pytest.raises(DataError, match="qualification: 'collect' has no items before"):
        Collect().check(task)
