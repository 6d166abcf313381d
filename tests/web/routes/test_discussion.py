from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.monitor.worked import Answer, Worked, two, write_project
from tests.web.tasks import test_check_labels as test_labels

from assize.web._discussions import adjudicated

TOKEN = {"csrf": "csrf"}
ACTS = ["Task: Answer", "Task: Inform"]


def answering(said: str) -> Answer:
    """Who says this of c0 and 2 of all else."""
    return lambda _, one: two(said if one.key == "c0" else "2", "2")


class Table:
    """A project in which ann and bob disagree about c0 and agree about the rest."""

    def __init__(self, folder: Path) -> None:
        write_project(folder, items=3)
        self.worked = Worked(folder)
        for name, said in (("ann", "1"), ("bob", "4")):
            self.worked.rate(name, answering(said))
        self.lead = self.worked.client()
        self.ann = self.worked.client("ann", "rater")
        self.bob = self.worked.client("bob", "rater")

    def open(self) -> str:
        answer = self.lead.post("/monitor/two/disputed", data={**TOKEN, "item": "c0"})
        assert answer.status_code == 200
        return str(answer.url.path)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.fixture
def where(table: Table) -> str:
    """The address of the discussion of c0."""
    return table.open()


def test_disputed_items_are_listed_and_can_be_opened(table: Table) -> None:
    text = table.lead.get("/monitor/two/disputed").text
    assert text.count('name="item"') == 1
    assert 'value="c0"' in text
    assert "ann 1: not at all, bob 4: yes" in text
    assert f'href="{table.open()}"' in table.lead.get("/monitor/two/disputed").text


def test_raters_talk_without_names_and_a_lead_answers_the_item(table: Table, where: str) -> None:
    assert "Item 1" in table.ann.get("/discussions").text
    table.ann.post(f"{where}/say", data={**TOKEN, "text": "It is <b>half</b> an answer."})
    text = table.bob.get(where).text
    assert "It is &lt;b&gt;half&lt;/b&gt; an answer." in text
    assert "ann" not in text.partition("<main")[2]
    assert "not at all" in text
    assert "Settle it" not in text
    assert 'type="radio"' not in text
    table.lead.post(f"{where}/settle", data={**TOKEN, "clear": "2", "kind": "3"})
    settled = table.ann.get(where).text
    assert "Settled by a lead" in settled
    assert 'value="3" form="answers" checked' in settled
    found = {
        one.question: one.answer
        for one in table.worked.store.read_now(adjudicated, table.worked.task)
    }
    assert found == {"clear": "2", "kind": "3"}


def test_a_lead_settles_and_opens_again(table: Table, where: str) -> None:
    for clear, problem in (
        ("", "Please answer this question."),
        ("5", "Please choose one of the answers."),
    ):
        wrong = table.lead.post(f"{where}/settle", data={**TOKEN, "clear": clear, "kind": "2"})
        assert (wrong.status_code, problem in wrong.text) == (422, True)
    said = {**TOKEN, "clear": "3", "kind": "2", "page.reason": "As the guide says."}
    text = table.lead.post(f"{where}/settle", data=said).text
    assert "Settled by a lead" in text
    assert "As the guide says." in text
    late = table.ann.post(f"{where}/say", data={**TOKEN, "text": "But"})
    assert (late.status_code, "This discussion is settled" in late.text) == (422, True)
    assert "Open it again" not in table.ann.get(where).text
    assert "Settled" not in table.lead.post(f"{where}/reopen", data=TOKEN).text


def test_what_leads_do_raters_cannot(table: Table, where: str) -> None:
    for path in (f"{where}/settle", f"{where}/reopen", "/monitor/two/disputed"):
        data = {**TOKEN, "clear": "2", "item": "c1"}
        assert table.ann.post(path, data=data).status_code == 404
    assert table.ann.get("/monitor/two/disputed").status_code == 404


def test_an_item_that_is_not_there_is_not_opened(table: Table) -> None:
    answer = table.lead.post("/monitor/two/disputed", data={**TOKEN, "item": "<none>"})
    assert answer.status_code == 400
    assert "&lt;none&gt;" in answer.text


def test_before_there_is_any_the_list_says_where_they_come_from(table: Table) -> None:
    assert "There are none yet" in table.ann.get("/discussions").text
    assert "open one there" in table.lead.get("/discussions").text


def test_a_lead_answers_about_turns_beside_them(tmp_path: Path) -> None:
    test_labels.task_of(tmp_path)
    (tmp_path / "tasks").mkdir()
    text = (tmp_path / "task.yaml").read_text()
    (tmp_path / "tasks" / "task.yaml").write_text(text + "raters_per_item: 2\n")
    worked = Worked(tmp_path)
    for name in ("ann", "bob"):
        worked.rate(name, lambda *_: test_labels.RIGHT)
    lead = worked.client()
    task = worked.task.name
    where = str(lead.post(f"/monitor/{task}/disputed", data={**TOKEN, "item": "p1"}).url.path)
    assert 'name="turn-1"' in lead.get(where).text
    assert 'name="turn-1"' not in worked.client("ann", "rater").get(where).text
    settled: dict[str, Any] = {
        **TOKEN,
        **test_labels.RIGHT,
        "turn-1": "wrong",
        "turn-1-right": ACTS,
    }
    assert "What the lead answered" in lead.post(f"{where}/settle", data=settled).text
    rows = [one for one in worked.store.read_now(adjudicated, worked.task) if one.turn == 1]
    assert [(one.judge, one.answer) for one in rows] == [("adjudicated", "wrong")]
