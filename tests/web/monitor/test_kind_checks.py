"""The checks of single kinds of task, through the app."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.web.monitor.worked import Worked
from tests.web.routes.rating_site import fields
from tests.web.tasks.making import PAIR, lines
from tests.web.tasks.test_acts import ACTS, JUDGE, RIGHT, VOTE, task_of

from assize.web._exporting import ratings
from assize.web._queue import Assignment, next_assignment, sync_project

EXAMPLE = Path(__file__).parents[3] / "examples" / "web"


def test_rephrased_references_below_others_are_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    shutil.copy(EXAMPLE / "continuations.jsonl", tmp_path)
    (tmp_path / "tasks" / "next.yaml").write_text(
        "task: next\nkind: continuation\nitems: continuations.jsonl\nraters_per_item: 2\n"
    )
    worked = Worked(tmp_path)

    def said(_: str, one: Assignment) -> dict[str, str]:
        good = "rephrase" not in one.key and "random" not in one.key
        return {"content": "5" if good else "2", "style": "3", "reasonableness": "5"}

    for name in ("ann", "bob"):
        worked.rate(name, said)
    text = worked.client().get("/monitor/next").text
    assert "content: harbour-1 is rated 3.00 above rephrase, which should be the highest" in text
    assert "not sure yet" in text
    assert "Ratings by source" in text


@pytest.fixture
def acts(tmp_path: Path) -> Worked:
    (tmp_path / "tasks").mkdir()
    made = task_of(tmp_path, PAIR, {**PAIR, "id": "p2"})
    text = Path(made.path).read_text()
    Path(made.path).unlink()
    (tmp_path / "tasks" / "task.yaml").write_text(text)
    return Worked(tmp_path)


def test_the_judge_is_held_to_each_person_who_checked_its_acts(acts: Worked) -> None:
    lead = acts.client()
    assert "Nobody has checked its labels yet." in lead.get("/monitor/task").text
    wrong: dict[str, str | list[str]] = {
        **RIGHT,
        "turn-1": "missing",
        "turn-1-acts": ["Task: Answer", "Task: Inform"],
    }
    acts.rate("ann", lambda *_: wrong)
    text = lead.get("/monitor/task").text
    assert "The judge, by ann" in text
    assert f"{JUDGE} held to ann: 3 turns of 1 items" in text
    assert "The commonest error: a function is missing." in text
    assert "2 (66.7%)" in lead.get("/monitor/task").text
    assert lead.get("/monitor/task/tables/acts-0-0.csv").status_code == 200


def test_a_form_of_labels_that_were_changed_since_is_of_what_was_shown(acts: Worked) -> None:
    ann = acts.client("ann", "rater")
    given = acts.store.write_now(next_assignment, acts.task, acts.person("ann"), acts.now)
    assert isinstance(given, Assignment)
    where = f"/rate/{given.id}"
    shown = {"csrf": "csrf", **fields(ann.get(where).text), **RIGHT}
    other = {**ACTS, "a": [[["Task", "Offer"]]]}
    votes = [{**VOTE, "item": one, "details": {"acts": other}} for one in ("p1", "p2")]
    lines(acts.project.folder / "judged.jsonl", votes)
    acts.store.write_now(sync_project, acts.project, acts.now)
    assert ann.post(where, data=shown, follow_redirects=False).status_code == 303
    with acts.store.connect() as connection:
        whole = next(iter(ratings(connection, acts.task)))
    assert whole.details is not None
    assert (whole.item, whole.details["acts"]) == (f"{given.key}~1", ACTS)
    again = acts.store.write_now(next_assignment, acts.task, acts.person("ann"), acts.now)
    assert isinstance(again, Assignment)
    assert "<strong>Task: Offer</strong>" in ann.get(f"/rate/{again.id}").text
