"""What every request can reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assize.web._project import Project
from assize.web._web import Web

STORE: Any = None


def test_cookies_go_over_tls_alone_where_people_come_by_https() -> None:
    project = Project(Path(), "p", "sqlite://")
    assert Web(project, STORE, "https://rate.example.org").secure
    assert not Web(project, STORE, "http://127.0.0.1:8700").secure
    assert not Web(project, STORE).secure


def test_each_app_has_a_token_of_its_own() -> None:
    project = Project(Path(), "p", "sqlite://")
    assert Web(project, STORE).csrf != Web(project, STORE).csrf
