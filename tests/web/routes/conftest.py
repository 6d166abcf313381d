"""A small task served in this process, and raters who visit it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.accounts.clients import Site
from tests.web.routes.rating_site import begin, rating_site


@pytest.fixture
def found(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    """The app; parametrize it (`indirect`) with further lines of the task's file."""
    with rating_site(tmp_path, getattr(request, "param", "raters_per_item: 9\n")) as made:
        yield made


@pytest.fixture
def ann(found: Site) -> Any:
    return found.visitor("ann")


@pytest.fixture
def ben(found: Site) -> Any:
    return found.visitor("ben")


@pytest.fixture
def where(ann: Any) -> str:
    """The address of Ann's first item."""
    return begin(ann)
