from __future__ import annotations

from collections.abc import Iterator

import pytest

from assize.web._storage import Store, open_store


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """A new database of each kind, which the test may close."""
    found = open_store(url)
    yield found
    found.close()
