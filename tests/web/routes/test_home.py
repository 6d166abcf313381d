"""A rater's tasks: home, a task's page, consent."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select
from tests.web.accounts.clients import csrf, post, site
from tests.web.routes.rating_site import rating_site

from assize.web._storage.schema import assignments, consents


def test_a_project_without_tasks_says_so(tmp_path: Path) -> None:
    with site(tmp_path) as found:
        assert "There is no task for you yet." in found.visitor("ann").get("/").text
        assert "folder <code>tasks</code>" in found.visitor("lea", "admin").get("/").text


def test_strangers_are_asked_to_sign_in(tmp_path: Path) -> None:
    with rating_site(tmp_path) as found:
        for path in ("/", "/t/small", "/t/small/instructions", "/past", "/rate/1"):
            assert found.visitor().get(path).status_code == 303


@pytest.mark.parametrize("path", ["/t/small", "/t/small/instructions"])
def test_a_task_of_others_does_not_exist(tmp_path: Path, path: str) -> None:
    with rating_site(tmp_path, "raters: [ann]\n") as found:
        assert found.visitor("ann").get(path).status_code == 200
        assert found.visitor("ben").get(path).status_code == 404
        assert found.visitor("ann").get("/t/other").status_code == 404


def test_nothing_is_shown_before_consent_and_only_the_words_shown_count(tmp_path: Path) -> None:
    with rating_site(tmp_path, "consent: We *keep* this.\n") as found:
        ann = found.visitor("ann")
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
