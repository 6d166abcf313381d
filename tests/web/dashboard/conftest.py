"""A view of the small project, made once."""

from __future__ import annotations

import pytest
from tests.web.dashboard.project import conversations, table

from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import View


@pytest.fixture(scope="session")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    folder = tmp_path_factory.mktemp("views") / "small"
    return prepare_view(
        table(), conversations(), folder, time="metadata.started", made_of="project"
    )
