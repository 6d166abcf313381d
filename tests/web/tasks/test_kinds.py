from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from assize.web._project import read_project
from assize.web._tasks import KINDS, kind_of


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_says_what_it_is_for_and_has_a_template(name: str) -> None:
    kind = KINDS[name]
    assert kind.about
    assert files("assize.web").joinpath("templates", "items", kind.template).is_file()


def test_the_demo_has_a_task_of_every_kind_and_one_person_finds_something_to_do_in_each() -> None:
    shown = read_project(Path(__file__).parents[3] / "examples" / "web").tasks
    assert {one.kind for one in shown} == KINDS.keys()
    for task in shown:
        kind = kind_of(task)
        assert kind.starts_at or kind.items(task), task.name
