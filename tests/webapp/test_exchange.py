"""Ratings out of a project and into another: in Python, and as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import assize
from assize.cli import app
from assize.errors import ConfigError, DataError

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


def rows(*given: tuple[str, str, str]) -> list[dict[str, str]]:
    return [
        {"item": item, "judge": judge, "question": "warm", "answer": answer, "kind": "person"}
        for item, judge, answer in given
    ]


RATED = rows(("a", "ann", "yes"), ("a", "bob", "no"), ("b", "ann", "no"))


def test_ratings_of_another_tool_go_in_and_come_out_as_they_were(tmp_path: Path) -> None:
    here = project(tmp_path / "p")
    taken = assize.import_ratings(RATED, task="t", project=here)
    assert (taken.found.assignments, taken.found.people) == (3, 2)
    again = assize.import_ratings(RATED, task="t", project=here)
    assert (again.found.assignments, again.found.known) == (0, 3)
    out = assize.export_ratings(here, out=tmp_path / "out")
    table = assize.read_judgments(out.tasks["t"].judgments)
    assert {(one.item, one.judge, one.answer) for one in table} == {
        (one["item"], one["judge"], one["answer"]) for one in RATED
    }


def test_an_export_taken_up_elsewhere_is_the_same_export(tmp_path: Path) -> None:
    here, there = project(tmp_path / "p"), project(tmp_path / "q")
    assize.import_ratings(RATED, task="t", project=here)
    first = assize.export_ratings(here, out=tmp_path / "one", task="t")
    assize.import_ratings(tmp_path / "one" / "t", task="t", project=there)
    second = assize.export_ratings(there, out=tmp_path / "two")
    texts = [Path(one.tasks["t"].judgments).read_text() for one in (first, second)]
    assert texts[0] == texts[1]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    here = project(tmp_path / "p")
    with pytest.raises(ConfigError, match="task: the project has no 'u'; it has t"):
        assize.export_ratings(here, out=tmp_path / "o", task="u")
    with pytest.raises(ConfigError, match="form: received 'xml'"):
        assize.export_ratings(here, out=tmp_path / "o", form="xml")
    with pytest.raises(DataError, match="z"):
        assize.import_ratings(rows(("z", "ann", "yes")), task="t", project=here)


def test_the_commands_do_the_same(tmp_path: Path) -> None:
    here = project(tmp_path / "p")
    given = tmp_path / "given.jsonl"
    given.write_text("".join(f"{json.dumps(one)}\n" for one in RATED))
    words = ["web", "import", str(given), "--task", "t", "--project", str(here)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output + repr(done.exception)
    out = tmp_path / "out"
    words = ["web", "export", "--project", str(here), "--out", str(out), "--json"]
    done = CliRunner().invoke(app, words)
    assert json.loads(done.stdout)["t"]["judgments"] == 3
    assert (out / "t" / "judgments.jsonl").is_file()


def test_answers_to_items_that_were_changed_since_are_named(tmp_path: Path) -> None:
    here = project(tmp_path / "p")
    assize.import_ratings(RATED, task="t", project=here)
    assert len(assize.export_ratings(here, out=tmp_path / "out").notes) == 1
    talks = here / "talks.jsonl"
    talks.write_text(talks.read_text().replace("hi", "hello"))
    out = assize.export_ratings(here, out=tmp_path / "out")
    assert out.to_json()["t"]["older"] == {"a": 2, "b": 1}
    told = out.notes[1]
    assert told.startswith("t: 2 items changed after they were answered; answers to what was shown")
    assert "before: a (2), b (1). Their details" in told


def test_answers_of_a_pilot_round_that_are_left_out_are_counted(tmp_path: Path) -> None:
    here = project(tmp_path / "p")
    piloted = [{**one, "details": {"pilot": True}} for one in RATED[:2]]
    assize.import_ratings([*piloted, RATED[2]], task="t", project=here)
    out = assize.export_ratings(here, out=tmp_path / "out")
    assert (out.tasks["t"].rows, out.to_json()["t"]["pilot"]) == (1, 2)
    assert out.notes[1].startswith("t: 2 answers of a pilot round left out")
    whole = assize.export_ratings(here, out=tmp_path / "out", pilot=True)
    assert (whole.tasks["t"].rows, len(whole.notes)) == (3, 1)
