from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.tasks.making import TALK, make_task

from assize.base.errors import DataError
from assize.web._tasks.rubrics import rubric_named

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
