"""The item's page: what is taken, what is refused, and whose it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from tests.web.accounts.clients import NOW, Site, post, send, site
from tests.web.routes.rating_site import answer, begin, fields, reword

from assize.web._project import read_project
from assize.web._queue import sync_project
from assize.web._raters.work import SKIP_REASONS
from assize.web._storage.schema import answers, assignments, discussions, items

SCRIPT = "<script>alert(1)</script>"


def test_a_form_is_taken_and_the_next_item_follows(found: Site, ann: Any, where: str) -> None:
    sent = answer(ann, where, good="3")
    assert sent.status_code == 303
    assert sent.headers["location"] != f"{where}?after=saved"
    assert "Saved." in ann.get(sent.headers["location"]).text
    assert found.column(select(answers.c.answers)) == [{"good": "3"}]


def test_a_script_gets_the_item_alone_and_its_address(ann: Any, where: str) -> None:
    given = fields(ann.get(where).text)
    ann.headers["hx-request"] = "true"
    sent = post(ann, where, **given, good="3")
    assert sent.status_code == 200
    assert sent.text.startswith('<div id="work"')
    assert sent.headers["hx-push-url"].startswith("/rate/")


def test_another_answer_under_an_old_revision_is_shown_again_and_not_taken(
    found: Site, ann: Any, where: str
) -> None:
    given = fields(ann.get(where).text)
    post(ann, where, **given, good="3")
    sent = post(ann, where, **given, good="1")
    assert sent.status_code == 409
    assert "answered in another window" in sent.text
    assert found.column(select(answers.c.answers)) == [{"good": "3"}]


@pytest.mark.parametrize("given", [{}, {"good": "9"}, {"good": SCRIPT}, {"good": ["1", "2"]}])
def test_what_the_form_does_not_offer_is_refused_beside_the_question(
    found: Site, given: dict[str, str], ann: Any
) -> None:
    sent = answer(ann, begin(ann), **given)
    assert sent.status_code == 422
    assert 'class="problem"' in sent.text
    assert SCRIPT not in sent.text
    assert found.column(select(answers.c.id)) == []


def test_a_draft_is_kept_and_shown_again(found: Site, ann: Any, where: str) -> None:
    assert answer(ann, where, "/draft", good="2").status_code == 204
    assert "Draft restored" in ann.get(where).text
    assert found.column(select(answers.c.id)) == []


def test_seconds_are_those_that_can_have_passed(found: Site, ann: Any, where: str) -> None:
    found.now += 30
    answer(ann, where, good="2", **{"page.seconds": "1e9"})
    assert found.column(select(answers.c.seconds)) == [30.0]
    for odd in ("nan", "inf", "-5", "x"):
        where = begin(ann)
        assert answer(ann, where, "/draft", **{"page.seconds": odd}).status_code == 204


def test_a_skip_without_a_reason_asks_for_one(found: Site, ann: Any, where: str) -> None:
    assert "Please choose why." in answer(ann, where, "/skip").text
    sent = answer(ann, where, "/skip", **{"page.skip": "I cannot judge this"})
    assert sent.status_code == 303
    assert found.column(select(answers.c.reason)) == ["I cannot judge this"]


def test_no_page_says_what_others_answered_or_which_system_it_was(ann: Any, ben: Any) -> None:
    for _ in range(2):
        where = begin(ann)
        answer(ann, where, "/comment", **{"page.comment": "ann-said-this"})
        answer(ann, where, good="3")
    mine = begin(ben)
    answer(ben, mine, good="1")
    seen = "".join(ben.get(path).text for path in (mine, begin(ben), "/", "/past", "/t/small"))
    assert "ann" not in seen.replace("annoy", "").replace("channel", "").replace("cannot", "")
    assert "bot-7" not in seen
    chosen = re.findall(r'type="radio"[^>]* value="([^"]+)"[^>]* checked', seen)
    assert chosen == ["1"]  # what ben himself answered


def test_the_end_of_a_task_says_so(ann: Any) -> None:
    for _ in range(4):
        sent = answer(ann, begin(ann), good="3")
    assert sent.headers["location"] == "/t/small?nothing=finished"
    assert "All done, thank you!" in ann.get("/t/small?nothing=finished").text


@pytest.mark.parametrize("path", ["", "/skip"])
def test_a_form_of_an_item_that_was_changed_meanwhile_is_of_what_was_shown(
    found: Site, tmp_path: Path, path: str, ann: Any, where: str
) -> None:
    given = {**fields(ann.get(where).text), "good": "3", "page.skip": SKIP_REASONS[0]}
    reword(found, tmp_path)
    assert "Another reply" not in ann.get(where).text
    assert post(ann, where + path, **given).status_code == 303
    (item,) = found.column(select(items.c.key).join(assignments).join(answers))
    assert item.endswith("~1")
    again = begin(ann)
    assert again != where
    assert "Another reply" in ann.get(again).text


def test_an_answer_is_of_the_version_that_was_read(
    found: Site, tmp_path: Path, ann: Any, where: str
) -> None:
    before = fields(ann.get(where).text)
    file = tmp_path / "tasks" / "small.yaml"
    file.write_text(file.read_text() + "about: Said otherwise.\n")
    found.store.write_now(sync_project, read_project(tmp_path), NOW)
    assert (before["page.version"], fields(ann.get(where).text)["page.version"]) == ("1", "2")
    assert answer(ann, where, good="3").status_code == 303
    assert post(ann, where, **{**before, "page.revision": "1", "good": "2"}).status_code == 303
    assert found.column(select(answers.c.version).order_by(answers.c.id)) == [2, 1]


def test_a_discussed_answer_is_shown_and_cannot_be_changed(
    found: Site, ann: Any, where: str
) -> None:
    form = fields(ann.get(where).text)
    answer(ann, where, good="3")
    (item,) = found.column(select(assignments.c.item).where(assignments.c.id == 1))
    about = {"task": 1, "item": item, "state": "open", "opened_by": 1, "opened": NOW}
    found.store.write_now(lambda connection: connection.execute(insert(discussions), about))
    page = ann.get(where).text
    assert '<a href="/discussions/1">' in page
    assert 'id="answers"' not in page
    assert "What you change replaces it" not in page
    assert "disabled" in page
    sent = post(ann, where, **{**form, "page.revision": "1", "good": "1"})
    assert sent.status_code == 409
    assert "your answer stays as it is" in sent.text


def test_a_lead_sends_what_is_rejected_back_to_its_writer(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "briefs.jsonl").write_text('{"id": "b1", "text": "A parcel is late."}')
    (tmp_path / "tasks" / "write.yaml").write_text(
        "task: write\nkind: write\nitems: briefs.jsonl\nsettings: {least: 1}\n"
    )
    (tmp_path / "tasks" / "read.yaml").write_text(
        "task: read\nkind: proofread\nsettings: {of: write}\n"
    )
    with site(tmp_path) as found:
        found.store.write_now(sync_project, read_project(tmp_path), NOW)
        found.person("Lea", "admin")
        ann, ben, lea = (found.visitor(name) for name in ("ann", "ben", "Lea"))
        wrote = begin(ann, "write")
        answer(ann, wrote, **{"turn-0": "where is it"})
        found.now += 1
        answer(ben, begin(ben, "read"), proofread="rejected", comment="too curt")
        assert "sent back" not in ann.get("/past").text
        shown = lea.get("/admin/tasks/read").text
        assert "too curt" in shown
        (action,) = re.findall(r'action="(\S+/send-back)"', shown)
        assert send(ben, action, "/t/read").status_code == 404
        assert send(lea, action, "/admin/tasks/read").status_code in (200, 303)
        assert "send-back" not in lea.get("/admin/tasks/read").text
        assert send(lea, action, "/admin/tasks/read").status_code == 400
        assert "sent back by the proofreader" in ann.get("/past").text
        assert begin(ann, "write") == wrote
        opened = ann.get(wrote).text
        assert '<blockquote class="sent-back">too curt</blockquote>' in opened
        assert "where is it" in opened
        assert "ben" not in opened
