"""A project's folder, read."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import ConfigError, DataError
from assize.web._project import read_project

TASK = "task: {name}\nkind: rate\nsettings:\n  rubric: general\n"


def add(folder: Path, file: str, name: str) -> None:
    (folder / "tasks").mkdir(exist_ok=True)
    (folder / "tasks" / file).write_text(TASK.format(name=name))


def test_a_folder_is_a_project_with_a_database_of_its_own(tmp_path: Path) -> None:
    found = read_project(tmp_path)
    assert found.title == tmp_path.name
    assert found.database == f"sqlite:///{tmp_path / 'assize.db'}"
    assert found.tasks == ()


def test_what_project_yaml_says_holds_and_a_database_given_holds_above_it(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text("title: Ours\ndatabase: sqlite:///own.db\n")
    assert read_project(tmp_path).title == "Ours"
    assert read_project(tmp_path).database == "sqlite:///own.db"
    assert read_project(tmp_path, database="sqlite:///x.db").database == "sqlite:///x.db"


def test_the_database_of_a_server_is_named_in_the_command_alone(tmp_path: Path) -> None:
    url = "postgresql://me:secret-secret@elsewhere/study"
    (tmp_path / "project.yaml").write_text(f"database: {url}\n")
    with pytest.raises(ConfigError, match="give --database URL") as caught:
        read_project(tmp_path)
    assert "secret-secret" not in str(caught.value)
    assert read_project(tmp_path, database=url).database == url


def test_tasks_are_found_by_their_name(tmp_path: Path) -> None:
    add(tmp_path, "b.yaml", "second")
    add(tmp_path, "a.yml", "first")
    found = read_project(tmp_path)
    assert [one.name for one in found.tasks] == ["first", "second"]
    assert found.task("second") is found.tasks[1]
    assert found.task("third") is None


def test_two_tasks_of_one_name_are_refused_and_both_files_named(tmp_path: Path) -> None:
    add(tmp_path, "a.yaml", "same")
    add(tmp_path, "b.yaml", "same")
    with pytest.raises(DataError, match=r"b\.yaml.*another file.*a\.yaml"):
        read_project(tmp_path)


def test_a_field_that_is_not_known_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text("title: Ours\ncolour: red\n")
    with pytest.raises(DataError, match=r"project\.yaml:2.*colour"):
        read_project(tmp_path)
