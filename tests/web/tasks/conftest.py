"""The task of a module."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.web._tasks import Task


@pytest.fixture
def task(request: pytest.FixtureRequest, tmp_path: Path) -> Task:
    """The task that the module's `task_of(folder)` writes and reads."""
    found: Task = request.module.task_of(tmp_path)
    return found
