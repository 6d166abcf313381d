"""Ratings out of a project: in Python, and as a command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.web.accounts.clients import somebody
from typer.testing import CliRunner

import assize
from assize.base.errors import ConfigError
from assize.cli import app
from assize.web._opening import opened_store
from assize.web._queue import assign, submit

TALK = '{{"id": "{}", "turns": [{{"role": "user", "text": "hi"}}]}}\n'
RUBRIC = """\
rubric: one
main: warm
sections:
  - questions:
      - id: warm
        text: Is it warm?
        answers: [no, yes]
"""
TASK = "task: t\nkind: rate\nitems: talks.jsonl\nraters_per_item: 2\nsettings: {rubric: one.yaml}\n"


def project(folder: Path) -> Path:
    (folder / "tasks").mkdir(parents=True)
    (folder / "tasks" / "t.yaml").write_text(TASK)
    (folder / "one.yaml").write_text(RUBRIC)
    (folder / "talks.jsonl").write_text("".join(TALK.format(one) for one in "abc"))
    return folder


RATED = [("a", "ann", "yes"), ("a", "bob", "no"), ("b", "ann", "no")]


def rate(folder: Path, rated: Sequence[tuple[str, str, str]]) -> None:
    """Lets people answer items, as on the pages."""
    with opened_store(folder) as (found, store):
        (task,) = found.tasks
        for item, name, answer in rated:
            person = store.write_now(somebody, name, "rater", 0.0)
            given = store.write_now(assign, task, item, person, 1.0)
            store.write_now(submit, task, given.id, person, 0, {"warm": answer}, now=2.0)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A project in which two people have answered."""
    rate(project(tmp_path / "p"), RATED)
    return tmp_path / "p"


def test_what_is_not_there_is_named(tmp_path: Path, here: Path) -> None:
    with pytest.raises(ConfigError, match="task: the project has no 'u'; it has t"):
        assize.web.export(here, out=tmp_path / "o", task="u")


def test_the_command_does_the_same(tmp_path: Path, here: Path) -> None:
    out = tmp_path / "out"
    words = ["web", "export", "--project", str(here), "--out", str(out), "--json"]
    done = CliRunner().invoke(app, words)
    assert json.loads(done.stdout)["tasks"]["t"]["judgments"] == 3
    assert (out / "t" / "judgments.jsonl").is_file()


def test_what_measures_nothing_stands_in_files_of_its_own(tmp_path: Path) -> None:
    here, out = project(tmp_path / "p"), tmp_path / "out"
    (here / "tasks" / "t.yaml").write_text(TASK + "pilot: true\n")
    rate(here, RATED[:2])
    (here / "gold.jsonl").write_text(
        '{"item": "c", "judge": "gold", "question": "warm", "answer": "yes"}\n'
    )
    (here / "tasks" / "t.yaml").write_text(TASK)
    rate(here, [*RATED[2:], ("c", "ann", "yes")])
    (here / "tasks" / "t.yaml").write_text(TASK + "gold: {judgments: gold.jsonl}\n")
    rate(here, [])
    task = assize.web.export(here, out=out).tasks["t"]
    assert (task.judgments, task.apart) == (1, 4)
    files = ("judgments", "pilot", "gold")
    rows = [list(assize.read_judgments(out / "t" / f"{name}.jsonl")) for name in files]
    assert [len(part) for part in rows] == [1, 2, 2]
    assert {row.judge for row in rows[2]} == {"ann", "gold"}
    assert not (out / "t" / "qualification.jsonl").exists()


def test_an_export_only_reads_and_needs_no_file(tmp_path: Path, here: Path) -> None:
    before = (here / "assize.db").read_bytes()
    (here / "one.yaml").write_text("nonsense: [")
    (here / "tasks" / "t.yaml").write_text("task: t\nkind: none\n")
    (here / "talks.jsonl").unlink()
    out = assize.web.export(here, out=tmp_path / "out")
    table = assize.read_judgments(out.tasks["t"].file)
    assert {(one.item, one.judge, one.answer) for one in table} == set(RATED)
    assert table.questions["warm"].text == "Is it warm?"
    assert (here / "assize.db").read_bytes() == before


def test_an_export_makes_no_database(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no database .*start assize web once"):
        assize.web.export(project(tmp_path / "p"), out=tmp_path / "out")
    assert not (tmp_path / "p" / "assize.db").exists()
