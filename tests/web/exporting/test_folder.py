from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from sqlalchemy import Connection
from tests.web.queue.rounds import Round, add_people, conversations, task_in
from tests.web.test_discussions import Room

from assize import read_judgments
from assize.base.errors import ConfigError, OutputError
from assize.formats import read
from assize.web._exporting.folder import export_task
from assize.web._exporting.task_export import FORMS, Form
from assize.web._queue import skip
from assize.web._storage import Store
from assize.web._tasks import Task


def rated(store: Store, folder: Path) -> Task:
    """One answer, and one skip with a formula as its reason."""
    conversations(folder, ["c0", "c1"])
    task = task_in(folder)

    def work(connection: Connection) -> None:
        play = Round(connection, task, add_people(connection, ["ann"]))
        play.sync()
        play.answer(play.given("ann"), "2")
        one = play.given("ann")
        skip(connection, task, one.id, one.person, 0, "=1+1", now=play.tick())

    store.write_now(work)
    return task


def test_a_folder_holds_judgments_questions_items_and_history(
    either_store: Store, tmp_path: Path
) -> None:
    done = export_task(either_store, rated(either_store, tmp_path), tmp_path / "out")
    assert (done.judgments, done.items, done.made, done.given) == (2, 2, 0, 2)
    table = read_judgments(done.file)
    assert [one.answer for one in table].count("2") == 1
    assert table.questions["warm"].values == (1.0, 2.0, 3.0)
    found = list(read(tmp_path / "out" / "items.jsonl"))
    assert [getattr(one, "id", None) for one in found] == ["c0", "c1"]
    both = {one.item: one for one in read_judgments(tmp_path / "out" / "together.jsonl")}
    assert {one.judge for one in both.values()} == {"people"}
    assert sorted(one.score for one in both.values() if one.score is not None) == [2.0]
    assert [one.unscored.reason for one in both.values() if one.unscored] == ["unrated"]
    lines = (tmp_path / "out" / "history.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["events"][0]["event"] for line in lines} == {"submit", "skip"}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_reads_back_as_the_same_judgments(
    store: Store, tmp_path: Path, form: Form
) -> None:
    task = rated(store, tmp_path)
    plain = read_judgments(export_task(store, task, tmp_path / "plain").file)
    other = read_judgments(export_task(store, task, tmp_path / "other", form=form).file)
    assert list(other) == list(plain)


def test_a_csv_table_holds_no_formula(store: Store, tmp_path: Path) -> None:
    done = export_task(store, rated(store, tmp_path), tmp_path / "out", form="csv")
    with Path(done.file).open(encoding="utf-8", newline="") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert any("1+1" in cell for cell in cells)
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")]


def test_an_unknown_form_and_a_place_that_is_a_file_are_refused(
    store: Store, tmp_path: Path
) -> None:
    task = rated(store, tmp_path)
    with pytest.raises(ConfigError, match="form: received 'xml'"):
        export_task(store, task, tmp_path / "out", form="xml")  # type: ignore[arg-type]
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot make the folder"):
        export_task(store, task, tmp_path / "file")


def test_what_was_settled_is_beside_the_ratings_and_no_rating(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.settle(clear="2", kind="2")
    done = export_task(room.worked.store, room.worked.task, tmp_path / "out")
    assert {one.judge for one in read_judgments(done.file)} == {"ann", "bob"}
    settled = list(read_judgments(tmp_path / "out" / "adjudicated.jsonl"))
    assert {(one.judge, one.item) for one in settled} == {("adjudicated", "c0")}
    both = read_judgments(tmp_path / "out" / "together.jsonl")
    assert {(one.details or {})["raters"] for one in both if one.item == "c0"} == {2}
