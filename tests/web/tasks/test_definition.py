from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import DataError
from assize.web._tasks import problem_in, read_task
from assize.web._tasks.definition import Task


def read(folder: Path, text: str) -> Task:
    (folder / "t.yaml").write_text(text)
    return read_task(folder / "t.yaml", folder)


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("items: c.jsonl", "items", ("c.jsonl",)),
        ("", "title", "Good or bad"),
        ("", "raters", None),
        ("raters: [anna]", "raters", ("anna",)),
    ],
    ids=["one file without a list", "a title of the name", "everybody", "whom the file names"],
)
def test_a_task_is_what_its_file_says(tmp_path: Path, line: str, field: str, value: object) -> None:
    assert getattr(read(tmp_path, f"task: good-or_bad\nkind: rate\n{line}\n"), field) == value


def test_instructions_of_a_file_change_the_version(tmp_path: Path) -> None:
    (tmp_path / "how.md").write_text("one")
    text = "task: a\nkind: rate\ninstructions: how.md\n"
    before = read(tmp_path, text)
    (tmp_path / "how.md").write_text("two")
    after = read(tmp_path, text)
    assert (before.instructions, after.instructions) == ("one", "two")
    assert before.hash != after.hash


def test_a_missing_file_of_instructions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"there is no file 'how\.md'"):
        read(tmp_path, "task: a\nkind: rate\ninstructions: how.md\n")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("raters_per_item: 0", r"t\.yaml:3: raters_per_item"),
        ("order: up", r"t\.yaml:3: order"),
        ("colour: red", r"t\.yaml:3: colour: no such field; allowed are task, kind"),
    ],
)
def test_a_wrong_field_names_its_line(tmp_path: Path, line: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        read(tmp_path, f"task: a\nkind: rate\n{line}\n")


def test_a_problem_names_the_line_of_its_place(tmp_path: Path) -> None:
    task = read(tmp_path, "task: a\nkind: rate\nsettings:\n  rubric: x\n")
    said = str(problem_in(task, "no", "settings", "rubric"))
    assert said.endswith("t.yaml:4: settings.rubric: no")


def test_a_task_without_a_file_still_names_the_place(tmp_path: Path) -> None:
    task = Task("a", "rate", "A", folder=tmp_path)
    assert "settings.rubric: no" in str(problem_in(task, "no", "settings", "rubric"))
