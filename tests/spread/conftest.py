"""The ratings of the dashboard's example project."""

from __future__ import annotations

import pytest
from tests.web.dashboard.project import conversations, table

from assize.spread import Ratings, gather_ratings


@pytest.fixture(scope="session")
def ratings() -> Ratings:
    return gather_ratings(table(), conversations(), time="metadata.started")
