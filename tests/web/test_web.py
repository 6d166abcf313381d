"""What every request can reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assize.web._project import Project
from assize.web._web import Web

STORE: Any = None


def test_each_app_has_a_token_of_its_own() -> None:
    project = Project(Path(), "p", "sqlite://")
    assert Web(project, STORE).csrf != Web(project, STORE).csrf
