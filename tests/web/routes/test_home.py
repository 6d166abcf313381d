"""A rater's tasks: home, a task's page, consent."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from tests.web.accounts.clients import Site, csrf, post

from assize.web._storage.schema import assignments, consents


def test_a_project_without_tasks_says_so(here: Site) -> None:
    assert "There is no task for you yet." in here.visitor("ann").get("/").text
    page = here.visitor("lea", "admin").get("/").text
    assert "folder <code>tasks</code>" in page
    assert "only the tasks whose <code>raters</code> name you" in page


@pytest.mark.parametrize("path", ["/t/small", "/t/small/instructions"])
@pytest.mark.parametrize("found", ["raters: [ann]\n"], indirect=True)
def test_a_task_of_others_does_not_exist(ann: Any, ben: Any, path: str) -> None:
    assert ann.get(path).status_code == 200
    assert ben.get(path).status_code == 404
    assert ann.get("/t/other").status_code == 404


@pytest.mark.parametrize("found", ["consent: We *keep* this.\n"], indirect=True)
def test_nothing_is_shown_before_consent_and_only_the_words_shown_count(
    found: Site, ann: Any
) -> None:
    page = ann.get("/t/small").text
    assert "<em>keep</em>" in page
    token = csrf(page)
    assert "/t/small" in post(ann, "/t/small/next", csrf=token).headers["location"]
    assert found.column(select(assignments.c.id)) == []
    for given in ({"text": "We keep nothing.", "agree": "yes"}, {"text": "We *keep* this."}):
        sent = post(ann, "/t/small/consent", csrf=token, **given)
        assert sent.headers["location"].endswith("consent=no")
    sent = post(ann, "/t/small/consent", csrf=token, text="We *keep* this.", agree="yes")
    assert sent.headers["location"] == "/t/small"
    assert found.column(select(consents.c.text)) == ["We *keep* this."]
